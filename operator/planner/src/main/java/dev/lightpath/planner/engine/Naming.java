package dev.lightpath.planner.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The first few of many names. */
final class Naming {
    private static final int MOST_NAMED = 4;

    private Naming() {}

    static List<String> some(List<String> names) {
        if (names.size() <= MOST_NAMED) {
            return names;
        }
        List<String> some = new ArrayList<>(names.subList(0, MOST_NAMED));
        some.add("and " + (names.size() - MOST_NAMED) + " more");
        return some;
    }

    /** At most so many of them, in their order, and how many there are besides. */
    static String first(int most, Collection<String> names) {
        String first = String.join(", ", names.stream().limit(most).toList());
        return first + (names.size() > most ? " and " + (names.size() - most) + " more" : "");
    }

    /** How many links there are, and the first of them. */
    static String links(List<?> links) {
        String some = String.join(
                ", ", links.stream().limit(MOST_NAMED).map(Object::toString).toList());
        return links.size() + (links.size() > MOST_NAMED ? " links, " + some + " among them" : " links: " + some);
    }

    static String named(Collection<String> names) {
        return String.join(", ", some(names.stream().sorted().toList()));
    }
}
