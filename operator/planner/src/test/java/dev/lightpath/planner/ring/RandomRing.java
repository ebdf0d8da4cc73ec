package dev.lightpath.planner.ring;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** Small random worlds for property tests. */
public record RandomRing(RingFabric fabric, RingHealth health, int size) {

    public static RandomRing of(Random random, int mostPositions, boolean partialFaults) {
        int reach = 2 + random.nextInt(3);
        int gpus = random.nextBoolean() ? 4 : 8;
        int positions = 2 * reach + random.nextInt(mostPositions - 2 * reach + 1);
        RingShape shape = random.nextBoolean() ? RingShape.LINE : RingShape.RING;
        RingFabric fabric = RingFabric.of(shape, positions, reach, gpus);
        double ratio = random.nextDouble() * 0.5;
        SortedSet<Integer> faulty = new TreeSet<>();
        Map<Integer, Set<BundlePath>> lost = new HashMap<>();
        for (int position = 0; position < positions; position++) {
            if (random.nextDouble() < ratio) {
                faulty.add(position);
            } else if (partialFaults && random.nextInt(4) == 0) {
                BundleState state = BundleState.values()[random.nextInt(3)];
                lost.put(position, Set.of(new BundlePath(random.nextInt(reach), state)));
            }
        }
        return new RandomRing(fabric, RingHealth.of(faulty, lost), 1 + random.nextInt(4));
    }
}
