package dev.lightpath.crds;

/** Owners of fields in server-side apply, one per concern. */
public enum FieldManager {
    /** Status without the allocation of slices. */
    STATUS("lightpath-status"),

    /** The allocation of slices. */
    LEDGER("lightpath-ledger"),

    /** JobSets and pods. */
    WORKLOAD("lightpath-workload"),

    /** Conditions and annotations of nodes. */
    NODE("lightpath-node"),

    /** Labels of nodes. */
    TOPOLOGY("lightpath-topology");

    private final String word;

    FieldManager(String word) {
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
