package dev.lightpath.app.whole;

import java.util.regex.Pattern;
import org.awaitility.core.ThrowingRunnable;

/**
 * A part of a story that ends in one state, however it is come to.
 *
 * @param happens what somebody wishes or what breaks; never by way of a tap
 * @param over whether what was wished is so
 * @param lasting lines of the end that tell of something under way which only a later act ends
 * @param still whether no light at all may move in it
 */
record Act(String name, Runnable happens, ThrowingRunnable over, Pattern lasting, boolean still) {
    private static final Pattern NOTHING = Pattern.compile("(?!)");

    Act(String name, Runnable happens, ThrowingRunnable over) {
        this(name, happens, over, NOTHING);
    }

    Act(String name, Runnable happens, ThrowingRunnable over, Pattern lasting) {
        this(name, happens, over, lasting, false);
    }

    static Act still(String name, Runnable happens, ThrowingRunnable over) {
        return new Act(name, happens, over, NOTHING, true);
    }

    boolean isUnderWay(String line) {
        return EndState.isUnderWay(line) && !lasting.matcher(line).find();
    }
}
