package dev.lightpath.planner.world;

/**
 * How a revision of an allocation came about: kept with it, so that one can tell what moved last, and why.
 *
 * @param planner which of the planners decided it
 * @param bundles how many bundles of the whole fabric have another state than before; of optical switches how many circuits are new
 * @param why for people, one line
 */
public record Origin(Planner planner, int bundles, String why) {
    /** Longest {@code why} that is kept. */
    public static final int LONGEST_WHY = 512;

    public Origin {
        if (why.length() > LONGEST_WHY) {
            why = why.substring(0, LONGEST_WHY - 3) + "...";
        }
    }

    /** Which planner decided, the more laborious later. */
    public enum Planner {
        /** The record of a slice that somebody deleted, written again. */
        INHERITANCE("inheritance"),
        /** Along the fibre, without regard to racks. */
        LINE("line"),
        /** By racks. */
        RACK("rack"),
        /** One group, or a short row of neighbours. */
        LOCAL_REPAIR("local-repair"),
        /** The fewest groups that have to change, wherever they are. */
        MINIMAL_REPAIR("minimal-repair"),
        /** Room for what is wanted, by moving the fewest groups. */
        COMPACTION("compaction"),
        /** Circuits as a job's traffic wants them. */
        DELTA("delta");

        private final String word;

        Planner(String word) {
            this.word = word;
        }

        /** As records and metrics name it. */
        public String word() {
            return word;
        }
    }
}
