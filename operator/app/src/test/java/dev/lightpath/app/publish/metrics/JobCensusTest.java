package dev.lightpath.app.publish.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.publish.status.Scenes;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.job.Prediction;
import dev.lightpath.crds.job.Preempted;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.TrainingJobStatus;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class JobCensusTest {
    private static final Instant CREATED = Scenes.NOW;
    private static final Condition PLACED = condition(ConditionType.PLACED, "True", "Satisfied");
    private static final Condition READY = condition(ConditionType.READY, "True", "Satisfied");

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final JobCensus census = new JobCensus(new FabricMetrics(registry));

    private static Condition condition(ConditionType type, String status, String reason) {
        return new ConditionBuilder()
                .withType(type.word())
                .withStatus(status)
                .withReason(reason)
                .build();
    }

    private static TrainingJob job(Condition... conditions) {
        return job(null, conditions);
    }

    private static TrainingJob job(Prediction prediction, Condition... conditions) {
        TrainingJob job = new TrainingJob();
        job.setMetadata(new ObjectMetaBuilder()
                .withUid("u")
                .withNamespace("team")
                .withName("llm")
                .withCreationTimestamp(CREATED.toString())
                .build());
        job.setSpec(OperatorScrape.job("llm", "u").getSpec());
        job.setStatus(TrainingJobStatus.builder()
                .conditions(List.of(conditions))
                .attempt(1)
                .prediction(prediction)
                .build());
        return job;
    }

    private Timer timer() {
        return registry.get("lightpath.job.apply.to.ready").timer();
    }

    private double count(String state) {
        return registry.get("lightpath.job.count").tag("state", state).gauge().value();
    }

    @Test
    void countsEveryJobInOneState() {
        census.take(
                List.of(
                        job(),
                        job(condition(ConditionType.ACCEPTED, "False", "FabricNotFound")),
                        job(condition(ConditionType.ACCEPTED, "False", "Suspended")),
                        job(PLACED),
                        job(PLACED, READY),
                        job(PLACED, condition(ConditionType.READY, "False", "Degraded")),
                        job(condition(ConditionType.COMPLETE, "True", "JobCompleted")),
                        job(condition(ConditionType.FAILED, "True", "MaxRestarts"))),
                CREATED);
        for (String state : JobCensus.STATES) {
            assertThat(count(state)).as(state).isEqualTo(state.equals("releasing") ? 0 : 1);
        }
        census.take(List.of(), CREATED);
        assertThat(count("ready")).isZero();
    }

    @Test
    void countsEachPlaceThatWasTakenOnce() {
        TrainingJob job = job(PLACED);
        census.take(List.of(job), CREATED);
        TrainingJob later = new TrainingJob();
        later.setMetadata(job.getMetadata());
        later.setSpec(job.getSpec());
        later.setStatus(TrainingJobStatus.builder()
                .attempt(1)
                .preempted(new Preempted("team-b/urgent", 1))
                .build());
        census.take(List.of(later), CREATED);
        census.take(List.of(later), CREATED);
        assertThat(count("ready") + count("pending") + count("degraded"))
                .as("a job that did not change counts on")
                .isEqualTo(1);
        assertThat(registry.get("lightpath.job.preemptions").counter().count()).isEqualTo(1);
    }

    /** What else stands in its way comes first in Ready, and its light is gone all the same. */
    @Test
    void aJobWhoseNamespaceWasForbiddenIsDegradedWhenItLosesLight() {
        Condition forbidden = condition(ConditionType.ACCEPTED, "False", "NamespaceNotAllowed");
        Condition notReady = condition(ConditionType.READY, "False", "NamespaceNotAllowed");
        census.take(List.of(job(forbidden, PLACED, notReady)), CREATED);
        assertThat(count("refused")).isEqualTo(1);
        Condition faulted = condition(ConditionType.FABRIC_READY, "False", "FaultPending");
        census.take(List.of(job(forbidden, PLACED, faulted, notReady)), CREATED);
        assertThat(count("degraded")).isEqualTo(1);
        assertThat(count("refused")).isZero();
    }

    @Test
    void timesAJobFromItsCreationToItsFirstReadyOnce() {
        census.take(List.of(job()), CREATED.plusMillis(300));
        census.take(List.of(job(PLACED)), CREATED.plusMillis(500));
        census.take(List.of(job(PLACED, READY)), CREATED.plusMillis(1700));
        census.take(List.of(job(PLACED)), CREATED.plusSeconds(20));
        census.take(List.of(job(PLACED, READY)), CREATED.plusSeconds(30));
        assertThat(timer().count()).isEqualTo(1);
        assertThat(timer().totalTime(TimeUnit.MILLISECONDS)).isEqualTo(1400);
    }

    @Test
    void aJobThatWaitedBeforeWeLookedIsTimedFromItsCreation() {
        census.take(List.of(job()), CREATED.plusSeconds(50));
        census.take(List.of(job(PLACED, READY)), CREATED.plusSeconds(60));
        assertThat(timer().totalTime(TimeUnit.SECONDS)).isEqualTo(60);
    }

    @Test
    void aJobThatHadItsPlaceBeforeWeLookedIsNotTimed() {
        census.take(List.of(job(PLACED)), CREATED.plusSeconds(50));
        census.take(List.of(job(PLACED, READY)), CREATED.plusSeconds(60));
        assertThat(timer().count()).isZero();
    }

    /** Jobs are not counted at each event of many. */
    @Test
    void aJobThatCameAndHadItsPlaceBetweenTwoCountsIsTimedFromItsCreation() {
        census.take(List.of(), CREATED.minusSeconds(5));
        census.take(
                List.of(job(new Prediction("1.0", "0.9", "1.25", 40, 64, true), PLACED, READY)),
                CREATED.plusMillis(900));
        assertThat(timer().count()).isEqualTo(1);
        assertThat(timer().totalTime(TimeUnit.MILLISECONDS)).isEqualTo(900);
        assertThat(registry.get("lightpath.job.ports.saved").summary().count())
                .as("its prediction is told")
                .isEqualTo(1);
    }

    @Test
    void whatOthersMadeReadyIsNotTimed() {
        census.take(List.of(), CREATED.minusSeconds(5));
        census.anew();
        census.take(List.of(job(PLACED, READY)), CREATED.plusSeconds(60));
        assertThat(timer().count()).isZero();
    }

    @Test
    void tellsAPredictionOnce() {
        Prediction prediction = new Prediction("1.0", "0.9", "1.25", 40, 64, true);
        census.take(List.of(job()), CREATED);
        census.take(List.of(job(prediction, PLACED)), CREATED.plusSeconds(1));
        census.take(List.of(job(prediction, PLACED, READY)), CREATED.plusSeconds(2));
        assertThat(registry.get("lightpath.job.ports.saved").summary().totalAmount())
                .isEqualTo(24);
        assertThat(registry.get("lightpath.job.normalized.communication.time")
                        .summary()
                        .count())
                .isEqualTo(1);
    }
}
