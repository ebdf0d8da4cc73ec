package dev.lightpath.app.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NamespaceTurnsTest {
    private final Deque<ResourceID> called = new ArrayDeque<>();
    private final List<ResourceID> order = new ArrayList<>();
    private final NamespaceTurns turns = new NamespaceTurns(called::add);

    @Test
    void manyJobsOfOneNamespaceLeaveRoomForOthersAndAreCalledInOrder() {
        for (int number = 0; number < NamespaceTurns.MOST; number++) {
            assertThat(turns.enter(job("many", number), false)).isZero();
        }
        assertThat(turns.enter(job("many", 101), false)).isPositive();
        assertThat(turns.enter(job("many", 102), false)).isPositive();
        assertThat(turns.enter(job("many", 101), false)).as("asks again").isPositive();
        assertThat(turns.enter(job("few", 0), false)).isZero();
        turns.leave(job("few", 0));
        assertThat(called).isEmpty();
        turns.leave(job("many", 0));
        assertThat(called).containsExactly(job("many", 101));
        assertThat(turns.enter(job("many", 101), false)).isZero();
        turns.leave(job("many", 1));
        turns.leave(job("many", 2));
        assertThat(called).containsExactly(job("many", 101), job("many", 102));
    }

    /** Those that wait are called: if each asked by itself every few seconds, that alone would fill the processors. */
    @Test
    void ofAllThatWaitFewAskByThemselves() {
        for (int number = 0; number < NamespaceTurns.MOST; number++) {
            assertThat(turns.enter(job("many", number), false)).isZero();
        }
        Duration shortest = turns.enter(job("many", NamespaceTurns.MOST), false);
        assertThat(shortest).isLessThan(Duration.ofSeconds(5));
        Duration longest = shortest;
        double asksASecond = 0;
        for (int round = 0; round < 2; round++) {
            asksASecond = 0;
            for (int number = NamespaceTurns.MOST; number < 1600; number++) {
                longest = turns.enter(job("many", number), false);
                asksASecond += 1e3 / longest.toMillis();
            }
        }
        assertThat(asksASecond).isLessThan(25);
        turns.leave(job("many", 0));
        assertThat(called).as("called in order").containsExactly(job("many", NamespaceTurns.MOST));
        assertThat(turns.enter(job("many", 700), false))
                .as("the one that was called is gone")
                .isZero();
    }

    @Test
    void jobsThatHaveSomethingAreCalledBeforeThoseThatHaveNothingButOneOfFew() {
        for (int number = 0; number < NamespaceTurns.MOST; number++) {
            assertThat(turns.enter(job("many", number), false)).isZero();
        }
        for (int number = 0; number < 3; number++) {
            turns.enter(job("many", 100 + number), false);
        }
        for (int number = 0; number < 5; number++) {
            turns.enter(job("many", 200 + number), true);
        }
        turns.enter(job("many", 102), true);
        for (int calls = 0; calls < 9; calls++) {
            ResourceID inside = calls < NamespaceTurns.MOST ? job("many", calls) : called.removeFirst();
            if (calls >= NamespaceTurns.MOST) {
                order.add(inside);
                assertThat(turns.enter(inside, true)).isZero();
            }
            turns.leave(inside);
        }
        order.addAll(called);
        assertThat(order)
                .as("every fourth call is for one that has nothing; 102 has something by now")
                .containsExactly(
                        job("many", 200),
                        job("many", 201),
                        job("many", 202),
                        job("many", 100),
                        job("many", 203),
                        job("many", 204),
                        job("many", 102),
                        job("many", 101));
    }

    @Test
    void aJobThatIsCalledAndHasNothingToDoLeavesItsTurnToTheNext() {
        for (int number = 0; number < NamespaceTurns.MOST; number++) {
            assertThat(turns.enter(job("many", number), false)).isZero();
        }
        turns.enter(job("many", 101), false);
        turns.enter(job("many", 102), false);
        turns.decline(job("many", 300));
        assertThat(called).as("there is no room").isEmpty();
        turns.leave(job("many", 0));
        assertThat(called).containsExactly(job("many", 101));
        turns.decline(job("many", 101));
        assertThat(called).containsExactly(job("many", 101), job("many", 102));
        turns.decline(job("few", 0));
        assertThat(called).hasSize(2);
    }

    /** Else those that wait would be called without room, and lose their place in the queue. */
    @Test
    void aJobThatWasNotCalledGivesNoTurnAway() {
        for (int number = 0; number < NamespaceTurns.MOST; number++) {
            assertThat(turns.enter(job("many", number), false)).isZero();
        }
        for (int number = 101; number < 105; number++) {
            turns.enter(job("many", number), false);
        }
        turns.leave(job("many", 0));
        turns.decline(job("many", 300));
        turns.decline(job("many", 300));
        assertThat(called).containsExactly(job("many", 101));
        assertThat(turns.enter(job("many", 101), false)).isZero();
        turns.leave(job("many", 101));
        turns.decline(job("many", 101));
        assertThat(called).as("it had its turn").containsExactly(job("many", 101), job("many", 102));
    }

    /** Whatever comes and goes in which order: never more than the most are inside, and nobody is forgotten. */
    @Test
    void nobodyWaitsWithoutBeingCalled() {
        long seed = Long.getLong("lightpath.seed", 7);
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        List<ResourceID> inside = new ArrayList<>();
        Map<ResourceID, Boolean> waits = new HashMap<>();
        for (int step = 0; step < 20_000; step++) {
            ResourceID job = called.isEmpty() || random.nextBoolean()
                    ? job("ns-" + random.nextInt(3), random.nextInt(40))
                    : called.getFirst();
            if (random.nextInt(3) == 0) {
                if (!inside.isEmpty()) {
                    turns.leave(inside.remove(random.nextInt(inside.size())));
                }
            } else if (!inside.contains(job)) {
                boolean entered = turns.enter(job, random.nextBoolean()).isZero();
                assertThat(entered).isEqualTo(of(job, inside) < NamespaceTurns.MOST);
                called.remove(job);
                if (entered) {
                    inside.add(job);
                    waits.remove(job);
                } else {
                    waits.put(job, true);
                }
            }
        }
        while (!inside.isEmpty() || !called.isEmpty()) {
            while (!inside.isEmpty()) {
                turns.leave(inside.removeLast());
            }
            while (!called.isEmpty()) {
                ResourceID next = called.removeFirst();
                waits.remove(next);
                if (turns.enter(next, false).isZero()) {
                    inside.add(next);
                }
            }
        }
        assertThat(waits).isEmpty();
    }

    private static long of(ResourceID job, List<ResourceID> inside) {
        return inside.stream()
                .filter(other -> other.getNamespace().equals(job.getNamespace()))
                .count();
    }

    private static ResourceID job(String namespace, int number) {
        return new ResourceID("job-" + number, namespace);
    }
}
