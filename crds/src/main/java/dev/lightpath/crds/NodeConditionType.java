package dev.lightpath.crds;

/** Conditions that Lightpath publishes on Nodes. */
public enum NodeConditionType {
    /** The optical fabric of the node works. */
    OPTICAL_FABRIC_READY("OpticalFabricReady"),

    /** Some light of the node is worse than it should be. */
    OPTICAL_LINK_DEGRADED("OpticalLinkDegraded");

    private final String word;

    NodeConditionType(String word) {
        this.word = word;
    }

    /** How it is written in the API. */
    public String word() {
        return word;
    }

    @Override
    public String toString() {
        return word;
    }
}
