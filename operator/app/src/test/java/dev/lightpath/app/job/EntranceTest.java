package dev.lightpath.app.job;

import static dev.lightpath.app.job.plan.SampleJob.condition;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.conditions.StartDelay;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.TrainingJobSpec;
import dev.lightpath.crds.job.TrainingJobStatus;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.FabricSliceStatus;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Many jobs of one namespace come at once, in virtual time: each gets a slice, pauses while its light is made, and is
 * told of it in its turn. The framework is played: one look at a job at a time, what comes meanwhile leads to another,
 * and the last look says when there is one without news.
 */
class EntranceTest {
    private static final long MILLI = Duration.ofMillis(1).toNanos();
    private static final TrainingJobSpec SPEC =
            Serialization.unmarshal("""
            apiVersion: lightpath.dev/v1alpha1
            kind: TrainingJob
            metadata: {name: any}
            spec: {parallelism: {tensor: 8}, scaleUp: {fabric: ring-a}}
            """, TrainingJob.class).getSpec();

    @Test
    void eachJobIsToldInItsTurnAndWhoPausesHoldsUpNobody() {
        for (int seed = 0; seed < 60; seed++) {
            Random random = new Random(seed);
            Reconciler played = new Reconciler(random, 1 + random.nextInt(60));
            long ready = played.untilAllAreTold();
            long work = played.lookNanos / NamespaceTurns.MOST;
            assertThat(played.now - ready)
                    .as("seed %d: from the last light to the last word, of %d ms of work", seed, work / MILLI)
                    .isLessThan(Duration.ofMillis(250).toNanos() + work / 2);
            assertThat(played.looks)
                    .as("seed %d: looks in turn at %d jobs", seed, played.jobs.size())
                    .isLessThanOrEqualTo(4 * played.jobs.size());
        }
    }

    /** The call that a pausing job got goes on to the next one: else that waited until it asked by itself. */
    @Test
    void aCallToAJobThatPausesGoesOnToTheNext() {
        List<ResourceID> called = new ArrayList<>();
        Entrance entrance = new Entrance(called::add);
        List<TrainingJob> inside = List.of(job("a"), job("b"), job("c"));
        inside.forEach(job -> assertThat(entrance.enter(job, List.of(), 0)).isZero());
        TrainingJob paused = job("paused");
        TrainingJob next = job("next");
        assertThat(entrance.enter(paused, List.of(), 1)).isPositive();
        assertThat(entrance.enter(next, List.of(), 2)).isPositive();
        entrance.leave(inside.getFirst());
        assertThat(called).extracting(ResourceID::getName).containsExactly("paused");
        entrance.begin(paused, 3);
        assertThat(entrance.enter(paused, List.of(), 4)).isEqualTo(StartDelay.OF_ONE.minusNanos(1));
        assertThat(called).extracting(ResourceID::getName).containsExactly("paused", "next");
        assertThat(entrance.enter(next, List.of(), 5)).isZero();
        entrance.leave(next);
        assertThat(called).hasSize(2);
        assertThat(entrance.enter(paused, List.of(), 4 + StartDelay.OF_ONE.toNanos()))
                .as("its pause is over")
                .isZero();
        assertThat(entrance.isPauseOver(paused)).isTrue();
    }

    private static TrainingJob job(String name) {
        TrainingJob job = new TrainingJob();
        job.setMetadata(new ObjectMetaBuilder()
                .withName(name)
                .withNamespace("team")
                .withUid(name)
                .withGeneration(1L)
                .build());
        job.setSpec(SPEC);
        return job;
    }

    private record Event(long at, long order, Runnable what) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return at == other.at ? Long.compare(order, other.order) : Long.compare(at, other.at);
        }
    }

    private static final class Watched {
        final TrainingJob job;
        final List<FabricSlice> light = new ArrayList<>();
        boolean ready;
        boolean told;
        boolean looking;
        boolean news;
        /** Of the wait that counts. */
        long look;

        Watched(TrainingJob job) {
            this.job = job;
        }
    }

    private static final class Reconciler {
        final Random random;
        final Map<ResourceID, Watched> jobs = new HashMap<>();
        final Entrance entrance = new Entrance(id -> heard(jobs.get(id)));
        final PriorityQueue<Event> events = new PriorityQueue<>();
        long now;
        long order;
        int inside;
        int looks;
        long lookNanos;
        long lastReady;

        Reconciler(Random random, int count) {
            this.random = random;
            for (int number = 0; number < count; number++) {
                Watched one = new Watched(job("job-" + number));
                jobs.put(ResourceID.fromResource(one.job), one);
                at(random.nextInt(200) * MILLI, () -> heard(one));
            }
        }

        private void at(long when, Runnable what) {
            events.add(new Event(when, order++, what));
        }

        long untilAllAreTold() {
            while (jobs.values().stream().anyMatch(each -> !each.told)) {
                Event next = events.remove();
                now = next.at();
                next.what().run();
            }
            return lastReady;
        }

        private void heard(Watched one) {
            one.news = true;
            if (!one.looking) {
                at(now, () -> look(one));
            }
        }

        private void look(Watched one) {
            if (one.looking || !one.news) {
                return;
            }
            one.news = false;
            one.look++;
            Duration wait = entrance.enter(one.job, one.light, now);
            if (wait.isPositive()) {
                again(one, wait);
                return;
            }
            one.looking = true;
            looks++;
            inside++;
            assertThat(inside).isLessThanOrEqualTo(NamespaceTurns.MOST);
            long takes = (5 + random.nextInt(40)) * MILLI;
            lookNanos += takes;
            at(now + takes, () -> end(one));
        }

        private void end(Watched one) {
            Duration wait = Duration.ofSeconds(60);
            if (one.light.isEmpty()) {
                make(one);
                wait = entrance.begin(one.job, now);
            } else if (one.ready) {
                one.told = true;
                one.job.setStatus(TrainingJobStatus.builder().attempt(1).build());
            }
            inside--;
            one.looking = false;
            entrance.leave(one.job);
            again(one, wait);
            if (one.news) {
                at(now, () -> look(one));
            }
        }

        private void again(Watched one, Duration wait) {
            long of = one.look;
            at(now + wait.toNanos(), () -> {
                if (one.look == of) {
                    heard(one);
                }
            });
        }

        /** Its place is found, and its light made, some time after. */
        private void make(Watched one) {
            FabricSlice slice = new FabricSlice();
            slice.setMetadata(new ObjectMetaBuilder()
                    .withName("of-" + one.job.getMetadata().getName())
                    .build());
            one.light.add(slice);
            long placed = now + random.nextInt(400) * MILLI;
            long ready = placed + random.nextInt(3000) * MILLI;
            at(placed, () -> told(one, condition(ConditionType.READY, "False", "Programming")));
            at(ready, () -> {
                one.ready = true;
                lastReady = now;
                told(one, condition(ConditionType.READY, "True", "Satisfied"));
            });
        }

        private void told(Watched one, Condition ready) {
            one.light
                    .getFirst()
                    .setStatus(new FabricSliceStatus(
                            1L, List.of(condition(ConditionType.ALLOCATED, "True", "Satisfied"), ready), null, null));
            heard(one);
        }
    }
}
