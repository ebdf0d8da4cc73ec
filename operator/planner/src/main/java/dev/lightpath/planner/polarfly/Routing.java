package dev.lightpath.planner.polarfly;

/** How traffic finds its way (the paper's section VII). */
public enum Routing {
    /** The one shortest path. */
    MINIMAL("minimal"),
    /** By a random vertex. */
    VALIANT("valiant"),
    /**
     * By a random neighbour of the source; adjacent pairs by a random vertex, since a neighbour would send the packet
     * back.
     */
    COMPACT_VALIANT("compact-valiant"),
    /**
     * Minimal until its first link is two thirds full, then whichever of minimal and compact Valiant is less loaded.
     */
    UGAL("ugal");

    private final String label;

    Routing(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }

    /** @throws IllegalArgumentException if no routing has that label */
    public static Routing of(String label) {
        for (Routing routing : values()) {
            if (routing.label.equals(label)) {
                return routing;
            }
        }
        throw new IllegalArgumentException(
                "routing is minimal, valiant, compact-valiant or ugal, not \"" + label + "\"");
    }
}
