package dev.lightpath.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;

/**
 * Where sessions are cut: at bytes drawn by a printed seed. {@code -Dlightpath.cuts} is how many cuts are drawn, two a
 * round; {@code all} tries one after each byte, of either side.
 */
final class DrawnCuts {
    /** After so many bytes of the driver, or of the device. */
    record Cut(int after, boolean answers) {
        @Override
        public String toString() {
            return "cut after " + after + " bytes of " + (answers ? "the device" : "the driver");
        }
    }

    private final int longest;
    private final int longestAnswers;
    private final boolean all;
    private final int rounds;
    private final Random random;
    private long making;
    private long breaking;

    /** @param longest bytes of one change */
    DrawnCuts(int longest, int longestAnswers) {
        this.longest = longest;
        this.longestAnswers = longestAnswers;
        String cuts = System.getProperty("lightpath.cuts", "16");
        all = cuts.equals("all");
        rounds = all ? 2 * longest : Math.ceilDiv(Integer.parseInt(cuts), 2);
        long seed = Long.getLong("lightpath.seed", System.nanoTime());
        System.out.println("lightpath.seed=" + seed);
        random = new Random(seed);
    }

    int rounds() {
        return rounds;
    }

    /** The next one. Those of the first round are so early that they surely fall into the change. */
    Cut next(int round) {
        if (all) {
            return new Cut(round / 2, round % 2 == 0);
        }
        if (round == 0) {
            return new Cut(random.nextInt(longest / 20), false);
        }
        boolean answers = random.nextBoolean();
        return new Cut(random.nextInt(answers ? longestAnswers : longest), answers);
    }

    /** Counts those that came. */
    void came(boolean made, long cuts) {
        if (made) {
            making += cuts;
        } else {
            breaking += cuts;
        }
    }

    void requireSome() {
        assertThat(making).as("cuts while circuits were made").isPositive();
        assertThat(breaking).as("cuts while circuits were broken").isPositive();
    }
}
