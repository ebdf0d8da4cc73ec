package dev.lightpath.planner.engine.decision;

import dev.lightpath.planner.words.Counted;
import dev.lightpath.planner.world.FabricPolicy;
import dev.lightpath.planner.world.FabricPolicy.Adoption;
import dev.lightpath.planner.world.SliceId;
import java.util.Optional;

/**
 * What becomes of light on one fabric that no record explains. It is not taken down where it may be that of a record
 * that was lost, unless a person resets the fabric.
 *
 * @param awaiting whether it was found at first contact
 * @param doubted a slice that waits for its record and whose light it may be
 */
public record ForeignRule(FabricPolicy policy, boolean awaiting, Optional<SliceId> doubted) {

    /** Whether it is taken down without asking. */
    public boolean removes() {
        if (doubted.isPresent() && !resets()) {
            return false;
        }
        return awaiting ? resets() : policy.removesForeign();
    }

    private boolean resets() {
        return policy.adopt().equals(Optional.of(Adoption.RESET));
    }

    /** Why it stays against the policy, and what a person can do. What only waits for adoption is told elsewhere. */
    public Optional<String> stays() {
        return removes() || awaiting || !policy.removesForeign()
                ? Optional.empty()
                : doubted.map(
                        slice -> "they stay though policy.foreignCircuits is Remove, since slice " + slice
                                + " waits for its first record and they may be its own: set spec.adopt to Reset to have them removed");
    }

    /**
     * Of a slice that finds no room beside it; empty when nothing removes it.
     *
     * @param circuits that may be in its way, at least one
     * @param where they are lit, in words, or nothing
     */
    public String advice(long circuits, String where) {
        return remedy().map(remedy -> "; " + Counted.of(circuits, "circuit") + " that nobody planned" + where
                        + " may be in its way: " + remedy)
                .orElse("");
    }

    /** What a person can do to have it removed for a slice that finds no room. */
    private Optional<String> remedy() {
        if (removes()) {
            return Optional.empty();
        }
        return Optional.of(
                !awaiting && !policy.removesForeign()
                        ? "set policy.foreignCircuits of the fabric to Remove"
                                + (!resets()
                                                && (doubted.isPresent()
                                                        || policy.adopt().isPresent())
                                        ? " and its spec.adopt to Reset"
                                        : "")
                                + " to have them removed"
                        : "set spec.adopt of the fabric to Reset to have them removed");
    }
}
