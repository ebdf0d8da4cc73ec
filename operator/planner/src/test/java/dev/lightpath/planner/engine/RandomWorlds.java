package dev.lightpath.planner.engine;

import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.fault.Fault;
import dev.lightpath.planner.light.DriverState.Contact;
import dev.lightpath.planner.world.Agreement;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Announcement;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.FabricPolicy;
import dev.lightpath.planner.world.Quota;
import dev.lightpath.planner.world.Reconfiguration;
import dev.lightpath.planner.world.Replacement;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.Workload;
import dev.lightpath.planner.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/**
 * Fabrics on which things happen in random order: jobs come and go, nodes, ports and switches fail and heal, changes
 * take time, fail or lose their outcome, the operator restarts. The same seed plays the same world.
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
        ToyRing ring = ring(chance);
        ring.heard = heard;
        for (int event = 0; event < 12; event++) {
            befall(ring, chance, event);
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
        ToyRing ring = ring(chance);
        ring.heard = heard;
        for (int event = 0; event < events; event++) {
            befall(ring, chance, event);
            steps(ring, chance.nextInt(3) == 0 ? 1 + chance.nextInt(3) : PASSES);
            for (int wakeUp = chance.nextInt(4); wakeUp > 0; wakeUp--) {
                ring.pass(Duration.ofMillis(1L << chance.nextInt(20)));
                steps(ring, 1);
            }
        }
    }

    private static ToyRing ring(Random chance) {
        ToyRing ring = FabricEnginePropertyTest.randomRing(chance);
        ring.slow = chance.nextInt(3) == 0;
        ring.oneByOne = chance.nextInt(2) == 0;
        ring.policy = Policies.budget(FabricPolicy.standard(), 1 + chance.nextInt(60));
        if (chance.nextInt(4) > 0) {
            ring.policy = Policies.massFailure(ring.policy, 100);
        }
        if (chance.nextInt(3) == 0) {
            ring.policy = Policies.with(ring.policy, quota(chance));
        }
        return ring;
    }

    /** A quota so low that jobs wait for it. */
    private static Quota quota(Random chance) {
        return new Quota(
                new Quota.Share(
                        chance.nextBoolean() ? OptionalInt.of(8 << chance.nextInt(5)) : OptionalInt.empty(),
                        chance.nextBoolean() ? OptionalInt.of(chance.nextInt(5)) : OptionalInt.empty()),
                new TreeMap<>());
    }

    private static void steps(ToyRing ring, int most) {
        for (int pass = 0; pass < most; pass++) {
            boolean wrote = ring.writes();
            Deliberation deliberation = ring.step();
            told(ring, deliberation);
            if (deliberation.decision() instanceof Decision.Rest && !wrote) {
                return;
            }
        }
    }

    /** What the fabric's status says by now, and slices that a person released and that have nothing left. */
    private static void told(ToyRing ring, Deliberation deliberation) {
        ring.quarantinedPorts.clear();
        ring.quarantinedPorts.addAll(
                Objects.requireNonNull(deliberation.fabrics().get("ring-a")).quarantinedPorts());
        ring.slices
                .values()
                .removeIf(slice -> slice.forced()
                        && ring.ledger
                                .get(slice.id())
                                .allocation()
                                .filter(recorded -> !recorded.released())
                                .isEmpty());
        ring.ledger.keySet().retainAll(ring.slices.keySet());
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
                int bundle = chance.nextInt(ring.ring.reach());
                if (chance.nextBoolean()) {
                    if (!ring.unread.remove(node + "/" + bundle)) {
                        ring.unread.add(node + "/" + bundle);
                    }
                } else if (ring.failedPorts.remove(node) == null) {
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
                                        ring.slices
                                                .get(slice)
                                                .but()
                                                .wanted(false)
                                                .forced(true)
                                                .build()));
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

    /** What happens to a ring at all, or what people do to its jobs, its policy and its nodes. */
    private static void befall(ToyRing ring, Random chance, int event) {
        if (chance.nextInt(5) > 1) {
            happen(ring, chance, event);
            return;
        }
        ring.pass(Duration.ofMillis(100L << chance.nextInt(10)));
        Optional<SliceId> slice = some(ring.slices.keySet(), chance);
        int position = chance.nextInt(ring.ring.positions());
        String node = "n" + position;
        switch (chance.nextInt(10)) {
            case 0, 1 -> {
                int size = 1 + chance.nextInt(2);
                int replicas = 1 + chance.nextInt(4);
                ring.elastic(
                        "job" + event,
                        new Demand.ScaleUp(
                                replicas * size, 4 << chance.nextInt(3), (1 + chance.nextInt(replicas)) * size, size));
            }
            case 2, 3 ->
                some(asked(ring), chance)
                        .ifPresentOrElse(
                                id -> answer(ring, chance, id), () -> slice.ifPresent(id -> ask(ring, chance, id)));
            case 4 -> ring.policy = Policies.with(ring.policy, chance.nextBoolean() ? quota(chance) : Quota.none());
            case 5 -> ring.policy = another(ring.policy, chance);
            case 6 -> {
                String port = node + "/b" + chance.nextInt(ring.ring.reach()) + ".common";
                if (!ring.quarantinedPorts.remove(port)) {
                    ring.quarantinedPorts.add(port);
                }
            }
            case 7 -> {
                // more often within ten minutes than is tolerated: in quarantine until a person clears it
                for (int fault = 0; fault < 7; fault++) {
                    ring.silent.add(node);
                    steps(ring, 2);
                    ring.pass(Duration.ofMillis(300));
                    steps(ring, 2);
                    ring.silent.remove(node);
                    steps(ring, 2);
                    ring.pass(Duration.ofSeconds(31));
                    steps(ring, 2);
                }
            }
            case 8 -> ring.clearances.put(some(quarantined(ring), chance).orElse(node), ring.now);
            default -> move(ring, chance, position);
        }
    }

    /** A node gets the position of another one, which has none then or the one that came free. */
    private static void move(ToyRing ring, Random chance, int from) {
        String mover = ring.names.remove(from);
        if (mover == null) {
            return;
        }
        String there = ring.names.put(chance.nextInt(ring.ring.positions()), mover);
        if (there != null && chance.nextInt(3) > 0) {
            ring.names.put(from, there);
        }
    }

    /** Nodes that are in quarantine until a person clears them. */
    private static SortedSet<String> quarantined(ToyRing ring) {
        SortedSet<String> nodes = new TreeSet<>();
        ring.trackers
                .values()
                .forEach(tracker -> tracker.faults().stream()
                        .filter(Fault::quarantined)
                        .forEach(fault -> nodes.add(fault.subject().holder())));
        return nodes;
    }

    /** Slices whose light is to move, and that have not answered yet. */
    private static SortedSet<SliceId> asked(ToyRing ring) {
        SortedSet<SliceId> asked = new TreeSet<>(ring.slices.keySet());
        asked.removeIf(id -> ring.ledger
                .get(id)
                .allocation()
                .filter(Allocation::awaitsAnswer)
                .isEmpty());
        return asked;
    }

    /** A job agrees to what it is asked, or lets the time for it pass. */
    private static void answer(ToyRing ring, Random chance, SliceId id) {
        SliceIntent was = ring.slices.get(id);
        if (chance.nextInt(3) == 0 || was.agreement().isEmpty()) {
            ring.pass(Duration.ofSeconds(46));
            return;
        }
        Announcement open = ring.ledger
                .get(id)
                .allocation()
                .flatMap(Allocation::announcement)
                .orElseThrow();
        ring.slices.put(
                id,
                was.but()
                        .agreement(Optional.of(was.agreement().get().to(open.revision())))
                        .build());
    }

    /** A job with pods is asked before its light moves; now and then it answers. */
    private static void ask(ToyRing ring, Random chance, SliceId id) {
        SliceIntent was = ring.slices.get(id);
        Optional<Allocation> recorded = ring.ledger.get(id).allocation();
        Agreement agreement = Agreement.within(Duration.ofSeconds(45));
        ring.slices.put(
                id,
                was.but()
                        .workload(
                                chance.nextBoolean() && was.wanted()
                                        ? new Workload.Pods(
                                                recorded.map(Allocation::nodes).orElseGet(TreeSet::new), false)
                                        : was.workload())
                        .reconfiguration(Reconfiguration.LIVE)
                        .agreement(Optional.of(
                                chance.nextBoolean()
                                        ? agreement
                                        : agreement.to(recorded.flatMap(Allocation::announcement)
                                                .map(Announcement::revision)
                                                .orElse(1L))))
                        .build());
    }

    private static FabricPolicy another(FabricPolicy was, Random chance) {
        return switch (chance.nextInt(6)) {
            case 0 -> Policies.budget(was, 1 + chance.nextInt(60));
            case 1 -> Policies.massFailure(was, 10 + chance.nextInt(91));
            case 2 ->
                Policies.foreign(
                        was,
                        FabricPolicy.ForeignCircuits.values()[chance.nextInt(2)],
                        chance.nextBoolean()
                                ? Optional.empty()
                                : Optional.of(FabricPolicy.Adoption.values()[chance.nextInt(2)]));
            case 3 -> Policies.preempting(was);
            case 4 -> Policies.awaitingRoutes(was);
            default -> Policies.passing(was, 50 + chance.nextInt(51));
        };
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

    private static <T> Optional<T> some(Set<T> of, Random chance) {
        List<T> all = new ArrayList<>(of);
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
