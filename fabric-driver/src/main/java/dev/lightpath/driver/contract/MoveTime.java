package dev.lightpath.driver.contract;

import dev.lightpath.driver.contract.view.Times;
import dev.lightpath.proto.driver.v1alpha1.Capabilities;
import dev.lightpath.proto.driver.v1alpha1.MoveConcurrency;
import java.time.Duration;

/** How long a device may take for its moves, by its own figures. */
final class MoveTime {
    private static final Duration LEAST_SETTLING = Duration.ofSeconds(2);
    private static final Duration USUAL_SETTLING = Duration.ofSeconds(5);

    /** A device that takes ten times as long as its moves may take to settle is slow, not silent. */
    private static final int SLOWNESS = 10;

    /** A line may be slow as well, and a move that comes late must not be taken for one that was never made. */
    private static final Duration LEAST_ANSWERING = Duration.ofSeconds(40);

    /** Unless the moves may take longer than this to settle, as those of a robot. */
    private static final Duration MOST_ANSWERING = Duration.ofMinutes(5);

    private MoveTime() {}

    /** From when moves were taken to when they count as failed. */
    static Duration settling(Capabilities capabilities, int moves) {
        if (!capabilities.hasMaxSwitchTime()) {
            return USUAL_SETTLING;
        }
        Duration each = Times.duration(capabilities.getMaxSwitchTime()).multipliedBy(2);
        Duration all = capabilities.getMoveConcurrency() == MoveConcurrency.MOVE_CONCURRENCY_SERIAL
                ? each.multipliedBy(Math.max(1, moves))
                : each;
        return all.compareTo(LEAST_SETTLING) < 0 ? LEAST_SETTLING : all;
    }

    /** Time without an answer to moves after which a device counts as silent. */
    static Duration answering(Capabilities capabilities, int moves) {
        if (!capabilities.hasMaxSwitchTime()) {
            return MOST_ANSWERING;
        }
        Duration settling = settling(capabilities, moves);
        Duration slow = settling.multipliedBy(SLOWNESS);
        Duration most = settling.compareTo(MOST_ANSWERING) > 0 ? settling : MOST_ANSWERING;
        return slow.compareTo(LEAST_ANSWERING) < 0 ? LEAST_ANSWERING : slow.compareTo(most) > 0 ? most : slow;
    }
}
