package dev.lightpath.planner.ring;

import java.util.Collections;
import java.util.Comparator;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Independent node faults from a seed: node v is faulty iff {@code (mix(seed * 1000003 + v) >> 11) * 2^-53 < ratio},
 * with the splitmix64 finaliser as {@code mix}. Other implementations of this rule get the same faults.
 */
public final class FaultDraw {

    private static final long SEED_STRIDE = 1_000_003L;

    private FaultDraw() {}

    /** Faulty <em>network numbers</em> among {@code 0..nodes-1}. */
    public static SortedSet<Integer> networkNumbers(int nodes, double ratio, long seed) {
        SortedSet<Integer> faulty = new TreeSet<>();
        for (int v = 0; v < nodes; v++) {
            if (isFaulty(v, ratio, seed)) {
                faulty.add(v);
            }
        }
        return Collections.unmodifiableSortedSet(faulty);
    }

    /** The same faults as ring positions of a fabric. */
    public static SortedSet<Integer> positions(RingFabric fabric, double ratio, long seed) {
        SortedSet<Integer> faulty = new TreeSet<>();
        for (int v = 0; v < fabric.positions(); v++) {
            if (isFaulty(v, ratio, seed)) {
                faulty.add(fabric.positionOf(v));
            }
        }
        return Collections.unmodifiableSortedSet(faulty);
    }

    /** Exactly {@code faults} network numbers: those with the smallest draws. */
    public static SortedSet<Integer> exactly(int nodes, int faults, long seed) {
        SortedSet<Integer> faulty = new TreeSet<>();
        IntStream.range(0, nodes)
                .boxed()
                .sorted(Comparator.comparingLong(v -> mix(seed * SEED_STRIDE + v) >>> 11))
                .limit(faults)
                .forEach(faulty::add);
        return Collections.unmodifiableSortedSet(faulty);
    }

    private static boolean isFaulty(int v, double ratio, long seed) {
        return (mix(seed * SEED_STRIDE + v) >>> 11) * 0x1p-53 < ratio;
    }

    private static long mix(long seed) {
        long z = seed + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
