package dev.lightpath.app.job;

import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.reading.label.Labels;
import io.javaoperatorsdk.operator.processing.event.source.filter.OnUpdateFilter;
import java.util.List;
import java.util.Objects;

/**
 * Which changes of a job its reconciler hears: of the spec, the deletion, and the annotations that it reads. What it
 * writes itself, status and finalizer, is none of these. Stateless.
 *
 * <p>In place of the framework's filter, which hears of generations alone: an annotation changes none.
 */
public final class JobNews implements OnUpdateFilter<TrainingJob> {
    private static final List<String> READ =
            List.of(LightpathAnnotations.ITERATION_SECONDS, LightpathAnnotations.AGREED_REVISION);

    @Override
    public boolean accept(TrainingJob after, TrainingJob before) {
        return !Objects.equals(
                        after.getMetadata().getGeneration(),
                        before.getMetadata().getGeneration())
                || (after.isMarkedForDeletion() && !before.isMarkedForDeletion())
                || READ.stream().anyMatch(key -> !Labels.annotation(after, key).equals(Labels.annotation(before, key)));
    }
}
