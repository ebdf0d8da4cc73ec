package dev.lightpath.planner.engine;

import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.light.DriverState.Contact;
import dev.lightpath.planner.world.FabricPolicy;
import dev.lightpath.planner.world.Reconfiguration;
import dev.lightpath.planner.world.Replacement;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.Workload;
import dev.lightpath.planner.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/**
 * Fabrics on which things happen in random order: jobs come and go, nodes, ports and switches fail and heal, changes take time, fail or
 * lose their outcome, the operator restarts. The same seed plays the same world.
 */
final class RandomWorlds {
    private static final int PASSES = 40;

    private RandomWorlds() {}

    /** @param heard of every pass */
    static void play(long seed, BiConsumer<World, Deliberation> heard) {
        Random chance = new Random(seed);
        switch ((int) (seed % 10)) {
            case 0, 1, 2, 3, 4 -> ring(chance, heard);
            case 5, 6 -> racksAndTori(chance, heard);
            case 7 -> drained(chance, heard);
            case 8 -> traffic(chance, heard);
            default -> {
                if (chance.nextInt(4) > 0) {
                    twoFabrics(chance, heard);
                } else {
                    largeTraffic(chance, heard);
                }
            }
        }
    }

    private static void ring(Random chance, BiConsumer<World, Deliberation> heard) {
        ToyRing ring = FabricEnginePropertyTest.randomRing(chance);
        ring.heard = heard;
        ring.slow = chance.nextInt(3) == 0;
        ring.policy = Policies.budget(FabricPolicy.standard(), 1 + chance.nextInt(60));
        if (chance.nextInt(4) > 0) {
            ring.policy = Policies.massFailure(ring.policy, 100);
        }
        for (int event = 0; event < 12; event++) {
            happen(ring, chance, event);
            steps(ring, chance.nextInt(3) == 0 ? 1 + chance.nextInt(3) : PASSES);
        }
    }

    /**
     * A long life of one ring: events one after another, and wake-ups without news between them.
     *
     * @param heard of every pass
     */
    static void history(long seed, int events, BiConsumer<World, Deliberation> heard) {
        Random chance = new Random(seed);
        ToyRing ring = FabricEnginePropertyTest.randomRing(chance);
        ring.heard = heard;
        ring.slow = chance.nextInt(3) == 0;
        ring.policy = Policies.budget(FabricPolicy.standard(), 1 + chance.nextInt(60));
        if (chance.nextInt(4) > 0) {
            ring.policy = Policies.massFailure(ring.policy, 100);
        }
        for (int event = 0; event < events; event++) {
            happen(ring, chance, event);
            steps(ring, chance.nextInt(3) == 0 ? 1 + chance.nextInt(3) : PASSES);
            for (int wakeUp = chance.nextInt(4); wakeUp > 0; wakeUp--) {
                ring.pass(Duration.ofMillis(1L << chance.nextInt(20)));
                ring.step();
            }
        }
    }

    private static void steps(ToyRing ring, int most) {
        for (int pass = 0; pass < most; pass++) {
            if (ring.step().decision() instanceof Decision.Rest) {
                return;
            }
        }
    }

    private static void happen(ToyRing ring, Random chance, int event) {
        ring.pass(Duration.ofMillis(100L << chance.nextInt(10)));
        String node = "n" + chance.nextInt(ring.ring.positions());
        switch (chance.nextInt(16)) {
            case 0, 1, 2 -> wish(ring, chance, event);
            case 3, 4 -> ring.notReady.add(node);
            case 5 -> ring.notReady.clear();
            case 6 -> some(ring.slices.keySet(), chance).ifPresent(ring::unwish);
            case 7 -> {
                if (!ring.silent.remove(node)) {
                    ring.silent.add(node);
                }
            }
            case 8 -> {
                if (!ring.cordoned.remove(node)) {
                    ring.cordoned.add(node);
                }
            }
            case 9, 10 ->
                some(ring.slices.keySet(), chance)
                        .ifPresent(slice -> ring.amend(
                                slice, ring.slices.get(slice).wanted(), pods(ring, slice), chance.nextBoolean()));
            case 11 -> {
                if (!ring.refusing.remove(node)) {
                    ring.refusing.add(node);
                }
            }
            case 12 -> {
                if (ring.failedPorts.remove(node) == null) {
                    int bundle = chance.nextInt(ring.ring.reach());
                    ring.failedPorts.put(node, new TreeMap<>(java.util.Map.of("b" + bundle + ".path1", "PortFailed")));
                }
            }
            case 13 -> ring.restart();
            case 14 -> ring.loseOutcomes();
            default -> {
                switch (chance.nextInt(7)) {
                    case 0 -> ring.paused = !ring.paused;
                    case 1 -> ring.contact = ring.contact == Contact.SYNCED ? Contact.UNREACHABLE : Contact.SYNCED;
                    case 2 ->
                        some(ring.slices.keySet(), chance)
                                .ifPresent(slice -> ring.slices.put(
                                        slice,
                                        Request.like(ring.slices.get(slice))
                                                .forced()
                                                .slice()));
                    case 3 -> ring.busy.add(node);
                    case 4, 5 -> {
                        if (!ring.away.remove(node)) {
                            ring.away.add(node);
                        }
                    }
                    default -> ring.names.values().remove(node);
                }
            }
        }
    }

    private static void wish(ToyRing ring, Random chance, int event) {
        ring.priority = chance.nextInt(3);
        ring.reconfiguration = Reconfiguration.values()[chance.nextInt(3)];
        int[] tensors = {1, 2, 4, 8, 12, 16};
        Replacement[] replacements = {
            new Replacement.Immediately(),
            new Replacement.WithWorkload(),
            new Replacement.Never(),
            new Replacement.After(Duration.ofSeconds(5))
        };
        ring.wish(
                "job" + event,
                1 + chance.nextInt(3),
                tensors[chance.nextInt(tensors.length)],
                new Workload.LightOnly(),
                replacements[chance.nextInt(replacements.length)],
                true);
    }

    /** Pods that use the light of a slice, or none any more. */
    private static Workload pods(ToyRing ring, SliceId slice) {
        boolean runs = ring.slices.get(slice).workload() instanceof Workload.Pods;
        return runs
                ? new Workload.LightOnly()
                : new Workload.Pods(
                        ring.ledger
                                .get(slice)
                                .allocation()
                                .map(recorded -> recorded.nodes())
                                .orElseGet(TreeSet::new),
                        false);
    }

    private static Optional<SliceId> some(java.util.Set<SliceId> slices, Random chance) {
        List<SliceId> all = new ArrayList<>(slices);
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(chance.nextInt(all.size())));
    }

    private static void racksAndTori(Random chance, BiConsumer<World, Deliberation> heard) {
        ToyOcs ocs = OcsPropertyTest.randomFabric(chance);
        begin(ocs, chance, heard);
        ocs.wishStatic(true);
        steps(ocs, PASSES);
        for (int event = 0; event < 4; event++) {
            OcsPropertyTest.happen(ocs, chance, event);
            goOn(ocs, chance);
        }
    }

    private static void drained(Random chance, BiConsumer<World, Deliberation> heard) {
        ToyOcs ocs = ToyOcs.polarFly(3, chance.nextInt(2)).wishStatic(true);
        begin(ocs, chance, heard);
        steps(ocs, PASSES);
        for (int event = 0; event < 4; event++) {
            OcsMemoryPropertyTest.befall(ocs, chance);
            goOn(ocs, chance);
        }
    }

    private static void traffic(Random chance, BiConsumer<World, Deliberation> heard) {
        ToyOcs ocs = OcsFairnessPropertyTest.world(chance);
        begin(ocs, chance, heard);
        for (int event = 0; event < 6; event++) {
            OcsFairnessPropertyTest.happen(ocs, chance, event);
            goOn(ocs, chance);
        }
    }

    private static void largeTraffic(Random chance, BiConsumer<World, Deliberation> heard) {
        ToyOcs ocs = ToyOcs.logical(
                4 + chance.nextInt(6),
                1 + chance.nextInt(3),
                6,
                dev.lightpath.planner.stripe.DeviceKind.values()[chance.nextInt(2)],
                1 + chance.nextInt(2));
        begin(ocs, chance, heard);
        for (int event = 0; event < 4; event++) {
            OcsTrafficPropertyTest.happen(ocs, chance, event);
            goOn(ocs, chance);
        }
    }

    private static void twoFabrics(Random chance, BiConsumer<World, Deliberation> heard) {
        RingInPods both = new RingInPods();
        begin(both.ocs, chance, heard);
        for (int event = 0; event < 5; event++) {
            if (chance.nextInt(3) == 0) {
                both.wish("both" + event, 1 + chance.nextInt(2));
            } else {
                happen(both.ring, chance, event);
            }
            both.ocs.now = both.ocs.now.plusSeconds(1 + chance.nextInt(40));
            both.ring.now = both.ocs.now;
            steps(both.ocs, PASSES);
        }
    }

    private static void begin(ToyOcs ocs, Random chance, BiConsumer<World, Deliberation> heard) {
        ocs.heard = heard;
        ocs.slow = chance.nextInt(3) == 0;
        ocs.oneByOne = chance.nextInt(4) == 0;
        ocs.policy = Policies.budget(FabricPolicy.standard(), 1 + chance.nextInt(40));
        if (chance.nextInt(4) > 0) {
            ocs.policy = Policies.massFailure(ocs.policy, 100);
        }
    }

    private static void goOn(ToyOcs ocs, Random chance) {
        steps(ocs, chance.nextInt(3) == 0 ? 1 + chance.nextInt(3) : PASSES);
        for (int wakeUp = 0; wakeUp < 3; wakeUp++) {
            ocs.now = ocs.now.plusMillis(1L << chance.nextInt(16));
            ocs.step();
        }
        if (chance.nextInt(5) == 0) {
            ocs.restart();
        }
        ocs.now = ocs.now.plusSeconds(chance.nextBoolean() ? 2 : 40);
        steps(ocs, PASSES);
    }

    private static void steps(ToyOcs ocs, int most) {
        for (int pass = 0; pass < most; pass++) {
            Deliberation deliberation = ocs.step();
            if (deliberation.decision() instanceof Decision.Rest
                    && !deliberation.agenda().goesOn(ocs.now)) {
                return;
            }
        }
    }
}
