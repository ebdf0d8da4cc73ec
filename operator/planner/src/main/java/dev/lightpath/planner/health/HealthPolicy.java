package dev.lightpath.planner.health;

/**
 * When the light of a port counts as getting worse, and what is done about it. A limit is also a distance to the median
 * of the peers, and half of it has to be undercut before a port is well again. 0 is not judged.
 *
 * @param mode what is done
 * @param lossAboveBaselineDb more than this is lost since soon after the circuit was made
 * @param driftDbPerDay more than this is lost with every day
 * @param bitErrorRatio more bits than this share are wrong before error correction
 */
public record HealthPolicy(Mode mode, double lossAboveBaselineDb, double driftDbPerDay, double bitErrorRatio) {
    /** What is done about a port whose light gets worse. */
    public enum Mode {
        /** It is told. */
        OBSERVE,
        /** It counts as a fault, if circuits find a place elsewhere. */
        TAKE_OUT
    }

    public HealthPolicy {
        if (!(lossAboveBaselineDb >= 0 && driftDbPerDay >= 0 && bitErrorRatio >= 0)) {
            throw new IllegalArgumentException("limits must not be below 0: " + lossAboveBaselineDb + " dB, "
                    + driftDbPerDay + " dB a day, " + bitErrorRatio);
        }
    }

    public static HealthPolicy standard() {
        return new HealthPolicy(Mode.OBSERVE, 2.0, 0.1, 1e-4);
    }

    /** The same limits. */
    public HealthPolicy with(Mode other) {
        return new HealthPolicy(other, lossAboveBaselineDb, driftDbPerDay, bitErrorRatio);
    }
}
