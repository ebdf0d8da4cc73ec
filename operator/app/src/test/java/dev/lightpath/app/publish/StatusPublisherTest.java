package dev.lightpath.app.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.measuring.JobName;
import dev.lightpath.app.measuring.QueriedTimes;
import dev.lightpath.app.measuring.QueryAnswer;
import dev.lightpath.app.publish.metrics.FabricMetrics;
import dev.lightpath.app.publish.status.Outcome;
import dev.lightpath.app.publish.status.Scenes;
import dev.lightpath.app.publish.status.StatusRound;
import dev.lightpath.app.publish.status.Unguarded.AdmissionPolicies;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.fabric.OpticalFabricSpec;
import dev.lightpath.crds.fabric.measurement.MeasurementSource;
import dev.lightpath.crds.fabric.measurement.PrometheusQuery;
import dev.lightpath.crds.job.TrainingJob;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What is told by the thread that tells, though nothing else happens, and how it goes on and ends. */
class StatusPublisherTest {
    private static final QueriedTimes UNASKED = new QueriedTimes(System::nanoTime);

    /** As a test tells them. */
    private static final class ToldPolicies implements AdmissionPolicies {
        private volatile Optional<SortedMap<String, String>> missing = Optional.empty();
        private volatile Runnable changed = () -> {};

        @Override
        public Optional<SortedMap<String, String>> notInForce() {
            return missing;
        }

        @Override
        public void listen(Runnable listener) {
            changed = listener;
        }
    }

    private final LaggingStore store = new LaggingStore();

    private StatusPublisher publisher(AdmissionPolicies policies, QueriedTimes times) {
        return publisher(policies, times, new SimpleMeterRegistry());
    }

    private StatusPublisher publisher(AdmissionPolicies policies, QueriedTimes times, MeterRegistry registry) {
        return new StatusPublisher(
                store, ignored -> {}, new FabricMetrics(registry), policies, times, InstantSource.system());
    }

    /** Nothing else happens: what was published last is told again. */
    @Test
    void aQueryThatFailsIsToldOnTheFabricUntilItIsAnswered() {
        PrometheusQuery query = new PrometheusQuery("http://prometheus:9090", "x", null, null, null);
        store.fabric.setSpec(
                new OpticalFabricSpec(null, null, null, null, null, null, null, new MeasurementSource(query)));
        QueriedTimes times = new QueriedTimes(System::nanoTime);
        StatusPublisher publisher = publisher(AdmissionPolicies.COMPLETE, times);
        publisher.publish(Scenes.outcome().world(), Scenes.outcome().deliberation());
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(measurementsRead()).isEqualTo("absent"));
        QueriedTimes.Due due = times.due(List.of(store.fabric)).getFirst();
        times.answered(due, new QueryAnswer.Failed("HTTP 503: no answer"), 0);
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(measurementsRead())
                        .isEqualTo("False QueryFailed spec.measurements.prometheus: HTTP 503: no answer"));
        times.answered(due, new QueryAnswer.Times(Map.of()), 0);
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(measurementsRead())
                        .isEqualTo("True Satisfied spec.measurements.prometheus is answered, and names no job: none"
                                + " tells, or the query asks for another metric"));
        times.answered(due, new QueryAnswer.Times(Map.of(new JobName("team", "llm"), "0.5")), 0);
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(measurementsRead())
                        .isEqualTo("True Satisfied spec.measurements.prometheus is answered"));
        store.fabric.setSpec(new OpticalFabricSpec(null, null, null, null, null, null, null, null));
        publisher.publish(Scenes.outcome().world(), Scenes.outcome().deliberation());
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(measurementsRead()).isEqualTo("absent"));
        publisher.close();
    }

    /** What the fabric said last; empty while it said nothing. */
    private String measurementsRead() {
        return store.writes.stream()
                .filter(OpticalFabric.class::isInstance)
                .reduce((before, after) -> after)
                .map(written -> ((OpticalFabric) written)
                        .getStatus().conditions().stream()
                                .filter(condition -> condition.getType().equals("MeasurementsRead"))
                                .findFirst()
                                .map(condition -> condition.getStatus() + " " + condition.getReason() + " "
                                        + condition.getMessage())
                                .orElse("absent"))
                .orElse("");
    }

    /** Nothing else happens: what was published last is told again. */
    @Test
    void policiesThatAreNotInForceAreToldOnTheFabricUntilTheyAre() {
        ToldPolicies policies = new ToldPolicies();
        policies.missing = Optional.of(Collections.emptySortedMap());
        StatusPublisher publisher = publisher(policies, UNASKED);
        publisher.publish(Scenes.outcome().world(), Scenes.outcome().deliberation());
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(unguarded()).isEqualTo(List.of()));
        policies.missing = Optional.of(new TreeMap<>(Map.of("lightpath-use", "is not there")));
        policies.changed.run();
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(unguarded())
                        .containsExactly(
                                "True PoliciesMissing admission policies are not in force, so more is allowed than"
                                        + " docs/security.md says: lightpath-use is not there; helm upgrade"
                                        + " --reset-then-reuse-values --force-conflicts or, without Helm, kubectl apply --server-side"
                                        + " --force-conflicts -k deploy/kubernetes/access"));
        policies.missing = Optional.of(Collections.emptySortedMap());
        policies.changed.run();
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(unguarded()).isEqualTo(List.of()));
        publisher.close();
    }

    /** A leader that has only just started does not know better than the one before it. */
    @Test
    void aFabricSaysWhatItSaidOfPoliciesUntilTheyWereLookedAt() {
        ToldPolicies policies = new ToldPolicies();
        policies.missing = Optional.of(new TreeMap<>(Map.of("lightpath-use", "is not there")));
        new StatusRound(store, policies, UNASKED).run(Scenes.outcome(), Scenes.NOW);
        assertThat(unguarded()).hasSize(1);
        store.fabric.setStatus(store.writtenFabrics().getLast().getStatus());
        policies.missing = Optional.empty();
        new StatusRound(store, policies, UNASKED).run(Scenes.outcome(), Scenes.NOW);
        assertThat(store.writtenFabrics()).as("nothing new is said").hasSize(1);
        policies.missing = Optional.of(Collections.emptySortedMap());
        new StatusRound(store, policies, UNASKED).run(Scenes.outcome(), Scenes.NOW);
        assertThat(unguarded()).isEmpty();
    }

    /** What the last write of the fabric says. */
    private List<String> unguarded() {
        return store.writtenFabrics().stream()
                .reduce((first, last) -> last)
                .map(fabric -> fabric.getStatus().conditions().stream()
                        .filter(condition -> condition.getType().equals("Unguarded"))
                        .map(condition ->
                                condition.getStatus() + " " + condition.getReason() + " " + condition.getMessage())
                        .toList())
                .orElse(List.of("not written yet"));
    }

    @Test
    void theThreadTriesAgainUntilEverythingIsWritten() {
        store.refusals.set(4);
        StatusPublisher publisher = publisher(AdmissionPolicies.COMPLETE, UNASKED);
        assertThat(publisher.view()).isEmpty();
        Outcome outcome = Scenes.outcome();
        publisher.publish(outcome.world(), outcome.deliberation());
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() ->
                        store.writes.stream().map(Object::getClass).distinct().count() == 3);
        assertThat(publisher.view().orElseThrow().namespaces()).containsOnlyKeys(Scenes.SLICE.namespace());
        publisher.close();
    }

    @Test
    void theThreadOutlivesAnError() {
        AtomicInteger errors = new AtomicInteger(2);
        store.written = () -> {
            if (errors.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new StackOverflowError();
            }
        };
        StatusPublisher publisher = publisher(AdmissionPolicies.COMPLETE, UNASKED);
        Outcome outcome = Scenes.outcome();
        publisher.publish(outcome.world(), outcome.deliberation());
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() ->
                        store.writes.stream().map(Object::getClass).distinct().count() == 3);
        assertThat(errors).hasValue(0);
        publisher.close();
    }

    @Test
    void jobsThatChangeWithoutPauseAreCountedWithPauses() {
        store.busyJobs = true;
        StatusPublisher publisher = publisher(AdmissionPolicies.COMPLETE, UNASKED);
        Outcome outcome = Scenes.outcome();
        long beganNanos = System.nanoTime();
        publisher.publish(outcome.world(), outcome.deliberation());
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> store.looks.get() >= 8);
        int looks = store.looks.get();
        publisher.close();
        assertThat(Duration.ofNanos(System.nanoTime() - beganNanos))
                .as("a pause after each look, and after the round before them")
                .isGreaterThan(StatusPublisher.BREATH.multipliedBy(looks - 1));
    }

    @Test
    void aRoundEndsWithTheLeadership() {
        StatusPublisher publisher = publisher(AdmissionPolicies.COMPLETE, UNASKED);
        store.written = publisher::ended;
        Outcome outcome = Scenes.outcome();
        publisher.publish(outcome.world(), outcome.deliberation());
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> !store.writes.isEmpty());
        // a pass of who leads no more comes to its end
        publisher.publish(outcome.world(), outcome.deliberation());
        assertThat(publisher.view()).isEmpty();
        publisher.begun(() -> true);
        publisher.publish(outcome.world(), outcome.deliberation());
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> store.looks.get() >= 2);
        publisher.close();
        assertThat(store.writesBefore.get(1)).as("writes of the round before").isEqualTo(1);
    }

    /** As of a process that was stopped and goes on: its end is told a moment later. */
    @Test
    void whoseLeadershipHasRunOutTellsNothingMore() {
        AtomicBoolean leads = new AtomicBoolean(true);
        StatusPublisher publisher = publisher(AdmissionPolicies.COMPLETE, UNASKED);
        publisher.begun(leads::get);
        store.written = () -> leads.set(false);
        Outcome outcome = Scenes.outcome();
        publisher.publish(outcome.world(), outcome.deliberation());
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> !store.writes.isEmpty());
        publisher.publish(outcome.world(), outcome.deliberation());
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> store.looks.get() >= 2);
        publisher.close();
        assertThat(store.writes).as("what was under way, and no more").hasSize(1);
    }

    /** Nothing is written any more, and what failed before is due at once each time. */
    @Test
    void whoseLeadershipHasRunOutLooksWithPauses() {
        AtomicBoolean leads = new AtomicBoolean(true);
        AtomicReference<Instant> now = new AtomicReference<>(Scenes.NOW);
        StatusPublisher publisher = new StatusPublisher(
                store,
                ignored -> {},
                new FabricMetrics(new SimpleMeterRegistry()),
                AdmissionPolicies.COMPLETE,
                UNASKED,
                now::get);
        publisher.begun(leads::get);
        store.refused = store.fabric.getMetadata().getName();
        store.written = () -> {
            leads.set(false);
            now.set(Scenes.NOW.plus(Duration.ofMinutes(1)));
        };
        long beganNanos = System.nanoTime();
        publisher.publish(Scenes.outcome().world(), Scenes.outcome().deliberation());
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> store.rounds.get() >= 8);
        int rounds = store.rounds.get();
        publisher.close();
        assertThat(Duration.ofNanos(System.nanoTime() - beganNanos))
                .as("a pause between two rounds of %d", rounds)
                .isGreaterThan(StatusPublisher.BREATH.multipliedBy(rounds - 2));
    }

    @Test
    void whoseLeadershipEndsWhileJobsAreCountedShowsNone() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        FabricMetrics metrics = new FabricMetrics(registry);
        StatusPublisher publisher = new StatusPublisher(
                store, ignored -> {}, metrics, AdmissionPolicies.COMPLETE, UNASKED, InstantSource.system());
        Outcome outcome = Scenes.outcome();
        publisher.publish(outcome.world(), outcome.deliberation());
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> !registry.find("lightpath.job.count").gauges().isEmpty());
        CountDownLatch ended = new CountDownLatch(1);
        store.looked = () -> {
            publisher.ended();
            metrics.ended();
            ended.countDown();
        };
        store.jobListener.run();
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> ended.getCount() == 0);
        store.looked = () -> {};
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .during(Duration.ofSeconds(1))
                .until(() -> registry.find("lightpath.job.count").gauges().isEmpty());
        publisher.begun(() -> true);
        publisher.publish(outcome.world(), outcome.deliberation());
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> !registry.find("lightpath.job.count").gauges().isEmpty());
        publisher.close();
    }

    @Test
    void aJobThatBecameReadyIsCountedWithoutANewPass() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        StatusPublisher publisher = publisher(AdmissionPolicies.COMPLETE, UNASKED, registry);
        Outcome outcome = Scenes.outcome();
        publisher.publish(outcome.world(), outcome.deliberation());
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() ->
                        store.writes.stream().map(Object::getClass).distinct().count() == 3);
        TrainingJob job = new TrainingJob();
        job.setMetadata(new ObjectMetaBuilder()
                .withUid("u")
                .withCreationTimestamp(Scenes.NOW.toString())
                .build());
        store.jobs = List.of(job);
        store.jobListener.run();
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() ->
                        registry.find("lightpath.job.count").gauges().stream().anyMatch(g -> g.value() == 1));
        publisher.close();
    }
}
