package dev.lightpath.app.job;

import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.reading.label.Labels;
import io.javaoperatorsdk.operator.processing.event.source.filter.OnUpdateFilter;
import java.util.Objects;

/**
 * Which changes of a job its reconciler hears: of the spec, the deletion, and the annotation that it reads. What it writes
 * itself, status and finalizer, is none of these. Stateless.
 *
 * <p>In place of the framework's filter, which hears of generations alone: an annotation changes none.
 */
public final class JobNews implements OnUpdateFilter<TrainingJob> {
    @Override
    public boolean accept(TrainingJob after, TrainingJob before) {
        return !Objects.equals(
                        after.getMetadata().getGeneration(),
                        before.getMetadata().getGeneration())
                || (after.isMarkedForDeletion() && !before.isMarkedForDeletion())
                || !Labels.annotation(after, LightpathAnnotations.ITERATION_SECONDS)
                        .equals(Labels.annotation(before, LightpathAnnotations.ITERATION_SECONDS));
    }
}
