package dev.lightpath.planner.engine.pacing;

import dev.lightpath.planner.engine.pacing.Darkness.Cost;
import dev.lightpath.planner.light.DeviceChange;

/**
 * How many circuits in use may be dark at one instant on a fabric, and how many are: those of the pass so far included.
 * At least one always may. Serves one pass.
 */
public final class DisruptionBudget {
    private final int most;
    private final Darkness darkness;
    private final boolean held;
    private int dark;

    /**
     * @param circuits of the fabric
     * @param percent of them that may be dark
     * @param held whether links of the stages before are still to pass: no light in use is taken down until they do
     */
    public DisruptionBudget(long circuits, int percent, Darkness darkness, boolean held) {
        this.held = held;
        this.most = Math.max(1, (int) (circuits * percent / 100));
        this.darkness = darkness;
        this.dark = darkness.now();
    }

    /** How many circuits in use are dark, those of the pass so far included. */
    public int dark() {
        return dark;
    }

    /** How many may be. */
    public int most() {
        return most;
    }

    Cost cost(DeviceChange change) {
        return darkness.of(change);
    }

    /** Whether a change fits. The last of the budget is for changes that leave no more dark than was. */
    boolean allows(Cost cost) {
        int reserve = cost.after() > 0 && dark > 0 ? 1 : 0;
        return cost.during() <= 0 || !held && dark + cost.during() + reserve <= most;
    }

    void take(DeviceChange change, Cost cost) {
        darkness.take(change);
        dark += cost.during();
    }

    /** Whether nothing that is awaited makes room for what does not fit. */
    boolean isFinal() {
        return !held && !darkness.maySubside();
    }
}
