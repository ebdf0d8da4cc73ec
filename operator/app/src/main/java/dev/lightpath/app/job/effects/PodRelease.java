package dev.lightpath.app.job.effects;

import dev.lightpath.app.job.facts.SliceFacts;
import dev.lightpath.app.job.plan.JobStep;
import dev.lightpath.app.job.plan.LitPlaces;
import dev.lightpath.app.job.reading.Concurrently;
import dev.lightpath.app.job.reading.InFlight;
import dev.lightpath.app.job.workload.PodPatch;
import dev.lightpath.app.objects.PodWitness;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.FabricSlice;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets the pods of a job go to their nodes: one write each, a few under way at a time, each over light that was just
 * read. A pod is read only where nothing showed it, or where it changed since.
 */
final class PodRelease {
    private static final Logger LOG = LoggerFactory.getLogger(PodRelease.class);

    /**
     * So long a job's light is taken to be as it was read while its pods are let go, unless a watch tells of a later
     * record. Where reading takes as long as that, it counts for those that go at once after it.
     */
    private static final Duration LIGHT_KNOWN = Duration.ofMillis(100);

    private final KubernetesClient client;
    private final BiFunction<TrainingJob, Set<String>, List<SliceFacts>> slices;
    private final PodWitness letGo;

    PodRelease(
            KubernetesClient client, BiFunction<TrainingJob, Set<String>, List<SliceFacts>> slices, PodWitness letGo) {
        this.client = client;
        this.slices = slices;
        this.letGo = letGo;
    }

    /**
     * Rank 0, whom the others wait for, goes first and alone. The others follow in the order of the steps, until one
     * has no light at its place any more.
     *
     * @return false when all is to be read and planned again
     * @throws Refused where the API server does not take it of a pod: those after that stay behind the gate
     */
    boolean letGo(TrainingJob job, List<JobStep.Ungate> ungates, Shown shown, BooleanSupplier leads) {
        if (ungates.isEmpty()) {
            return true;
        }
        Light light = new Light(job, shown);
        try (InFlight calls = new InFlight()) {
            boolean waited = false;
            for (JobStep.Ungate step : ungates) {
                waited |= calls.isFull();
                if (!calls.awaitPlace()) {
                    break;
                }
                boolean lit = light.has(step, waited);
                if (!lit || !leads.getAsBoolean()) {
                    calls.awaitAll();
                    if (!lit) {
                        tell(job, step);
                    }
                    return false;
                }
                calls.send(() -> letGo(job, step, shown));
                waited = step.place().rank() == 0;
                if (waited) {
                    calls.awaitAll();
                }
            }
            return calls.awaitAll();
        }
    }

    private static void tell(TrainingJob job, JobStep.Ungate step) {
        LOG.atInfo()
                .addKeyValue("namespace", job.getMetadata().getNamespace())
                .addKeyValue("job", job.getMetadata().getName())
                .addKeyValue("pod", step.pod())
                .log(
                        "its light, its node or its place is not as it was decided: it and those after it stay behind the gate");
    }

    /** Light of a job, as it was last read. */
    private final class Light {
        private final TrainingJob job;
        private final Shown shown;
        private List<SliceFacts> now = List.of();
        private LitPlaces places = LitPlaces.of(now);
        private long readNanos;
        /** Asked about since then. */
        private int asked;

        private Light(TrainingJob job, Shown shown) {
            this.job = job;
            this.shown = shown;
        }

        /** @param waited whether others were waited for since the step before */
        boolean has(JobStep.Ungate step, boolean waited) {
            List<FabricSlice> watched = shown.slices();
            boolean old = System.nanoTime() - readNanos > LIGHT_KNOWN.toNanos();
            if (now.isEmpty() || old && (waited || asked >= Concurrently.AT_A_TIME) || isOutdated(watched)) {
                // a slice that is asked for by its name is read at once; a list waits for the cache of the API server
                Set<String> names = new TreeSet<>(shown.planned());
                if (!names.isEmpty()) {
                    watched.forEach(slice -> names.add(slice.getMetadata().getName()));
                }
                readNanos = System.nanoTime();
                asked = 0;
                now = slices.apply(job, names);
                places = LitPlaces.of(now);
            }
            asked++;
            return places.has(step);
        }

        private boolean isOutdated(List<FabricSlice> watched) {
            return now.stream().anyMatch(known -> watched.stream().anyMatch(known::isOlderThan));
        }
    }

    private boolean letGo(TrainingJob job, JobStep.Ungate step, Shown shown) {
        return shown.pod(step.pod()).filter(pod -> letGo(job, step, pod, false)).isPresent()
                || read(job, step).map(pod -> letGo(job, step, pod, true)).orElse(false);
    }

    private Optional<Pod> read(TrainingJob job, JobStep.Ungate step) {
        return Optional.ofNullable(client.pods()
                .inNamespace(job.getMetadata().getNamespace())
                .withName(step.pod())
                .get());
    }

    /** False when it is not as it was read; one without our gate was let go before. */
    private boolean letGo(TrainingJob job, JobStep.Ungate step, Pod pod, boolean read) {
        return PodPatch.ungate(pod, job.getMetadata().getName(), step.place(), step.attempt(), step.notes())
                .map(patch -> new PodChange(client).tried(step, pod, read, patch, letGo::saw))
                .orElse(true);
    }
}
