package dev.lightpath.conformance.requirement;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Inapplicable;
import java.time.Duration;

/**
 * A time for a confirmation that is over soon, but not before the driver has answered: how long its moves take, and the
 * kit's calls, is known to nobody in advance.
 */
public final class TimeToConfirm {
    private static final int ATTEMPTS = 3;
    private static final int LONGER = 4;

    private TimeToConfirm() {}

    /** One try with so much time; false when it was over too soon to tell, and all is as it was before. */
    public interface Try {
        boolean tells(Duration time) throws Exception;
    }

    /** Tries with more and more time while that was over too soon. */
    public static void growing(Bench bench, Duration least, Try once) throws Exception {
        Confirmation.requireConfirmation(bench);
        Duration time = bench.atLeast(least, Confirmation.MOVES);
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            if (once.tells(time)) {
                return;
            }
            time = time.multipliedBy(LONGER);
        }
        throw new Inapplicable("the time for a confirmation was over too soon, however long it was");
    }
}
