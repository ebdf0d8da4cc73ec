package dev.lightpath.console.picture;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.lightpath.console.Look;
import dev.lightpath.console.report.Fabrics;
import dev.lightpath.console.report.JobTree;
import dev.lightpath.console.report.ShownCondition;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.job.Parallelism;
import dev.lightpath.crds.job.PlacementSummary;
import dev.lightpath.crds.job.Prediction;
import dev.lightpath.crds.job.Preempted;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.TrainingJobStatus;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.reading.JobPriority;
import dev.lightpath.reading.SliceParts;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A job: what it asked for, what it has, how well that works, and what it waits for.
 *
 * @param created RFC 3339
 * @param waits one sentence for each thing it waits for; none for a job that is Ready
 * @param fabrics that its spec names, by the kind of its share: scaleUp, scaleOut
 * @param tree the job down to its nodes
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record JobPicture(
        String namespace,
        String name,
        String created,
        ShownCondition ready,
        List<String> waits,
        boolean suspended,
        int priority,
        @Nullable String priorityClass,
        Parallelism parallelism,
        @Nullable String scaleUp,
        @Nullable String scaleOut,
        @Nullable PlacementSummary placement,
        @Nullable Prediction prediction,
        @Nullable Preempted preempted,
        JobTree tree) {

    /** Empty when there is no such job, or the viewer may not see it. Linear in slices, members and nodes. */
    public static Optional<JobPicture> of(String namespace, String name, Look look) {
        return look.sight().shows(namespace) ? look.job(namespace, name).map(job -> of(job, look)) : Optional.empty();
    }

    private static JobPicture of(TrainingJob job, Look look) {
        TrainingJobStatus status = job.getStatus();
        List<ShownCondition> conditions = status == null ? List.of() : ShownCondition.of(status.conditions());
        ShownCondition ready = ShownCondition.find(conditions, ConditionType.READY);
        Fabrics fabrics = Fabrics.of(look.fabrics(), look.switches(), look.nodes());
        return new JobPicture(
                job.getMetadata().getNamespace(),
                job.getMetadata().getName(),
                Objects.requireNonNullElse(job.getMetadata().getCreationTimestamp(), ""),
                ready,
                ready.holds() ? List.of() : waits(job, ready, look),
                job.getSpec().suspend(),
                JobPriority.of(job).value(),
                job.getSpec().priorityClassName(),
                job.getSpec().parallelism(),
                job.getSpec().scaleUp() == null ? null : job.getSpec().scaleUp().fabric(),
                job.getSpec().scaleOut() == null
                        ? null
                        : job.getSpec().scaleOut().fabric(),
                status == null ? null : status.placement(),
                status == null ? null : status.prediction(),
                status == null ? null : status.preempted(),
                JobTree.of(job, look.slices(), fabrics, List.of()));
    }

    /**
     * The job's own words, then those of its slices that say something else, then those of fabrics that stand still.
     */
    private static List<String> waits(TrainingJob job, ShownCondition ready, Look look) {
        Set<String> waits = new LinkedHashSet<>();
        waits.add(ready.sentence());
        List<String> fabrics = new ArrayList<>();
        for (FabricSlice slice : look.slices()) {
            boolean own = slice.getSpec().job() != null
                    && Objects.equals(
                            slice.getSpec().job().uid(), job.getMetadata().getUid())
                    && !SliceParts.isPart(slice);
            if (own && slice.getStatus() != null) {
                fabrics.add(slice.getSpec().fabric());
                ShownCondition of =
                        ShownCondition.find(ShownCondition.of(slice.getStatus().conditions()), ConditionType.READY);
                if (!of.holds() && !of.sentence().equals(ready.sentence())) {
                    waits.add("on fabric " + slice.getSpec().fabric() + ": " + of.sentence());
                }
            }
        }
        for (String name : look.sight().fabrics() ? fabrics : List.<String>of()) {
            look.fabric(name)
                    .filter(fabric -> fabric.getStatus() != null)
                    .map(fabric -> ShownCondition.find(
                            ShownCondition.of(fabric.getStatus().conditions()), ConditionType.READY))
                    .filter(of -> !of.holds())
                    .ifPresent(of -> waits.add("fabric " + name + " itself: " + of.sentence()));
        }
        return List.copyOf(waits);
    }
}
