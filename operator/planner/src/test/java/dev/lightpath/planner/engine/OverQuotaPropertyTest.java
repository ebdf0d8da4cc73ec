package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.Seeds;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.FabricPolicy;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.Quota;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.World;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/**
 * Jobs of three namespaces come, go and come back on a ring, whatever their priority; two of the namespaces have a
 * quota.
 */
class OverQuotaPropertyTest {
    private static final int WORLDS = Seeds.of(60);
    private static final int EVENTS = 40;
    private static final String FREE = "free";
    private static final Quota QUOTA = new Quota(
            new Quota.Share(OptionalInt.of(32), OptionalInt.empty()),
            new TreeMap<>(Map.of(
                    "few",
                    new Quota.Share(OptionalInt.of(1000), OptionalInt.of(2)),
                    FREE,
                    new Quota.Share(OptionalInt.of(100_000), OptionalInt.empty()))));

    private int versions;
    private int waited;

    @Test
    void aNamespaceNeverHoldsMoreThanItsQuotaAndHindersNobodyByAskingForIt() {
        for (long seed = 1; seed <= WORLDS; seed++) {
            Random random = new Random(seed);
            ToyRing ring = ToyRing.of(24, 3);
            ring.policy = with(QUOTA);
            for (int event = 0; event < EVENTS; event++) {
                happen(ring, random, "job" + event);
                for (int steps = random.nextInt(5); steps > 0; steps--) {
                    step(ring, "seed " + seed + ", event " + event);
                }
            }
        }
        assertThat(waited).as("wishes that waited").isPositive();
    }

    @Test
    void whoHasAPlaceKeepsItWhenTheQuotaIsLowered() {
        ToyRing ring = ToyRing.of(24, 3);
        SliceId placed = wish(ring, "team", "placed", 2, 16, 0);
        ring.settle();
        List<List<Integer>> seats = ring.positions(placed);
        ring.policy = with(new Quota(new Quota.Share(OptionalInt.of(16), OptionalInt.of(0)), new TreeMap<>()));
        SliceId late = wish(ring, "team", "late", 1, 16, 9);
        ring.cordoned.add("n" + seats.getFirst().getFirst());
        Deliberation heard = ring.settle();
        assertThat(ring.positions(placed)).hasSize(2);
        assertThat(heard.slices().get(placed).placement()).isInstanceOf(SliceVerdict.Placement.Placed.class);
        assertThat(unplaced(heard, late)).contains("""
                namespace team may have 16 GPUs on fabric ring-a (policy.quota); 32 are held, or wanted by jobs before this one,\
                 and it wants 16""");
    }

    /** What is being given up is held until it is dark. */
    @Test
    void aJobThatGoesCountsUntilItsLightIsDark() {
        ToyRing ring = ToyRing.of(24, 3);
        ring.policy = with(new Quota(new Quota.Share(OptionalInt.empty(), OptionalInt.of(1)), new TreeMap<>()));
        SliceId first = wish(ring, "team", "first", 1, 16, 0);
        ring.settle();
        ring.contact = DriverState.Contact.UNREACHABLE;
        ring.unwish(first);
        SliceId second = wish(ring, "team", "second", 1, 16, 0);
        Deliberation heard = ring.settle();
        assertThat(unplaced(heard, second))
                .contains("namespace team may have 1 job on fabric ring-a (policy.quota); 1 are held, or wanted by jobs"
                        + " before this one, and this is one more");
        ring.contact = DriverState.Contact.SYNCED;
        ring.settle();
        assertThat(ring.positions(second)).hasSize(1);
    }

    @Test
    void aJobOnTwoFabricsWaitsAsAWhole() {
        RingInPods both = new RingInPods();
        both.ocs.policy = Policies.with(
                both.ocs.policy, new Quota(new Quota.Share(OptionalInt.empty(), OptionalInt.of(0)), new TreeMap<>()));
        both.wish("llm", 1);
        Deliberation heard = both.ocs.settle();
        assertThat(unplaced(heard, RingInPods.onSwitches("llm")))
                .get(InstanceOfAssertFactories.STRING)
                .contains("may have 0 jobs on fabric");
        assertThat(unplaced(heard, RingInPods.onRing("llm"))).isEqualTo(unplaced(heard, RingInPods.onSwitches("llm")));
    }

    private static Optional<String> unplaced(Deliberation heard, SliceId id) {
        return heard.slices().get(id).placement()
                                instanceof SliceVerdict.Placement.Unplaced(var reason, var why, var ports)
                        && reason == Reason.QUOTA_EXCEEDED
                ? Optional.of(why)
                : Optional.empty();
    }

    private void happen(ToyRing ring, Random random, String name) {
        List<SliceId> there = List.copyOf(ring.slices.keySet());
        SliceId any = there.isEmpty() ? null : there.get(random.nextInt(there.size()));
        int what = random.nextInt(6);
        if (any == null || what < 3) {
            String namespace = List.of("team", "few", FREE).get(random.nextInt(3));
            wish(ring, namespace, name, 1 + random.nextInt(2), 8 << random.nextInt(2), random.nextInt(3));
        } else if (what == 3) {
            ring.unwish(any);
        } else if (what == 4 && !ring.slices.get(any).wanted()) {
            ring.slices.put(any, ring.slices.get(any).but().wanted(true).build());
        } else if (ring.ledger.get(any).allocation().map(Allocation::released).orElse(true)
                && !ring.slices.get(any).wanted()) {
            ring.slices.remove(any);
            ring.ledger.remove(any);
        }
    }

    private void step(ToyRing ring, String where) {
        SortedMap<SliceId, SliceIntent> asked = new TreeMap<>(ring.slices);
        World before = ring.world();
        Deliberation heard = ring.step();
        Set<SliceId> over = new HashSet<>();
        heard.slices().keySet().stream()
                .filter(slice -> unplaced(heard, slice).isPresent())
                .forEach(over::add);
        waited += over.size();
        assertThat(over).as(where).noneMatch(slice -> slice.namespace().equals(FREE));
        assertThat(FabricEngine.deliberate(without(before, asked, over)).decision())
                .as("%s: what is decided when those that wait for quota had not asked", where)
                .isEqualTo(heard.decision());
        for (String namespace : List.of("team", "few")) {
            assertThat(gpus(ring, namespace))
                    .as("%s: GPUs of %s", where, namespace)
                    .isLessThanOrEqualTo(namespace.equals("team") ? 32 : 1000);
        }
        assertThat(jobs(ring, "few")).as("%s: jobs", where).isLessThanOrEqualTo(2);
    }

    private static World without(World world, SortedMap<SliceId, SliceIntent> asked, Set<SliceId> over) {
        SortedMap<SliceId, SliceIntent> slices = new TreeMap<>(asked);
        over.forEach(slices::remove);
        return Scene.like(world).slices(slices, world.ledger()).world();
    }

    private static boolean holds(ToyRing ring, SliceIntent slice) {
        return ring.ledger
                .get(slice.id())
                .allocation()
                .filter(recorded -> !recorded.released())
                .isPresent();
    }

    private static int gpus(ToyRing ring, String namespace) {
        return ring.slices.values().stream()
                .filter(slice -> slice.id().namespace().equals(namespace) && holds(ring, slice))
                .mapToInt(slice -> slice.demand().gpus())
                .sum();
    }

    private static long jobs(ToyRing ring, String namespace) {
        return ring.slices.values().stream()
                .filter(slice -> slice.id().namespace().equals(namespace) && holds(ring, slice))
                .count();
    }

    private SliceId wish(ToyRing ring, String namespace, String name, int groups, int gpus, int priority) {
        SliceId id = new SliceId(namespace, name);
        ring.slices.put(
                id,
                Request.of(id, "ring-a", new Demand.ScaleUp(groups, gpus), ring.now)
                        .priority(priority)
                        .build());
        ring.ledger.put(id, new LedgerEntry(Optional.empty(), "q" + versions++));
        return id;
    }

    private static FabricPolicy with(Quota quota) {
        return Policies.with(FabricPolicy.standard(), quota);
    }
}
