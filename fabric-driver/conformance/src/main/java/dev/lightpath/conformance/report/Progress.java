package dev.lightpath.conformance.report;

/** Is told of a run while it goes on. */
public interface Progress {
    /**
     * The device is taken, and nothing is judged yet.
     *
     * @param driver name and version, as the driver says
     * @param device what is tested, in words
     */
    void begins(String driver, String endpoint, String device);

    void judged(Finding finding);

    /** For those who wait for the report. */
    static Progress untold() {
        return new Progress() {
            @Override
            public void begins(String driver, String endpoint, String device) {}

            @Override
            public void judged(Finding finding) {}
        };
    }
}
