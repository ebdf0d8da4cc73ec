package dev.lightpath.crds;

/** The regular expressions of the schema that several resources share. */
public final class Formats {

    /** What Kubernetes takes as the value of a label; the length (63) is checked beside it. */
    public static final String LABEL_VALUE = "^[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?$";

    /** What Kubernetes takes as the key of a label, with or without a prefix. */
    public static final String LABEL_KEY =
            "^([a-z0-9]([a-z0-9.-]*[a-z0-9])?/)?[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?$";

    /** A decimal number that is not negative: {@code 3.0}. */
    public static final String DECIMAL = "^[0-9]{1,9}([.][0-9]{1,9})?$";

    /** A decimal number that is not negative, or one with an exponent: {@code 1e-9}. */
    public static final String SCIENTIFIC = "^[0-9]{1,9}([.][0-9]{1,9})?(e-?[0-9]{1,2})?$";

    /** Three lengths: {@code 4x4x8}. */
    public static final String BOX = "^[1-9][0-9]{0,2}x[1-9][0-9]{0,2}x[1-9][0-9]{0,2}$";

    private Formats() {}
}
