package dev.lightpath.planner.stripe;

/** What an optical switch can join. */
public enum DeviceKind {
    /** Ingress ports face egress ports: a circuit is one direction of light, written {@code [in, out]}. */
    TWO_SIDED("two-sided"),
    /** Any port joins any other: a circuit is a duplex link, written once with the lower port first. */
    ANY_TO_ANY("any-to-any");

    private final String label;

    DeviceKind(String label) {
        this.label = label;
    }

    /** The name in documents and on the command line. */
    public String label() {
        return label;
    }

    /**
     * The device kind with that label.
     *
     * @throws IllegalArgumentException if there is none, naming the allowed words
     */
    public static DeviceKind of(String label) {
        for (DeviceKind kind : values()) {
            if (kind.label.equals(label)) {
                return kind;
            }
        }
        throw new IllegalArgumentException("device is two-sided or any-to-any, not \"" + label + "\"");
    }
}
