package dev.lightpath.planner.fault;

import java.util.Set;
import java.util.function.Function;

/**
 * Who tells of a subject, and who of them can be heard now: silence of the messenger is neither health nor a fault.
 *
 * @param messenger of a subject, by any name
 * @param heard those who can be heard; kept, so never to be changed
 */
public record Hearing(Function<Subject, String> messenger, Set<String> heard) {
    /** Tells of nodes. */
    public static final String KUBERNETES = "Kubernetes";

    /** The same messenger tells of everything, and is heard. */
    public static Hearing everything() {
        return new Hearing(subject -> "", Set.of(""));
    }

    boolean hears(Subject subject) {
        return heard.contains(messenger.apply(subject));
    }
}
