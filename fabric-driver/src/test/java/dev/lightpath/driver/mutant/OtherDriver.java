package dev.lightpath.driver.mutant;

import java.time.Duration;
import java.util.Set;

/**
 * A driver that keeps the contract in another way than the bundled one.
 *
 * @param driver what is different about it
 * @param device of the emulated plant that it drives
 * @param usualMoveMillis what one move of it takes
 * @param patience of the kit
 * @param judged requirements it meets
 * @param notJudged requirements that say they cannot be judged
 */
record OtherDriver(
        Mutant driver,
        String device,
        double usualMoveMillis,
        Duration patience,
        Set<String> judged,
        Set<String> notJudged) {
    private static final String SWITCH = "ocs-1";
    private static final double SWITCH_MILLIS = 15;

    /** Long, for a machine that does much else: a driver that conforms is not waited for so long. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** One of a switch that is judged by all of these. */
    static OtherDriver of(Mutant driver, String... judged) {
        return new OtherDriver(driver, SWITCH, SWITCH_MILLIS, PATIENCE, Set.of(judged), Set.of());
    }

    OtherDriver of(String another, double millis) {
        return new OtherDriver(driver, another, millis, patience, judged, notJudged);
    }

    /** Where the kit asks for as much as fits into its patience. */
    OtherDriver within(Duration shorter) {
        return new OtherDriver(driver, device, usualMoveMillis, shorter, judged, notJudged);
    }

    OtherDriver without(String... skipped) {
        return new OtherDriver(driver, device, usualMoveMillis, patience, judged, Set.of(skipped));
    }
}
