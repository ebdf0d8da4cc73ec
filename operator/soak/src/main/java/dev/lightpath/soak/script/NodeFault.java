package dev.lightpath.soak.script;

/** How a node of the ring is made faulty. */
public enum NodeFault {
    /** Its kubelet reports that it is not ready. */
    NOT_READY("Node not ready"),
    /** Its Node object is deleted. */
    DELETED("Node deleted"),
    /** A person annotates it. */
    ANNOTATED("annotated by a person"),
    /** A monitor sets a condition on it. */
    CONDITION("condition of a monitor"),
    /** Its transceivers lose their power. */
    POWER_LOSS("transceivers without power");

    private final String words;

    NodeFault(String words) {
        this.words = words;
    }

    String words() {
        return words;
    }
}
