package dev.lightpath.studies;

import dev.lightpath.studies.delta.DeltaStudies;
import dev.lightpath.studies.ring.RingStudies;
import dev.lightpath.studies.scale.ScaleStudies;
import dev.lightpath.studies.topology.TopologyStudies;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** All studies there are, by name. */
final class Studies {
    private Studies() {}

    static List<Study> all() {
        return Stream.of(DeltaStudies.all(), RingStudies.all(), ScaleStudies.all(), TopologyStudies.all())
                .flatMap(List::stream)
                .sorted(Comparator.comparing(Study::name))
                .toList();
    }
}
