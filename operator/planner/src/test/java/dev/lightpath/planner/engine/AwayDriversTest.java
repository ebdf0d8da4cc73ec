package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.fault.Fault;
import dev.lightpath.planner.light.AgentMemory;
import dev.lightpath.planner.light.EpochMark;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.Reconfiguration;
import dev.lightpath.planner.world.Replacement;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.Workload;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Each node of the ring has a driver of its own: while it is away its transceivers are neither healthy nor faulty. */
class AwayDriversTest {
    private static final int WORLDS = Integer.getInteger("lightpath.worlds", 60);

    private final ToyRing ring = ToyRing.of(24, 3);

    private Allocation record(SliceId slice) {
        return ring.ledger.get(slice).allocation().orElseThrow();
    }

    @Test
    void aJobKeepsItsNodesWhileTheirDriversAreAway() {
        SliceId job = ring.wish("job", 2, 16);
        ring.settle();
        Allocation before = record(job);
        String member = before.nodes().first();
        ring.away.add(member);
        ring.pass(Duration.ofMinutes(10));
        var told = ring.settle();
        assertThat(record(job)).isEqualTo(before);
        assertThat(told.slices().get(job).light().obstacle().orElseThrow().reason())
                .isEqualTo(Reason.DRIVER_UNREACHABLE);
        assertThat(ring.trackers.get("ring-a").faults()).isEmpty();
        ring.away.clear();
        ring.settle();
        assertThat(record(job)).isEqualTo(before);
    }

    @Test
    void otherNodesAreStillRepaired() {
        SliceId kept = ring.sits("kept", new int[] {0, 1, 2, 3});
        SliceId hurt = ring.sits("hurt", new int[] {12, 13, 14, 15});
        ring.settle();
        Allocation before = record(kept);
        ring.away.add("n1");
        ring.notReady.add("n13");
        ring.pass(Duration.ofSeconds(10));
        ring.settle();
        assertThat(record(kept)).isEqualTo(before);
        assertThat(record(hurt).nodes()).doesNotContain("n13");
        assertThat(ring.litNodes()).containsAll(record(hurt).nodes());
    }

    @Test
    void nothingNewIsPlacedOnThem() {
        ring.settle();
        ring.away.addAll(java.util.List.of("n2", "n9"));
        SliceId job = ring.wish("job", 4, 16);
        ring.settle();
        assertThat(record(job).nodes()).doesNotContain("n2", "n9");
    }

    @Test
    void aNodeThatIsNotReadyIsAFaultThoughItsDriverIsAway() {
        SliceId job = ring.sits("job", new int[] {4, 5, 6, 7});
        ring.settle();
        ring.away.add("n5");
        ring.notReady.add("n5");
        ring.pass(Duration.ofSeconds(10));
        ring.settle();
        assertThat(record(job).nodes()).doesNotContain("n5");
        assertThat(record(job).releasing()).as("its light is waited for").containsExactly("n5");
        ring.away.clear();
        ring.settle();
        assertThat(record(job).releasing()).isEmpty();
        assertThat(ring.litNodes()).doesNotContain("n5");
    }

    @Test
    void whatBeganAsItsDriverLeftIsNoFault() {
        ring.settle();
        ring.failedPorts.put("n3", new TreeMap<>(Map.of("b0.path1", "PortFailed")));
        ring.step();
        ring.away.add("n3");
        for (int second = 0; second < 30; second++) {
            ring.step();
            ring.pass(Duration.ofSeconds(1));
        }
        assertThat(ring.trackers.get("ring-a").faults()).isEmpty();
    }

    @Test
    void whatWasAFaultBeforeStaysOne() {
        ring.settle();
        ring.failedPorts.put("n3", new TreeMap<>(java.util.Map.of("b0.path1", "PortFailed")));
        ring.step();
        ring.pass(Duration.ofSeconds(10));
        ring.settle();
        assertThat(ring.trackers.get("ring-a").faults())
                .extracting(Fault::reason)
                .containsExactly("PortFailed");
        ring.away.add("n3");
        ring.pass(Duration.ofMinutes(30));
        ring.settle();
        assertThat(ring.trackers.get("ring-a").faults())
                .extracting(Fault::reason)
                .containsExactly("PortFailed");
    }

    @Test
    void aRecordThatWasLostIsNotReplacedWhileItsNodesMayBurnUnseen() {
        SliceId job = ring.sits("job", new int[] {4, 5, 6, 7});
        ring.settle();
        Allocation before = record(job);
        ring.ledger.put(job, LedgerEntry.missing("restored"));
        ring.restart();
        ring.away.addAll(before.nodes());
        ring.told.clear();
        ring.settle();
        assertThat(ring.ledger.get(job).allocation()).isEmpty();
        ring.away.clear();
        ring.settle();
        assertThat(record(job).nodes()).isEqualTo(before.nodes());
    }

    /** Drivers come and go while jobs do. What is decided without them is right once all are back. */
    @Test
    void worldsWithDriversAwayEndWell() {
        for (long seed = 1; seed <= WORLDS; seed++) {
            play(seed);
        }
    }

    private static void play(long seed) {
        Random chance = new Random(seed);
        ToyRing world = ToyRing.of(16 + chance.nextInt(24), 2 + chance.nextInt(2));
        world.slow = chance.nextInt(3) == 0;
        // no job makes room for another: only faults move one
        world.reconfiguration = Reconfiguration.NEVER;
        for (int event = 0; event < 30; event++) {
            String node = "n" + chance.nextInt(world.ring.positions());
            SortedMap<SliceId, Allocation> before = new TreeMap<>();
            boolean moves = false;
            switch (chance.nextInt(8)) {
                case 0, 1 ->
                    world.wish(
                            "job" + event,
                            1 + chance.nextInt(2),
                            4 * (1 + chance.nextInt(4)),
                            new Workload.LightOnly(),
                            new Replacement.Immediately(),
                            true);
                case 2 -> {
                    moves = true;
                    if (!world.notReady.remove(node)) {
                        world.notReady.add(node);
                    }
                }
                case 3 ->
                    world.slices.keySet().stream()
                            .skip(chance.nextInt(4))
                            .findFirst()
                            .ifPresent(world::unwish);
                case 4, 5 -> world.away.add(node);
                case 6 -> {
                    // one agent at a time lies, or has lied
                    world.agents.clear();
                    if (chance.nextBoolean()) {
                        world.agents.put(
                                node,
                                new AgentMemory(
                                        new TreeMap<>(
                                                Map.of("cluster/ring-a", new EpochMark(ToyRing.UNACCEPTED, "x@there"))),
                                        new TreeMap<>(),
                                        chance.nextBoolean()));
                    }
                }
                default -> world.away.remove(node);
            }
            world.ledger.forEach((slice, entry) -> entry.allocation().ifPresent(it -> before.put(slice, it)));
            world.pass(Duration.ofSeconds(5));
            world.settle();
            if (!moves) {
                before.forEach((slice, was) -> {
                    // one that awaits a place for a node that failed may find it now
                    boolean well = was.nodes().stream().noneMatch(world.notReady::contains);
                    if (well && world.slices.get(slice).wanted()) {
                        assertThat(world.ledger
                                        .get(slice)
                                        .allocation()
                                        .orElseThrow()
                                        .nodes())
                                .as("seed %d: a driver that comes or goes moves nobody", seed)
                                .isEqualTo(was.nodes());
                    }
                });
            }
        }
        world.away.clear();
        world.agents.clear();
        world.notReady.clear();
        world.pass(Duration.ofMinutes(5));
        world.settle();
        world.pass(Duration.ofMinutes(5));
        world.settle();
        TreeSet<String> wanted = new TreeSet<>();
        world.slices.forEach((id, slice) -> world.ledger.get(id).allocation().ifPresent(recorded -> {
            if (slice.wanted()) {
                recorded.groups().stream()
                        .filter(group -> group.members().size() > 1)
                        .forEach(group -> group.members().forEach(member -> wanted.add(member.node())));
            }
        }));
        assertThat(world.litNodes()).as("seed %d", seed).isEqualTo(wanted);
    }
}
