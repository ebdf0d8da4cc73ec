package dev.lightpath.planner.engine.traffic;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A pod of its own for each seat: the first that fits, and where none of those is free, seats that were given before
 * take another one (augmenting paths). So all seats are given if they can be.
 */
final class FabricPodMatching {
    /** Whether a pod has what a seat takes; asked at most once for each kind of seat. */
    interface Fit {
        boolean fits(int kind, int pod);
    }

    private final int kinds;
    private final int pods;
    private final Fit fit;
    private final BitSet asked;
    private final BitSet fitting;
    private final int[] holders;

    private FabricPodMatching(int kinds, int pods, Fit fit) {
        this.kinds = kinds;
        this.pods = pods;
        this.fit = fit;
        this.asked = new BitSet(kinds * pods);
        this.fitting = new BitSet(kinds * pods);
        this.holders = new int[pods];
        Arrays.fill(holders, -1);
    }

    /**
     * The pod of each seat; seat s is of kind {@code s % kinds}. O(seats * seats * pods) at worst, O(seats * pods)
     * where nobody steps aside.
     *
     * @param pods how many there are, those to be taken first before the others
     * @return empty when not all seats can be given
     */
    static List<Integer> of(int seats, int kinds, int pods, Fit fit) {
        FabricPodMatching matching = new FabricPodMatching(kinds, pods, fit);
        for (int seat = 0; seat < seats; seat++) {
            if (!matching.seat(seat, new BitSet(pods))) {
                return List.of();
            }
        }
        Integer[] found = new Integer[seats];
        IntStream.range(0, pods)
                .filter(pod -> matching.holders[pod] >= 0)
                .forEach(pod -> found[matching.holders[pod]] = pod);
        return List.of(found);
    }

    /** The same as often as one likes, asked at most once for each kind and pod. */
    static Fit once(int kinds, int pods, Fit fit) {
        return new FabricPodMatching(kinds, pods, fit)::fits;
    }

    private boolean seat(int seat, BitSet tried) {
        for (int pod = 0; pod < pods; pod++) {
            if (holders[pod] < 0 && fits(seat % kinds, pod)) {
                holders[pod] = seat;
                return true;
            }
        }
        for (int pod = 0; pod < pods; pod++) {
            if (!tried.get(pod) && fits(seat % kinds, pod)) {
                tried.set(pod);
                if (seat(holders[pod], tried)) {
                    holders[pod] = seat;
                    return true;
                }
            }
        }
        return false;
    }

    private boolean fits(int kind, int pod) {
        int at = kind * pods + pod;
        if (!asked.get(at)) {
            asked.set(at);
            fitting.set(at, fit.fits(kind, pod));
        }
        return fitting.get(at);
    }
}
