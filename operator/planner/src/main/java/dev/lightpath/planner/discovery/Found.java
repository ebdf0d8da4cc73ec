package dev.lightpath.planner.discovery;

import dev.lightpath.planner.light.FarEnd;
import java.time.Instant;
import java.util.List;
import java.util.OptionalDouble;

/**
 * What was found where a fibre ends.
 *
 * @param farEnds one where it is known, two where it is ambiguous, none where nothing is heard
 * @param powerDbm of the light that enters the switch, or that the far end receives; empty where it is not measured
 */
public record Found(Evidence evidence, List<FarEnd> farEnds, OptionalDouble powerDbm, Instant at) {
    /** How it is known. */
    public enum Evidence {
        /** A probing circuit was heard. */
        HEARD(1),
        /** A circuit in use is heard where the installation says that the fibre ends. */
        IN_USE(1),
        /** Two fibres lead to two far ends, and nothing tells which leads where. */
        AMBIGUOUS(2),
        /** Nothing was heard against a port that works. */
        DARK(0),
        /** Nothing was heard, and no port was known to work. */
        UNHEARD(0);

        private final int farEnds;

        Evidence(int farEnds) {
            this.farEnds = farEnds;
        }
    }

    public Found {
        farEnds = List.copyOf(farEnds);
        if (farEnds.size() != evidence.farEnds) {
            throw new IllegalArgumentException(evidence + " names " + evidence.farEnds + " far ends, not " + farEnds);
        }
    }

    /** A fibre that leads there. */
    public static Found heard(FarEnd farEnd, OptionalDouble powerDbm, Instant at) {
        return new Found(Evidence.HEARD, List.of(farEnd), powerDbm, at);
    }

    /** A fibre in use that leads there. */
    public static Found inUse(FarEnd farEnd, OptionalDouble powerDbm, Instant at) {
        return new Found(Evidence.IN_USE, List.of(farEnd), powerDbm, at);
    }

    /** A fibre at which nothing is heard. */
    public static Found silent(Evidence evidence, OptionalDouble powerDbm, Instant at) {
        return new Found(evidence, List.of(), powerDbm, at);
    }

    /** Whether it is known where the fibre leads. */
    public boolean leads() {
        return evidence.farEnds == 1;
    }
}
