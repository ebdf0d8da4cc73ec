package dev.lightpath.driver.contract;

import java.util.Optional;

/**
 * Who asks for a fenced change.
 *
 * @param name for the audit
 * @param claim certificate name under which a fencing role is taken by writing under it first; empty when the caller may
 *     write under the role whoever did so first
 */
public record Writer(String name, Optional<String> claim) {
    /** A caller whose fencing roles are not looked at. */
    public static Writer of(String name) {
        return new Writer(name, Optional.empty());
    }
}
