package dev.lightpath.cli.study;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** All studies there are, by name. */
final class Studies {
    private Studies() {}

    static List<Study> all() {
        return Stream.<List<Study>>of()
                .flatMap(List::stream)
                .sorted(Comparator.comparing(Study::name))
                .toList();
    }
}
