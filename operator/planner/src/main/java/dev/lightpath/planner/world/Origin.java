package dev.lightpath.planner.world;

import java.time.Duration;
import java.util.Optional;

/**
 * How a revision of an allocation came about. It is recorded with it, so that a person can see what moved last, and
 * why.
 *
 * @param planner which of the planners decided it
 * @param bundles how many bundles of the whole fabric have another state than before; on optical switches how many
 *     circuits of the slice are new
 * @param why for people, one line
 * @param took how long the deciding pass took; empty until it is recorded, since the planner has no clock
 */
public record Origin(Planner planner, int bundles, String why, Optional<Duration> took) {
    /** Longest {@code why} that is kept. */
    public static final int LONGEST_WHY = 512;

    /** The origin as the planner decides it. */
    public Origin(Planner planner, int bundles, String why) {
        this(planner, bundles, why, Optional.empty());
    }

    public Origin {
        if (why.length() > LONGEST_WHY) {
            why = why.substring(0, LONGEST_WHY - 3) + "...";
        }
    }

    /** This origin, decided by a pass of this length. */
    public Origin tookIn(Duration pass) {
        return new Origin(planner, bundles, why, Optional.of(pass));
    }

    /** Whether it answers a fault. Moving a slice to make room for another is no repair. */
    public boolean repairs() {
        return switch (planner) {
            case LOCAL_REPAIR, MINIMAL_REPAIR, LINK_REPAIR -> true;
            case INHERITANCE, LINE, RACK, COMPACTION, DELTA -> false;
        };
    }

    /** Which planner decided; those that search more come later. */
    public enum Planner {
        /** A record that was lost, written again. */
        INHERITANCE("inheritance"),
        /** Along the fibre, without regard to racks. */
        LINE("line"),
        /** By racks. */
        RACK("rack"),
        /** One group, or a short row of neighbours. */
        LOCAL_REPAIR("local-repair"),
        /** The fewest groups that have to change, wherever they are. */
        MINIMAL_REPAIR("minimal-repair"),
        /** Room for a waiting slice, by moving the fewest groups. */
        COMPACTION("compaction"),
        /** Circuits on optical switches, around what failed, is drained or was lent. */
        LINK_REPAIR("link-repair"),
        /** Circuits that a job's traffic needs. */
        DELTA("delta");

        private final String word;

        Planner(String word) {
            this.word = word;
        }

        /** The name in records and metrics. */
        public String word() {
            return word;
        }
    }
}
