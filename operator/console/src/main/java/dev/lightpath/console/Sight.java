package dev.lightpath.console;

import java.util.function.Predicate;

/**
 * What a viewer may see.
 *
 * @param fabrics whether fabrics as a whole are shown: their nodes, switches, circuits and faults
 * @param namespaces whether the jobs and slices of a namespace are shown by name
 */
public record Sight(boolean fabrics, Predicate<String> namespaces) {
    /** Of a viewer whose own rights decided what was read. */
    public static final Sight ALL = new Sight(true, namespace -> true);

    public boolean shows(String namespace) {
        return namespaces.test(namespace);
    }
}
