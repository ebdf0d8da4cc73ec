package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.Seeds;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Elastic jobs come and go beside others, their pods start and end, nodes fail and heal, in random order. */
class ElasticPropertyTest {
    private static final int WORLDS = Seeds.of(60);
    private static final int EVENTS = 40;

    private int shrunk;
    private int grown;
    private int narrow;

    @Test
    void aJobHasWholeReplicasAsManyAsAreEnoughAndWhatIsWholeStays() {
        for (long seed = 1; seed <= WORLDS; seed++) {
            Random random = new Random(seed);
            ToyRing ring = FabricEnginePropertyTest.randomRing(random);
            ring.policy = Policies.massFailure(ring.policy, 100);
            for (int event = 0; event < EVENTS; event++) {
                happen(ring, random, event);
                String where = "seed " + seed + ", event " + event;
                Deliberation rest = settle(ring, where);
                FabricEnginePropertyTest.check(ring, rest, where);
                widths(ring, where);
            }
        }
        assertThat(shrunk).as("jobs that shrank").isPositive();
        assertThat(grown).as("jobs that grew").isPositive();
        assertThat(narrow).as("jobs with fewer replicas").isPositive();
    }

    private Deliberation settle(ToyRing ring, String where) {
        for (int steps = 0; steps < 200; steps++) {
            TreeMap<SliceId, LedgerEntry> before = new TreeMap<>(ring.ledger);
            Deliberation deliberation = ring.step();
            switch (deliberation.decision()) {
                case Decision.Rest rest -> {
                    return deliberation;
                }
                case Decision.Adopt adopt -> adopt.entries().forEach(entry -> compare(ring, before, entry, where));
                case Decision.Observe observe -> {}
                case Decision.Apply apply -> {}
            }
        }
        throw new AssertionError(where + ": no rest");
    }

    private void compare(ToyRing ring, TreeMap<SliceId, LedgerEntry> before, Decision.Adopt.Entry entry, String where) {
        List<Allocation.Group> were = Optional.ofNullable(before.get(entry.slice()))
                .flatMap(LedgerEntry::allocation)
                .map(Allocation::groups)
                .orElse(List.of());
        List<Allocation.Group> are = entry.allocation().groups();
        String of = where + ", " + entry.slice();
        if (were.isEmpty() || are.isEmpty()) {
            return;
        }
        if (are.size() < were.size()) {
            shrunk++;
            int size = ((Demand.ScaleUp) ring.slices.get(entry.slice()).demand()).groupsPerReplica();
            List<Allocation.Group> whole = new ArrayList<>();
            for (int first = 0; first < were.size(); first += size) {
                List<Allocation.Group> replica = were.subList(first, first + size);
                if (replica.stream()
                        .flatMap(group -> group.members().stream())
                        .noneMatch(member ->
                                ring.notReady.contains(member.node()) || ring.silent.contains(member.node()))) {
                    whole.addAll(replica);
                }
            }
            // of groups of one node a silent device is no harm
            assertThat(are).as(of).containsAll(whole);
        }
        if (are.size() > were.size()) {
            grown++;
            assertThat(ring.slices.get(entry.slice()).workload().usesLight())
                    .as(of)
                    .isFalse();
            assertThat(are.subList(0, were.size())).as(of).isEqualTo(were);
        }
    }

    private void widths(ToyRing ring, String where) {
        ring.ledger.forEach((id, entry) -> entry.allocation().ifPresent(record -> {
            int groups = record.groups().size();
            Demand.ScaleUp asked = (Demand.ScaleUp) ring.slices.get(id).demand();
            if (groups > 0) {
                assertThat(groups).as("%s: %s", where, id).isBetween(asked.leastGroups(), asked.groups());
                assertThat(groups % asked.groupsPerReplica())
                        .as("%s: %s", where, id)
                        .isZero();
                narrow += groups < asked.groups() ? 1 : 0;
            }
        }));
    }

    private static void happen(ToyRing ring, Random random, int event) {
        ring.pass(Duration.ofSeconds(1 + random.nextInt(400)));
        String node = "n" + random.nextInt(ring.ring.positions());
        List<SliceId> ids = new ArrayList<>(ring.slices.keySet());
        switch (random.nextInt(9)) {
            case 0, 1 -> {
                ring.priority = random.nextInt(3);
                int[] tensors = {4, 8, 12, 16};
                int size = 1 + random.nextInt(2);
                int replicas = 1 + random.nextInt(5);
                ring.elastic(
                        "job" + event,
                        new Demand.ScaleUp(
                                replicas * size,
                                tensors[random.nextInt(tensors.length)],
                                (1 + random.nextInt(replicas)) * size,
                                size));
            }
            case 2, 3 -> ring.notReady.add(node);
            case 4, 5 -> {
                if (!ring.notReady.isEmpty()) {
                    ring.notReady.remove(ring.notReady.first());
                }
            }
            case 6 -> {
                if (!ids.isEmpty() && random.nextInt(3) == 0) {
                    ring.unwish(ids.get(random.nextInt(ids.size())));
                }
            }
            case 7 -> {
                if (!ids.isEmpty()) {
                    pods(ring, ids.get(random.nextInt(ids.size())));
                }
            }
            default ->
                ids.forEach(id ->
                        ring.amend(id, ring.slices.get(id).wanted(), new Workload.Pods(new TreeSet<>(), false), false));
        }
    }

    private static void pods(ToyRing ring, SliceId id) {
        if (ring.slices.get(id).wanted()) {
            ring.ledger
                    .get(id)
                    .allocation()
                    .ifPresent(record ->
                            ring.amend(id, true, new Workload.Pods(new TreeSet<>(record.nodes()), false), false));
        }
    }
}
