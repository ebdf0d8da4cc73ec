package dev.lightpath.conformance.bench;

/** A way to hurt the device under test. */
public interface Faults {
    /** @throws Inapplicable when this way knows no such fault */
    void inject(Fault fault) throws Exception;

    /** Lifts all faults it injected. */
    void mend() throws Exception;
}
