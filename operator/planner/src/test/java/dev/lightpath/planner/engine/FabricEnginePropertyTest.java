package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.Seeds;
import dev.lightpath.planner.engine.allocation.DerivedPlacement;
import dev.lightpath.planner.engine.allocation.RingPositions;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.light.Stage;
import dev.lightpath.planner.ring.BundleState;
import dev.lightpath.planner.ring.BundleStates;
import dev.lightpath.planner.ring.RingChecker;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingGroup;
import dev.lightpath.planner.ring.RingShape;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Reconfiguration;
import dev.lightpath.planner.world.SliceId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Jobs come and go, nodes fail and heal, in random order: after each event the light is what the records say, and
 * sound.
 */
class FabricEnginePropertyTest {
    private static final int WORLDS = Seeds.of(60);
    private static final int EVENTS = 40;

    @Test
    void lightIsSoundAfterEveryEvent() {
        for (long seed = 1; seed <= WORLDS; seed++) {
            Random random = new Random(seed);
            ToyRing ring = randomRing(random);
            for (int event = 0; event < EVENTS; event++) {
                happen(ring, random, event);
                Deliberation deliberation = ring.settle();
                check(ring, deliberation, "seed " + seed + ", event " + event);
            }
        }
    }

    /** Things happen while records are being written. {@link ToyRing} tells where two records name one node. */
    @Test
    void lightIsSoundWhereRecordsBeginBesideOthers() {
        int beside = 0;
        for (long seed = 1; seed <= WORLDS; seed++) {
            Random random = new Random(seed);
            ToyRing ring = randomRing(random);
            ring.oneByOne = true;
            // several nodes fail before a pass
            ring.policy = Policies.massFailure(ring.policy, 100);
            for (int event = 0; event < EVENTS; event++) {
                happen(ring, random, event);
                for (int pass = random.nextInt(4); pass > 0; pass--) {
                    boolean writes = ring.writes();
                    Decision decision = ring.step().decision();
                    beside += writes && decision instanceof Decision.Adopt ? 1 : 0;
                }
                if (event % 4 == 3) {
                    // what fell silent while its light was made is half lit
                    ring.silent.clear();
                    ring.notReady.clear();
                    check(ring, ring.settle(), "seed " + seed + ", event " + event);
                }
            }
        }
        assertThat(beside).isPositive();
    }

    @Test
    void sameWorldGivesTheSameDeliberation() {
        for (long seed = 1; seed <= WORLDS; seed++) {
            Random random = new Random(seed);
            ToyRing ring = randomRing(random);
            for (int event = 0; event < 10; event++) {
                happen(ring, random, event);
                Deliberation first = FabricEngine.deliberate(ring.world());
                Deliberation second = FabricEngine.deliberate(ring.world());
                assertThat(second.decision()).as("seed %d", seed).isEqualTo(first.decision());
                assertThat(second.slices()).as("seed %d", seed).isEqualTo(first.slices());
                ring.settle();
            }
        }
    }

    /** Whatever is remembered of records changes nothing but the time that a pass takes. */
    @Test
    void whoRemembersDecidesLikeOneWhoDoesNot() {
        int untouched = 0;
        for (long seed = 1; seed <= WORLDS; seed++) {
            Random random = new Random(seed);
            ToyRing ring = randomRing(random);
            for (int event = 0; event < EVENTS; event++) {
                happen(ring, random, event);
                Decision decision;
                do {
                    SortedMap<SliceId, DerivedPlacement> before = ring.derived();
                    Deliberation fresh = FabricEngine.deliberate(ring.forgetful());
                    Deliberation known = ring.step();
                    untouched += sameSittings(before, ring.derived(), "seed " + seed + ", event " + event);
                    decision = known.decision();
                    assertThat(known)
                            .as("seed %d, event %d", seed, event)
                            .returns(fresh.decision(), Deliberation::decision)
                            .returns(fresh.slices(), Deliberation::slices)
                            .returns(fresh.fabrics(), Deliberation::fabrics)
                            .returns(fresh.remaining(), Deliberation::remaining)
                            .returns(derived(fresh), FabricEnginePropertyTest::derived)
                            .returns(positions(fresh), FabricEnginePropertyTest::positions);
                } while (!(decision instanceof Decision.Rest));
            }
        }
        assertThat(untouched).as("what was not worked out again").isPositive();
    }

    private static SortedMap<SliceId, DerivedPlacement> derived(Deliberation deliberation) {
        return ToyRing.derived(deliberation.remembered().get("ring-a"));
    }

    /** By position, who sits there and what is told of it. */
    private static List<Optional<RingPositions.NodeAt>> positions(Deliberation deliberation) {
        RingPositions positions =
                deliberation.remembered().get("ring-a").get(RingPositions.SLOT).orElseThrow();
        return IntStream.range(0, positions.size())
                .mapToObj(position -> Optional.ofNullable(positions.at(position)))
                .toList();
    }

    /** What follows from a record that stays is not worked out again; how much that is. */
    private static int sameSittings(
            SortedMap<SliceId, DerivedPlacement> before, SortedMap<SliceId, DerivedPlacement> after, String where) {
        int same = 0;
        for (SliceId id : after.keySet()) {
            DerivedPlacement was = before.get(id);
            DerivedPlacement is = after.get(id);
            if (was != null && was.record() == is.record() && was.demand().equals(is.demand())) {
                assertThat(is).as("%s: %s", where, id).isSameAs(was);
                same++;
            }
        }
        return same;
    }

    @Test
    void changesNothingOnceItRests() {
        for (long seed = 1; seed <= WORLDS; seed++) {
            Random random = new Random(seed);
            ToyRing ring = randomRing(random);
            for (int event = 0; event < EVENTS; event++) {
                happen(ring, random, event);
                ring.settle();
                ring.decisions.clear();
                ring.step();
                ring.pass(Duration.ofMillis(10));
                ring.step();
                assertThat(ring.decisions)
                        .as("seed %d, event %d", seed, event)
                        .allMatch(Decision.Rest.class::isInstance);
            }
        }
    }

    @Test
    void neverRecordsASeatTwice() {
        for (long seed = 1; seed <= WORLDS; seed++) {
            Random random = new Random(seed);
            ToyRing ring = randomRing(random);
            for (int event = 0; event < EVENTS; event++) {
                happen(ring, random, event);
                for (int steps = 0; steps < 100; steps++) {
                    Decision decision = ring.step().decision();
                    List<Integer> seats = new ArrayList<>();
                    ring.ledger
                            .values()
                            .forEach(entry -> entry.allocation()
                                    .ifPresent(it -> it.groups().stream()
                                            .flatMap(group -> group.members().stream())
                                            .map(Allocation.Member::position)
                                            .distinct()
                                            .forEach(seats::add)));
                    assertThat(seats).as("seed %d, event %d", seed, event).doesNotHaveDuplicates();
                    if (decision instanceof Decision.Rest) {
                        break;
                    }
                }
            }
        }
    }

    @Test
    void neverWritesADeviceBeforeItsRecord() {
        for (long seed = 1; seed <= WORLDS; seed++) {
            Random random = new Random(seed);
            ToyRing ring = randomRing(random);
            for (int event = 0; event < 20; event++) {
                happen(ring, random, event);
                for (int steps = 0; steps < 100; steps++) {
                    TreeSet<String> known = recordedNodes(ring);
                    if (!(ring.step().decision() instanceof Decision.Apply apply)) {
                        if (ring.decisions.getLast() instanceof Decision.Rest) {
                            break;
                        }
                        continue;
                    }
                    if (apply.stage().cause() == Stage.Cause.PLACE
                            || apply.stage().cause() == Stage.Cause.REPAIR
                            || apply.stage().cause() == Stage.Cause.COMPACT) {
                        apply.stage()
                                .devices()
                                .forEach(device -> assertThat(known).contains(device.device()));
                    }
                }
            }
        }
    }

    private static TreeSet<String> recordedNodes(ToyRing ring) {
        TreeSet<String> nodes = new TreeSet<>();
        ring.ledger.values().forEach(entry -> entry.allocation().ifPresent(it -> nodes.addAll(it.nodes())));
        return nodes;
    }

    static ToyRing randomRing(Random random) {
        int reach = 2 + random.nextInt(3);
        int positions = 4 * reach + random.nextInt(40);
        RingShape shape = random.nextBoolean() ? RingShape.RING : RingShape.LINE;
        if (random.nextInt(3) > 0) {
            return new ToyRing(RingFabric.of(shape, positions, reach, 4));
        }
        int tors = positions / 4 * 2;
        return new ToyRing(new RingFabric(shape, 2 * tors, reach, 4, 2, random.nextBoolean() ? tors : 2 * tors));
    }

    private static void happen(ToyRing ring, Random random, int event) {
        ring.pass(Duration.ofSeconds(1 + random.nextInt(60)));
        String node = "n" + random.nextInt(ring.ring.positions());
        switch (random.nextInt(8)) {
            case 0, 1, 2 -> {
                ring.priority = random.nextInt(3);
                ring.reconfiguration = Reconfiguration.values()[random.nextInt(3)];
                int[] tensors = {1, 2, 4, 8, 12, 16};
                ring.wish("job" + event, 1 + random.nextInt(3), tensors[random.nextInt(tensors.length)]);
            }
            case 3 -> ring.notReady.add(node);
            case 4 -> {
                ring.notReady.remove(node);
                if (!ring.notReady.isEmpty()) {
                    ring.notReady.remove(ring.notReady.first());
                }
            }
            case 5 -> {
                if (!ring.slices.isEmpty()) {
                    List<SliceId> ids = new ArrayList<>(ring.slices.keySet());
                    ring.unwish(ids.get(random.nextInt(ids.size())));
                }
            }
            case 6 -> {
                if (!ring.silent.remove(node)) {
                    ring.silent.add(node);
                    ring.settle();
                    ring.pass(Duration.ofSeconds(1));
                }
            }
            default -> ring.cordoned.add(node);
        }
    }

    static void check(ToyRing ring, Deliberation deliberation, String where) {
        List<RingGroup> groups = new ArrayList<>();
        TreeSet<Integer> pending = new TreeSet<>();
        deliberation.slices().forEach((id, verdict) -> {
            Allocation allocation = ring.ledger.get(id).allocation().orElse(null);
            if (allocation == null) {
                return;
            }
            assertThat(allocation.releasing().stream().filter(node -> !ring.silent.contains(node)))
                    .as("%s: let go of by %s and still on its record", where, id)
                    .isEmpty();
            SortedMap<Integer, Integer> shares = new TreeMap<>();
            int perNode = switch (ring.slices.get(id).demand()) {
                case dev.lightpath.planner.world.Demand.ScaleUp demand -> Math.max(1, 4 / demand.gpusPerGroup());
                case dev.lightpath.planner.world.Demand.Topology topology -> 1;
                case dev.lightpath.planner.world.Demand.TorusShape torus -> 1;
                case dev.lightpath.planner.world.Demand.Traffic traffic -> 1;
            };
            for (Allocation.Group group : allocation.groups()) {
                List<Integer> members = group.members().stream()
                        .map(Allocation.Member::position)
                        .toList();
                groups.add(
                        perNode == 1
                                ? RingGroup.of(members)
                                : new RingGroup(
                                        members, shares.merge(members.getFirst(), 1, Integer::sum) - 1, perNode));
                if (verdict.placement() instanceof Placement.Faulted
                        || verdict.placement() instanceof Placement.Releasing) {
                    pending.addAll(members);
                }
            }
        });
        SortedMap<Integer, List<BundleState>> states = new TreeMap<>();
        TreeSet<Integer> faulty = new TreeSet<>();
        ring.names.forEach((position, name) -> {
            boolean silent = ring.silent.contains(name);
            // a silent device keeps its light where nobody can reach it; its neighbours have moved away
            states.put(
                    position,
                    silent && !pending.contains(position)
                            ? java.util.Collections.nCopies(ring.ring.reach(), BundleState.LOOPBACK)
                            : List.of(ring.bundles.get(name)));
            if ((silent || ring.notReady.contains(name)) && !pending.contains(position)) {
                faulty.add(position);
            }
        });
        Set<Integer> unwell = faulty;
        assertThat(RingChecker.check(
                        ring.ring, groups, new BundleStates(ring.ring.reach(), states), new TreeSet<>(unwell)))
                .as(where)
                .isEmpty();
    }
}
