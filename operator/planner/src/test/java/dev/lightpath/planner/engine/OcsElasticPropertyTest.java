package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.Seeds;
import dev.lightpath.planner.delta.iteration.Batch;
import dev.lightpath.planner.delta.iteration.Parallelism;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.fault.Signal;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.Workload;
import dev.lightpath.planner.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Elastic jobs on switches come and go beside others, their pods start and end, nodes and ports fail and heal, in
 * random order. The light is what the records say, and every prediction that of the replicas that a job has.
 */
class OcsElasticPropertyTest {
    private static final int WORLDS = Seeds.of(45);
    private static final int EVENTS = 40;

    private int shrunk;
    private int grown;
    private int narrow;
    private int replaced;

    @Test
    void aJobHasWholeReplicasAsManyAsAreEnoughAndWhatStaysKeepsItsPods() {
        int judged = 0;
        for (long seed = 1; seed <= WORLDS; seed++) {
            Random random = new Random(seed);
            DeviceKind kind = random.nextBoolean() ? DeviceKind.ANY_TO_ANY : DeviceKind.TWO_SIDED;
            ToyOcs ocs = ToyOcs.logical(3 + random.nextInt(4), 1 + random.nextInt(2), 6, kind, 1);
            ocs.policy = Policies.massFailure(ocs.policy, 100);
            for (int event = 0; event < EVENTS; event++) {
                happen(ocs, random, event, 1 + (int) (seed % 4));
                String where = "seed " + seed + ", event " + event;
                ocs.heard = (world, heard) -> compare(world, heard, where);
                Deliberation rest = ocs.settleAfter(Duration.ofSeconds(40));
                judged += OcsTrafficPropertyTest.check(ocs, rest, where);
                widths(ocs, where);
            }
        }
        assertThat(judged).isGreaterThan(WORLDS);
        assertThat(shrunk).as("jobs that shrank").isPositive();
        assertThat(grown).as("jobs that grew").isPositive();
        assertThat(replaced).as("jobs that took other pods for lost ones").isPositive();
        assertThat(narrow).as("jobs with fewer replicas").isPositive();
    }

    private void compare(World world, Deliberation heard, String where) {
        if (heard.decision() instanceof Decision.Adopt adopt) {
            for (Decision.Adopt.Entry entry : adopt.entries()) {
                List<Allocation.Group> were =
                        world.allocation(entry.slice()).map(Allocation::groups).orElse(List.of());
                List<Allocation.Group> are = entry.allocation().groups();
                String of = where + ", " + entry.slice();
                if (were.isEmpty() || are.isEmpty()) {
                    continue;
                }
                boolean others = !pods(were).containsAll(pods(are));
                if (are.size() <= were.size() && others) {
                    replaced++;
                    assertThat(((Demand.Traffic)
                                            world.slices().get(entry.slice()).demand())
                                    .replicas()
                                    .elastic())
                            .as(of)
                            .isTrue();
                    assertThat(pods(were)).as("%s keeps a pod", of).containsAnyElementsOf(pods(are));
                }
                if (are.size() < were.size()) {
                    shrunk++;
                }
                if (are.size() > were.size()) {
                    grown++;
                    assertThat(world.slices().get(entry.slice()).workload().usesLight())
                            .as(of)
                            .isFalse();
                    assertThat(are.subList(0, were.size())).as(of).isEqualTo(were);
                }
            }
        }
    }

    private static List<Integer> pods(List<Allocation.Group> groups) {
        return groups.stream()
                .map(group -> group.members().getFirst().position())
                .toList();
    }

    private void widths(ToyOcs ocs, String where) {
        ocs.ledger.forEach((id, entry) -> entry.allocation().ifPresent(record -> {
            int groups = record.groups().size();
            Demand.Traffic asked = (Demand.Traffic) ocs.slices.get(id).demand();
            if (groups > 0) {
                int stages = asked.parallelism().pipeline();
                assertThat(groups % stages).as("%s: %s", where, id).isZero();
                assertThat(groups / stages)
                        .as("%s: %s", where, id)
                        .isBetween(asked.leastReplicas(), asked.parallelism().replicas());
                assertThat(pods(record.groups()).stream().distinct())
                        .as("%s: %s has a pod for each part of a replica", where, id)
                        .hasSize(groups
                                / stages
                                * Math.ceilDiv(stages, asked.stagesPerPod().orElse(1)));
                narrow += groups < stages * asked.parallelism().replicas() ? 1 : 0;
            }
        }));
    }

    /** @param jobs most of them at one time: where they are few, there are free pods */
    private static void happen(ToyOcs ocs, Random random, int event, int jobs) {
        ocs.now = ocs.now.plusSeconds(1 + random.nextInt(400));
        List<SliceId> ids = new ArrayList<>(ocs.slices.keySet());
        switch (random.nextInt(11)) {
            case 0, 1 -> {
                if (ocs.slices.values().stream().filter(SliceIntent::wanted).count() < jobs) {
                    ocs.wishTraffic("job" + event, traffic(random), random.nextInt(3), true, new Workload.LightOnly());
                }
            }
            case 2, 3, 4 -> {
                var pod = ocs.pods.get(random.nextInt(ocs.pods.size()));
                List<String> nodes = List.copyOf(pod.nodes().keySet());
                String node = nodes.get(random.nextInt(nodes.size()));
                ocs.nodeSignals.put(node, List.of(new Signal(new Subject.OfNode(node), "NodeNotReady", Duration.ZERO)));
            }
            case 5 -> {
                ocs.nodeSignals.clear();
                ocs.settle();
                ocs.now = ocs.now.plusSeconds(1200);
            }
            case 6 -> {
                List<String> names = List.copyOf(ocs.switches.keySet());
                String name = names.get(random.nextInt(names.size()));
                var wires = ocs.switches.get(name).wiring();
                ocs.fail(name, wires.get(random.nextInt(wires.size())).ingress());
            }
            case 7 -> ocs.failedPorts.clear();
            case 8 -> {
                if (!ids.isEmpty()) {
                    SliceId id = ids.get(random.nextInt(ids.size()));
                    if (random.nextInt(3) == 0) {
                        ocs.unwish(id);
                    } else {
                        ocs.ledger
                                .get(id)
                                .allocation()
                                .ifPresent(record -> use(ocs, id, new TreeSet<>(record.nodes())));
                    }
                }
            }
            case 9 ->
                ids.forEach(id -> ocs.ledger
                        .get(id)
                        .allocation()
                        .ifPresent(record -> losesOneAsOthersAreBack(ocs, id, new TreeSet<>(record.nodes()))));
            default -> ids.forEach(id -> use(ocs, id, new TreeSet<>()));
        }
    }

    /** Under its pods there is room again, then it loses a node, then its pods end. */
    private static void losesOneAsOthersAreBack(ToyOcs ocs, SliceId id, TreeSet<String> nodes) {
        if (nodes.isEmpty() || !ocs.slices.get(id).wanted()) {
            return;
        }
        use(ocs, id, nodes);
        ocs.nodeSignals.clear();
        ocs.settle();
        ocs.settleAfter(Duration.ofSeconds(1200));
        String lost = nodes.last();
        ocs.nodeSignals.put(lost, List.of(new Signal(new Subject.OfNode(lost), "NodeNotReady", Duration.ZERO)));
        ocs.settleAfter(Duration.ofSeconds(40));
        use(ocs, id, new TreeSet<>());
    }

    private static void use(ToyOcs ocs, SliceId id, TreeSet<String> nodes) {
        if (ocs.slices.get(id).wanted()) {
            ocs.wishTraffic(
                    id.name(),
                    (Demand.Traffic) ocs.slices.get(id).demand(),
                    ocs.slices.get(id).priority(),
                    true,
                    new Workload.Pods(nodes, false));
        }
    }

    private static Demand.Traffic traffic(Random random) {
        int stages = 1 + random.nextInt(3);
        int replicas = 1 + random.nextInt(6);
        Demand.Traffic all = Gpt7b.traffic(
                Parallelism.ofDegrees(4 << random.nextInt(2), stages, replicas, 1, 1),
                new Batch(4, 1, 4096, true),
                1 + random.nextInt(2));
        return new Demand.Traffic(
                all.iteration(),
                all.parallelism(),
                1 + random.nextInt(replicas),
                all.stagesPerPod(),
                all.goal(),
                all.timeLimit());
    }
}
