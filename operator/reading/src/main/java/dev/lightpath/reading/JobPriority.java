package dev.lightpath.reading;

import dev.lightpath.crds.job.ClassPriority;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.TrainingJobStatus;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * When a job is served, by its {@code spec.priority} or by the PriorityClass that it names.
 *
 * @param value higher first
 * @param preempts whether it may take the place of jobs of lower priority, where the fabric allows that
 */
public record JobPriority(int value, boolean preempts) {
    /** Of a job that is gone, or whose class was not read yet: after those that ask for nothing less. */
    public static final JobPriority UNKNOWN = new JobPriority(0, false);

    public static JobPriority of(TrainingJob job) {
        return job.getSpec().priorityClassName() == null
                ? new JobPriority(job.getSpec().priority(), true)
                : told(job)
                        .map(read -> new JobPriority(read.value(), read.preempts()))
                        .orElse(UNKNOWN);
    }

    /** What its status says of the class that it names now; empty if that was not read yet. */
    public static Optional<ClassPriority> told(TrainingJob job) {
        @Nullable TrainingJobStatus status = job.getStatus();
        return Optional.ofNullable(status == null ? null : status.classPriority())
                .filter(read -> read.className().equals(job.getSpec().priorityClassName()));
    }

    /** The class that it names and whose value nobody has read yet; empty if there is none such. */
    public static Optional<String> unread(TrainingJob job) {
        return Optional.ofNullable(job.getSpec().priorityClassName())
                .filter(named -> told(job).isEmpty());
    }

    public static ClassPriority read(PriorityClass named) {
        return new ClassPriority(
                named.getMetadata().getName(), named.getValue(), !"Never".equals(named.getPreemptionPolicy()));
    }
}
