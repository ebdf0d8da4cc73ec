package dev.lightpath.crds.job;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.lightpath.crds.job.agreement.Agreement;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** What to train, how it is split over GPUs, on which fabrics. */
@JsonClassDescription("What to train, how it is split over GPUs, on which fabrics.")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@ValidationRule(
        value = "has(self.scaleUp) || has(self.scaleOut)",
        message = "write scaleUp, scaleOut or both: without a fabric there is no light to plan")
@ValidationRule(
        value = "has(self.model) || !has(self.scaleOut) || has(self.scaleOut.torus) || has(self.scaleOut.traffic)",
        message = "write model, or scaleOut.traffic: circuits on switches follow the traffic of the job")
@ValidationRule(
        value = "!has(self.scaleUp) || !has(self.scaleOut) || !has(self.scaleOut.torus)",
        message = "scaleOut.torus has its own links inside a cube: omit scaleUp")
@ValidationRule(
        value = "!has(self.parallelism.minimumData) || has(self.workload) && has(self.workload.template)",
        message = "parallelism.minimumData: only a job with pods of workload.template runs with fewer replicas; omit"
                + " minimumData")
@ValidationRule(
        value = "!has(self.parallelism.minimumData) || !has(self.scaleUp) || !has(self.scaleOut)",
        message = "parallelism.minimumData: a job on a ring and on switches has all its replicas or none; omit"
                + " minimumData, scaleUp or scaleOut")
@ValidationRule(
        value = "!has(self.parallelism.minimumData) || !has(self.scaleOut) || !has(self.scaleOut.torus)",
        message = "parallelism.minimumData: a torus has one size; omit minimumData")
@ValidationRule(
        value = "!has(self.parallelism.minimumData) || !has(self.scaleOut) || !has(self.scaleOut.traffic)",
        message = "parallelism.minimumData: recorded traffic is that of all replicas; omit minimumData or"
                + " scaleOut.traffic")
@ValidationRule(
        value = "!has(self.scaleOut) || has(self.scaleOut.torus) || has(self.scaleOut.traffic)"
                + " || (has(self.microBatches) ? self.microBatches : 8 * self.parallelism.pipeline)"
                + " * self.parallelism.pipeline <= 32768",
        message = "microBatches * parallelism.pipeline must be at most 32768 where circuits follow traffic: write fewer"
                + " microBatches (omitted, they are 8 * parallelism.pipeline)")
@ValidationRule(
        value = "!has(self.scaleOut) || !has(self.scaleOut.torus) || !has(self.workload)"
                + " || !self.scaleOut.torus.chips.matches('^[0-9]{1,4}x[0-9]{1,4}x[0-9]{1,4}$')"
                + " || self.parallelism.tensor * self.parallelism.pipeline * self.parallelism.data"
                + " * self.parallelism.context <= self.scaleOut.torus.chips.split('x').map(size, int(size))[0]"
                + " * self.scaleOut.torus.chips.split('x').map(size, int(size))[1]"
                + " * self.scaleOut.torus.chips.split('x').map(size, int(size))[2]",
        message = "parallelism asks for more GPUs than scaleOut.torus.chips has: write a larger torus, or fewer GPUs")
@ValidationRule(
        value = "!has(self.priorityClassName) || !has(self.priority) || self.priority == 0",
        message = "write priority or priorityClassName: the class has a priority of its own")
@ValidationRule(
        value = "!has(self.agreement) || has(self.workload)",
        message = "agreement needs workload: light without pods of the job moves without asking")
public record TrainingJobSpec(
        @JsonPropertyDescription("""
                The model, as far as its traffic depends on it. Circuits on switches follow it, so with scaleOut it is \
                required, but for traffic and torus. A ring needs none. With scaleOut it is fixed once the job is Placed.\
                """) @Nullable Model model,

        @JsonPropertyDescription("How the model is split over GPUs. Fixed once the job is Placed.") @Required
        Parallelism parallelism,

        @JsonPropertyDescription("""
                Micro-batches per iteration and pipeline; omitted: 8 * parallelism.pipeline. If circuits follow \
                traffic, at most 32768 / parallelism.pipeline are planned: with 65 stages or more set a lower number \
                than the default.\
                """) @Min(1) @Max(65536) @Nullable
        Integer microBatches,

        @JsonPropertyDescription("Sequences in one micro-batch.") @Default("1") @Min(1) @Max(65536)
        Integer microBatchSize,

        @JsonPropertyDescription(
                "Tensor-parallel groups on a ring of transceivers. At least one of scaleUp and scaleOut.")
        @Nullable
        ScaleUp scaleUp,

        @JsonPropertyDescription(
                "Pipeline and data parallelism on optical circuit switches. At least one of scaleUp and scaleOut.")
        @Nullable
        ScaleOut scaleOut,

        @JsonPropertyDescription(
                "The pods; omitted: circuits only, without pods of the job. Fixed once the job is Placed.")
        @Nullable
        Workload workload,

        @JsonPropertyDescription("""
                Restarts of the pods of the job before it has Failed, whatever made them fail. Read when their \
                JobSet is made; a change of the number of replicas does not begin the count anew.\
                """) @Default("3") @Min(0) @Max(1000)
        Integer maxRestarts,

        @JsonPropertyDescription("When circuits of a running job may move to improve it: Never, AtRestart or Live.")
        @Default("AtRestart")
        Reconfiguration reconfiguration,

        @JsonPropertyDescription("What happens when a node of the job fails.") @Default("{}")
        Recovery recovery,

        @JsonPropertyDescription("""
                Higher goes first when capacity is short; equal: the older first. It takes the place of placed jobs \
                of lower priority only if policy.preemption of the fabric is LowerPriority.\
                """) @Default("0") @Min(-1000000000) @Max(1000000000)
        Integer priority,

        @JsonPropertyDescription("""
                A PriorityClass (scheduling.k8s.io) whose value is the priority of the job, and of pods of the template \
                that name none; then omit priority. With preemptionPolicy Never the job takes nobody's place. Whoever \
                writes it needs the verb use on the class.\
                """) @Size(min = 1, max = 253) @Nullable
        String priorityClassName,

        @JsonPropertyDescription("true: the pods are deleted, then the circuits; the object stays.") @Default("false")
        Boolean suspend,

        @JsonPropertyDescription("""
                Seconds that the job may have nodes and circuits, from when it was last Placed. Then its pods end and it \
                has Failed (DeadlineExceeded); omitted: any time.\
                """) @Min(1) @Max(315360000) @Nullable
        Integer activeDeadlineSeconds,

        @JsonPropertyDescription("""
                Seconds after which a job that is Complete or Failed is deleted, with its JobSet and pods; omitted: it \
                stays. Without workload.template no pods are deleted.\
                """) @Min(0) @Max(315360000) @Nullable
        Integer ttlSecondsAfterFinished,

        @JsonPropertyDescription("""
                The job is asked before light of its running pods moves on purpose: for a drain, for other jobs, for better \
                circuits. What a fault took never waits. Omitted: it is not asked.\
                """) @Nullable Agreement agreement) {

    public TrainingJobSpec {
        microBatchSize = requireNonNullElse(microBatchSize, 1);
        maxRestarts = requireNonNullElse(maxRestarts, 3);
        reconfiguration = requireNonNullElse(reconfiguration, Reconfiguration.AT_RESTART);
        recovery = requireNonNullElse(recovery, Recovery.DEFAULT);
        priority = requireNonNullElse(priority, 0);
        suspend = requireNonNullElse(suspend, false);
    }

    /** The same split otherwise. */
    public TrainingJobSpec with(Parallelism other) {
        return new TrainingJobSpec(
                model,
                other,
                microBatches,
                microBatchSize,
                scaleUp,
                scaleOut,
                workload,
                maxRestarts,
                reconfiguration,
                recovery,
                priority,
                priorityClassName,
                suspend,
                activeDeadlineSeconds,
                ttlSecondsAfterFinished,
                agreement);
    }

    /** Micro-batches per iteration and pipeline: as given, or 8 per pipeline stage. */
    public int microBatchCount() {
        return microBatches == null ? Math.multiplyExact(8, parallelism.pipeline()) : microBatches;
    }

    /** When a failed node is replaced: as given, or Immediately for a job without pods and WithWorkload otherwise. */
    public Replacement replacement() {
        Replacement wish = recovery.replace();
        if (wish != null) {
            return wish;
        }
        return workload == null ? Replacement.IMMEDIATELY : Replacement.WITH_WORKLOAD;
    }
}
