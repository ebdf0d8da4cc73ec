package dev.lightpath.app.driver.state;

import dev.lightpath.planner.light.CrossConnects;
import java.util.HashMap;
import java.util.Map;

/**
 * One object for equal circuits of small devices: thousands of transceivers are in a few dozen states, and a planning
 * pass compares them all. Not thread-safe.
 */
final class SharedCircuits {
    /** Of devices with more hardly two are alike. */
    private static final int LARGEST = 16;

    private static final int MOST = 4096;

    private final Map<CrossConnects, CrossConnects> known = new HashMap<>();

    CrossConnects of(CrossConnects circuits) {
        if (circuits.circuits().size() > LARGEST) {
            return circuits;
        }
        if (known.size() > MOST) {
            known.clear();
        }
        return known.computeIfAbsent(circuits, same -> same);
    }
}
