package dev.lightpath.planner.fault;

import java.util.Set;
import java.util.function.Function;

/**
 * Which source reports on a subject, and which sources are reachable now. Silence of a source is neither
 * health nor a fault.
 *
 * @param source of a subject, by any name
 * @param heard the reachable sources; kept, so never to be changed
 */
public record SignalSources(Function<Subject, String> source, Set<String> heard) {
    /** The source of nodes. */
    public static final String KUBERNETES = "Kubernetes";

    /** One source reports on everything and is reachable. */
    public static SignalSources everything() {
        return new SignalSources(subject -> "", Set.of(""));
    }

    boolean hears(Subject subject) {
        return heard.contains(source.apply(subject));
    }
}
