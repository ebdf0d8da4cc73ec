package dev.lightpath.driver.mutant;

import java.util.Set;

/**
 * A driver that keeps the contract in another way than the bundled one.
 *
 * @param driver what is different about it
 * @param device of the emulated plant that it drives
 * @param usualMoveMillis what one move of it takes
 * @param judged requirements it meets
 * @param notJudged requirements that say they cannot be judged
 */
record OtherDriver(Mutant driver, String device, double usualMoveMillis, Set<String> judged, Set<String> notJudged) {
    private static final String SWITCH = "ocs-1";
    private static final double SWITCH_MILLIS = 15;

    /** One of a switch that is judged by all of these. */
    static OtherDriver of(Mutant driver, String... judged) {
        return new OtherDriver(driver, SWITCH, SWITCH_MILLIS, Set.of(judged), Set.of());
    }

    OtherDriver of(String another, double millis) {
        return new OtherDriver(driver, another, millis, judged, notJudged);
    }

    OtherDriver without(String... skipped) {
        return new OtherDriver(driver, device, usualMoveMillis, judged, Set.of(skipped));
    }
}
