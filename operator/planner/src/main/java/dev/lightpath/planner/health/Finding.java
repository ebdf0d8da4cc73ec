package dev.lightpath.planner.health;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A port whose light gets worse, or a switch that does as a whole. What was measured is that of a moment: it is told
 * anew when it has changed by a quarter, a bit error ratio by a factor of three, and when it becomes certain or is no
 * longer.
 *
 * @param why the first limit that it exceeds
 * @param amount by how much it got worse: dB, dB a day, or a share of bits
 * @param usual the median of the same among its peers; empty where they are too few
 * @param since when it began to exceed that limit
 */
public record Finding(Place place, Why why, double amount, OptionalDouble usual, Instant since) {
    /** Reason of the fault of a port that is taken out for it. */
    public static final String REASON = "Degrading";

    private static final double NEWS = 0.25;
    /** Errors are few, and their number follows the loss exponentially. */
    private static final double NEWS_FACTOR = 3;

    /** What got worse. */
    public enum Why {
        LOSS,
        /** Nothing: it was worse from the beginning than the factory measured. */
        FACTORY_LOSS,
        /** A loss came along with the ingress of a circuit from one egress to the next. */
        INGRESS_LOSS,
        DRIFT,
        BIT_ERRORS,
        /** At least half of the ports of a switch lost light. */
        SWITCH_LOSS,
        SWITCH_DRIFT,
        SWITCH_BIT_ERRORS
    }

    /** What was measured, and against what, for people. */
    public String measured() {
        return switch (why) {
            case LOSS -> number("loses %.1f dB more than at first", amount) + peers("%.1f dB");
            case FACTORY_LOSS -> number("loses %.1f dB more than the factory measured", amount) + peers("%.1f dB");
            case INGRESS_LOSS -> number("loses %.1f dB wherever the light leaves that enters here", amount);
            case DRIFT -> number("loses %.2f dB more each day", amount) + peers("%.2f dB");
            case BIT_ERRORS -> number("has a bit error ratio of %.1e", amount) + peers("%.1e");
            case SWITCH_LOSS ->
                number("half of its ports lose %.1f dB or more than they should", amount) + switches("%.1f dB");
            case SWITCH_DRIFT ->
                number("half of its ports lose %.2f dB or more each day", amount) + switches("%.2f dB");
            case SWITCH_BIT_ERRORS ->
                number("half of its ports have a bit error ratio of %.1e or more", amount) + switches("%.1e");
        };
    }

    private String switches(String form) {
        return usual("all switches", form).orElse(" (too few switches to compare with)");
    }

    private String peers(String form) {
        return usual("its peers", form).orElse(" (too few peers to compare with)");
    }

    private Optional<String> usual(String of, String form) {
        return usual.isPresent()
                ? Optional.of(" (median of " + of + ": " + number(form, usual.getAsDouble()) + ")")
                : Optional.empty();
    }

    private static String number(String form, double value) {
        return String.format(Locale.ROOT, form, value);
    }

    /**
     * Whether it is reason enough to take a port out. A factory measures a circuit alone, without the connectors of its
     * plant: what these cost all circuits is seen only where there are enough peers.
     */
    public boolean certain() {
        return why != Why.FACTORY_LOSS || usual.isPresent();
    }

    /** How much light is lost, in dB; 0 where something else got worse. */
    public double lossDb() {
        return switch (why) {
            case LOSS, FACTORY_LOSS, INGRESS_LOSS, SWITCH_LOSS -> amount;
            case DRIFT, BIT_ERRORS, SWITCH_DRIFT, SWITCH_BIT_ERRORS -> 0;
        };
    }

    /** This finding as it goes on from an earlier one of its port. */
    Finding after(Finding earlier) {
        if (why != earlier.why) {
            return this;
        }
        boolean news = isFarFrom(earlier.amount) || certain() != earlier.certain();
        return news ? new Finding(place, why, amount, usual, earlier.since) : earlier;
    }

    private boolean isFarFrom(double before) {
        return why == Why.BIT_ERRORS || why == Why.SWITCH_BIT_ERRORS
                ? amount >= NEWS_FACTOR * before || amount * NEWS_FACTOR <= before
                : Math.abs(amount - before) >= NEWS * before;
    }

    Finding moved(Duration by) {
        return new Finding(place, why, amount, usual, since.plus(by));
    }
}
