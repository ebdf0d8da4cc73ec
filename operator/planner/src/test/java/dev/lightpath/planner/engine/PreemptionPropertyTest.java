package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.Seeds;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.JobId;
import dev.lightpath.planner.world.Reconfiguration;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Jobs of random size and priority come and go on a ring with faults, until a job takes the place of others. */
class PreemptionPropertyTest {
    private static final int WORLDS = Seeds.of(150);
    private static final int EVENTS = 30;

    /** A world in which some job takes places. */
    private record Scene(ToyRing ring, SortedMap<SliceId, JobId> taken) {}

    @Test
    void onlyLowerPrioritiesGoAllOfThemAreNeededAndTheJobThenFits() {
        int several = 0;
        int found = 0;
        for (long seed = 1; seed <= WORLDS; seed++) {
            Scene scene = play(seed);
            if (scene.taken().isEmpty()) {
                continue;
            }
            found++;
            JobId first = first(scene);
            SortedSet<SliceId> victims = new TreeSet<>();
            scene.taken().forEach((victim, by) -> {
                if (by.equals(first)) {
                    victims.add(victim);
                }
            });
            several += victims.size() > 1 ? 1 : 0;
            String where = "seed " + seed + ": " + victims + " for " + first;
            assertThat(scene.taken().entrySet())
                    .as(where)
                    .allSatisfy(entry -> assertThat(
                                    scene.ring().slices.get(entry.getKey()).priority())
                            .isLessThan(wish(scene.ring(), entry.getValue()).priority()));
            assertThat(fitsWithout(seed, victims, first)).as(where).isTrue();
            for (SliceId needless : victims) {
                SortedSet<SliceId> rest = new TreeSet<>(victims);
                rest.remove(needless);
                assertThat(fitsWithout(seed, rest, first))
                        .as(where + "; without taking " + needless)
                        .isFalse();
            }
        }
        assertThat(found).as("worlds with preemption").isGreaterThan(20);
        assertThat(several).as("worlds in which several jobs go").isPositive();
    }

    /** Whether the waiting job gets a place once these are gone, and it can take no other. */
    private static boolean fitsWithout(long seed, SortedSet<SliceId> gone, JobId waiting) {
        ToyRing ring = play(seed).ring();
        ring.slices.values().stream()
                .filter(slice -> slice.wanted()
                        && !slice.job().equals(waiting)
                        && ring.ledger.get(slice.id()).allocation().isEmpty())
                .map(SliceIntent::id)
                .toList()
                .forEach(slice -> {
                    ring.slices.remove(slice);
                    ring.ledger.remove(slice);
                });
        ring.slices.replaceAll((id, slice) -> slice.but().preemptible(false).build());
        gone.forEach(ring::unwish);
        ring.settle();
        return ring.ledger
                .get(wish(ring, waiting).id())
                .allocation()
                .filter(recorded -> !recorded.groups().isEmpty())
                .isPresent();
    }

    /** The first that is served: what later ones take builds on what it leaves. */
    private static JobId first(Scene scene) {
        return scene.taken().values().stream()
                .map(job -> wish(scene.ring(), job))
                .min(SliceIntent.PRECEDENCE)
                .orElseThrow()
                .job();
    }

    private static SliceIntent wish(ToyRing ring, JobId job) {
        return ring.slices.values().stream()
                .filter(slice -> slice.job().equals(job))
                .findFirst()
                .orElseThrow();
    }

    private static Scene play(long seed) {
        Random chance = new Random(seed);
        ToyRing ring = ToyRing.of(16, 3);
        ring.policy = Policies.preempting(Policies.massFailure(ring.policy, 100));
        // nobody moves for others: what fits does not depend on that
        ring.reconfiguration = Reconfiguration.NEVER;
        for (int event = 0; event < EVENTS; event++) {
            ring.pass(Duration.ofMinutes(1));
            happen(ring, chance, event);
            Deliberation heard = ring.settle();
            SortedMap<SliceId, JobId> taken = PreemptionTest.preemptors(heard);
            if (!taken.isEmpty()) {
                return new Scene(ring, taken);
            }
        }
        return new Scene(ring, new TreeMap<>());
    }

    private static void happen(ToyRing ring, Random chance, int event) {
        List<SliceId> there = List.copyOf(ring.slices.keySet());
        switch (chance.nextInt(8)) {
            case 0 -> {
                if (!there.isEmpty()) {
                    ring.unwish(there.get(chance.nextInt(there.size())));
                }
            }
            case 1 -> ring.notReady.add("n" + chance.nextInt(ring.ring.positions()));
            case 2 -> ring.notReady.clear();
            default -> {
                ring.priority = chance.nextInt(4);
                ring.wish("job" + event, 1 + chance.nextInt(2), 4 << chance.nextInt(4));
            }
        }
        ring.slices.keySet().removeIf(slice -> {
            boolean over = !ring.slices.get(slice).wanted()
                    && ring.ledger
                            .get(slice)
                            .allocation()
                            .map(Allocation::released)
                            .orElse(true);
            if (over) {
                ring.ledger.remove(slice);
            }
            return over;
        });
    }
}
