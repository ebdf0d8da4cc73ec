package dev.lightpath.cli.study;

import dev.lightpath.cli.study.delta.DeltaStudies;
import dev.lightpath.cli.study.ring.RingStudies;
import dev.lightpath.cli.study.topology.TopologyStudies;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** All studies there are, by name. */
final class Studies {
    private Studies() {}

    static List<Study> all() {
        return Stream.of(DeltaStudies.all(), RingStudies.all(), TopologyStudies.all())
                .flatMap(List::stream)
                .sorted(Comparator.comparing(Study::name))
                .toList();
    }
}
