package dev.lightpath.app.job.workload;

import static dev.lightpath.app.job.plan.SampleJob.condition;
import static dev.lightpath.app.job.plan.SampleJob.gated;
import static dev.lightpath.app.job.plan.SampleJob.running;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.lightpath.app.job.facts.PodFacts;
import dev.lightpath.app.job.facts.TemplateProblem;
import dev.lightpath.app.job.facts.WorkloadFacts;
import dev.lightpath.app.job.plan.SampleJob;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.job.TrainingJobStatus;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Templates that are edited while their job waits for room. */
class TemplateTrialTest {
    private final SampleJob sample = new SampleJob();

    @Test
    void isDueOnceForEachChangeOfAJobThatWaits() {
        assertThat(isDue()).as("no slice yet").isTrue();
        sample.waiting(condition(ConditionType.ALLOCATED, "False", "InsufficientCapacity"));
        assertThat(isDue()).as("never told").isTrue();
        sample.status = told(6, condition(ConditionType.ACCEPTED, "True", "Satisfied"));
        assertThat(isDue()).as("the job was changed").isTrue();
        sample.status = told(7, condition(ConditionType.ACCEPTED, "True", "Satisfied"));
        assertThat(isDue()).isFalse();
        sample.status = told(7, condition(ConditionType.ACCEPTED, "False", "InvalidTemplate"));
        assertThat(isDue()).as("it was refused").isTrue();
        sample.slices.clear();
        sample.placed().status = told(7, condition(ConditionType.ACCEPTED, "True", "Satisfied"));
        assertThat(isDue()).as("its JobSet is next").isTrue();
    }

    private boolean isDue() {
        return TemplateTrial.isDue(sample.job(), sample.facts().slices());
    }

    private static TrainingJobStatus told(long generation, Condition... conditions) {
        for (Condition condition : conditions) {
            condition.setLastTransitionTime(SampleJob.NOW.toString());
        }
        return TrainingJobStatus.builder()
                .observedGeneration(generation)
                .conditions(List.of(conditions))
                .build();
    }

    /** Placed, its workload could not be changed any more. */
    @Test
    void aJobWhoseTemplateIsRefusedDoesNotKeepAPlaceThatItWasJustGiven() {
        sample.lit().own();
        refused();
        sample.status = told(7, condition(ConditionType.PLACED, "False", "InsufficientCapacity"));
        assertThat(sample.steps()).isEmpty();
        assertThat(sample.told().attempt()).isEqualTo(2);
        assertThat(sample.says(ConditionType.PLACED)).startsWith("Unknown");
        assertThat(sample.message(ConditionType.PLACED))
                .isEqualTo("the light of attempt 1 goes down; no new place is asked for before the job is accepted");
        assertThat(sample.says(ConditionType.ACCEPTED)).isEqualTo("False InvalidTemplate");
        sample.status = sample.told();
        sample.slices.clear();
        sample.released();
        assertThat(sample.steps()).containsExactly(sample.deletion());
        sample.slices.clear();
        assertThat(sample.steps()).isEmpty();
        assertThat(sample.told().attempt()).isEqualTo(2);
        assertThat(sample.told().slices()).isEmpty();
    }

    @Test
    void aJobThatWasPlacedOrHasPodsKeepsWhatItHas() {
        sample.lit().own();
        refused();
        sample.status = told(7, condition(ConditionType.PLACED, "True", "Satisfied"));
        assertThat(sample.told().attempt()).isEqualTo(1);
        sample.status = told(7, condition(ConditionType.PLACED, "False", "InvalidWiring"));
        refused(running(0));
        assertThat(sample.told().attempt()).isEqualTo(1);
        refused(gated(0));
        assertThat(sample.told().attempt()).as("they never ran").isEqualTo(2);
    }

    /** A quota that somebody filled meanwhile, or a JobSet of another: that may go, and no template helps. */
    @Test
    void aJobKeepsThePlaceThatItWasJustGivenWhereAnotherTemplateWouldNotHelp() {
        sample.lit().own();
        refusedFor(TemplateProblem.ofCluster("exceeded quota: jobsets"));
        sample.status = told(7, condition(ConditionType.PLACED, "False", "InsufficientCapacity"));
        assertThat(sample.told().attempt()).isEqualTo(1);
        assertThat(sample.says(ConditionType.PLACED)).isEqualTo("True Satisfied");
        assertThat(sample.says(ConditionType.ACCEPTED)).isEqualTo("False InvalidTemplate");
        assertThat(sample.steps()).as("its JobSet is not made").isEmpty();
    }

    @Test
    void theAnswerOfTheApiServerSaysWhetherAnotherTemplateMayBeTaken() {
        for (int code : List.of(400, 422)) {
            assertThat(TemplateProblem.answered(answer(code)))
                    .contains(TemplateProblem.ofTemplate("in the words of " + code));
        }
        assertThat(forbidden("admission webhook \"images\" denied the request: none of ours"))
                .isTrue();
        for (String words : List.of(
                "jobsets.jobset.x-k8s.io \"own\" is forbidden: exceeded quota: sets, requested: 1, used: 1, limited: 1",
                "podtemplates \"own\" is forbidden: failed quota: sets: must specify limits.cpu",
                "jobsets.jobset.x-k8s.io is forbidden: User \"o\" cannot create resource \"jobsets\" in API group")) {
            assertThat(forbidden(words)).as(words).isFalse();
        }
        assertThat(TemplateProblem.answered(answer(404))).hasValueSatisfying(problem -> {
            assertThat(problem.mendable()).isFalse();
            assertThat(problem.words()).contains("install JobSet");
        });
        assertThat(TemplateProblem.answered(answer(409))).isEmpty();
        assertThatExceptionOfType(KubernetesClientException.class)
                .isThrownBy(() -> TemplateProblem.answered(answer(503)));
        assertThat(TemplateProblem.answered(new KubernetesClientException("no status", 422, null)))
                .contains(TemplateProblem.ofTemplate("no status"));
    }

    /** Whether it may be mended. */
    private static boolean forbidden(String words) {
        TemplateProblem problem = TemplateProblem.answered(new KubernetesClientException(words, 403, null))
                .orElseThrow();
        assertThat(problem.words()).isEqualTo(words);
        return problem.mendable();
    }

    private static KubernetesClientException answer(int code) {
        return new KubernetesClientException(
                "POST failed",
                code,
                new StatusBuilder()
                        .withCode(code)
                        .withMessage("in the words of " + code)
                        .build());
    }

    private void refused(PodFacts... pods) {
        refusedFor(TemplateProblem.ofTemplate("containers: Required value"), pods);
    }

    private void refusedFor(TemplateProblem problem, PodFacts... pods) {
        sample.workload =
                new WorkloadFacts.Own(SampleJob.JOB_SET, Optional.empty(), List.of(pods), Optional.of(problem));
    }
}
