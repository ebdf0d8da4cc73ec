package dev.lightpath.planner.fault;

import java.util.Set;
import java.util.function.Function;

/**
 * Which messenger reports on a subject, and which messengers are reachable now. Silence of a messenger is neither
 * health nor a fault.
 *
 * @param messenger of a subject, by any name
 * @param heard the reachable messengers; kept, so never to be changed
 */
public record Hearing(Function<Subject, String> messenger, Set<String> heard) {
    /** The messenger of nodes. */
    public static final String KUBERNETES = "Kubernetes";

    /** One messenger reports on everything and is reachable. */
    public static Hearing everything() {
        return new Hearing(subject -> "", Set.of(""));
    }

    boolean hears(Subject subject) {
        return heard.contains(messenger.apply(subject));
    }
}
