package dev.lightpath.driver.contract;

import java.util.Optional;

/**
 * The caller of a fenced change.
 *
 * @param name for the audit
 * @param claim certificate name that gets a fencing role by writing under it first; empty if the caller may write under
 *     the role whichever name was first
 */
public record Writer(String name, Optional<String> claim) {
    /** A caller whose fencing roles are not looked at. */
    public static Writer of(String name) {
        return new Writer(name, Optional.empty());
    }
}
