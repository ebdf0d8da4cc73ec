package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.simulation.Simulation;
import dev.lightpath.planner.engine.simulation.Snapshot;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Long rings on which jobs of several sizes come and go and nodes fail and recover. */
class SimulationPropertyTest {
    private static final long SEED = 1277;
    private static final int[] TENSORS = {8, 16, 16, 32, 32, 32, 64};

    @Test
    void movesNobodyWhereThatSeatsNobody() {
        int moves = 0;
        for (int world = 0; world < 4; world++) {
            moves += play(new Random(SEED + world), "seed " + SEED + " world " + world);
        }
        assertThat(moves).isGreaterThan(20);
    }

    /** Moves of jobs that no fault hit. */
    private static int play(Random random, String world) {
        ToyRing ring = ToyRing.of(96 + random.nextInt(64), 3);
        SortedMap<SliceId, LedgerEntry> ledger = new TreeMap<>();
        SortedSet<Integer> faulty = new TreeSet<>();
        List<SliceId> running = new ArrayList<>();
        int moves = 0;
        for (int moment = 0; moment < 60; moment++) {
            int what = random.nextInt(4);
            if (what == 0 && !running.isEmpty()) {
                ring.slices.remove(running.remove(random.nextInt(running.size())));
            } else if (what == 1) {
                int position = random.nextInt(ring.ring.positions());
                if (!faulty.remove(position) && faulty.size() < 8) {
                    faulty.add(position);
                }
            }
            while (asked(ring) < ring.ring.positions() * 9 / 10 && what == 2) {
                running.add(ring.wish(
                        "job-" + moment + "-" + running.size(),
                        1 + random.nextInt(4),
                        TENSORS[random.nextInt(TENSORS.length)]));
            }
            ledger.keySet().retainAll(ring.slices.keySet());
            World now = ring.world();
            RingIntent intent = now.rings().get("ring-a");
            List<Subject> faults = faulty.stream()
                    .map(at -> (Subject) new Subject.OfNode("n" + at))
                    .toList();
            Simulation.Rest rest = Simulation.rest(Snapshot.of(now.now(), intent, now.slices(), ledger, faults), 1000);
            String at = world + " moment " + moment + " of " + ring.ring.positions() + " nodes, faulty " + faulty;
            assertThat(rest.settled()).as(at).isTrue();
            moves += judged(at, ledger, rest, faulty);
            ledger = new TreeMap<>(rest.ledger());
        }
        return moves;
    }

    private static int asked(ToyRing ring) {
        return ring.slices.values().stream()
                .mapToInt(slice -> slice.demand().gpus() / ring.ring.gpusPerNode())
                .sum();
    }

    private static int judged(
            String at, SortedMap<SliceId, LedgerEntry> before, Simulation.Rest rest, Set<Integer> faulty) {
        List<SliceId> moved = new ArrayList<>();
        boolean helped = false;
        Set<Integer> held = new TreeSet<>();
        for (var entry : rest.ledger().entrySet()) {
            List<Allocation.Group> is = groups(entry.getValue());
            List<Allocation.Group> was =
                    before.containsKey(entry.getKey()) ? groups(before.get(entry.getKey())) : List.of();
            is.forEach(group -> group.members()
                    .forEach(member ->
                            assertThat(held.add(member.position())).as(at).isTrue()));
            if (is.equals(was)) {
                continue;
            }
            boolean hit = was.stream()
                    .flatMap(group -> group.members().stream())
                    .anyMatch(member -> faulty.contains(member.position()));
            helped |= was.isEmpty() || hit;
            if (!was.isEmpty() && !hit) {
                moved.add(entry.getKey());
            }
        }
        assertThat(helped || moved.isEmpty())
                .as(at + ": moved for nobody: " + moved)
                .isTrue();
        return moved.size();
    }

    private static List<Allocation.Group> groups(LedgerEntry entry) {
        return entry.allocation().map(Allocation::groups).orElse(List.of());
    }
}
