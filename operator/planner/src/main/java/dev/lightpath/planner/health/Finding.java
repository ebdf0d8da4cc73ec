package dev.lightpath.planner.health;

import java.util.Locale;

/**
 * A port whose light gets worse.
 *
 * @param why the first limit that it exceeds
 * @param amount by how much it got worse: dB, dB a day, or a share of bits
 */
public record Finding(Place place, Why why, double amount) {
    /** Reason of the fault of a port that is taken out for it. */
    public static final String REASON = "Degrading";

    /** What got worse. */
    public enum Why {
        LOSS,
        DRIFT,
        BIT_ERRORS
    }

    /** For people. */
    public String told() {
        return place
                + switch (why) {
                    case LOSS -> String.format(Locale.ROOT, " loses %.1f dB more than at first", amount);
                    case DRIFT -> String.format(Locale.ROOT, " loses %.2f dB more each day", amount);
                    case BIT_ERRORS -> String.format(Locale.ROOT, " has a bit error ratio of %.1e", amount);
                };
    }
}
