package dev.lightpath.planner.health;

/**
 * The level that the losses of a port are counted from.
 *
 * @param levelDb in the unit of {@link Reading#levelDb}
 */
record Baseline(double levelDb, Source source) {
    /** Where it comes from. */
    enum Source {
        /** It was measured soon after the circuit was made, or later for a while. */
        MEASURED,
        /** The factory measured it, and the circuit was worse from the beginning. */
        FACTORY
    }

    /** Of light that comes this way for the first time. */
    static Baseline first(Reading reading) {
        double promised = reading.promisedDb().orElse(Double.NEGATIVE_INFINITY);
        return promised > reading.levelDb()
                ? new Baseline(promised, Source.FACTORY)
                : new Baseline(reading.levelDb(), Source.MEASURED);
    }
}
