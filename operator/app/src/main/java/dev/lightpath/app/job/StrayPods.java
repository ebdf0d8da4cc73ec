package dev.lightpath.app.job;

import dev.lightpath.app.conditions.ObjectEvent;
import dev.lightpath.app.job.workload.WorkloadReading;
import dev.lightpath.crds.EventReason;
import dev.lightpath.crds.LightpathLabels;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Tells a pod that waits behind the gate, and whose label names no TrainingJob, so: an event of the pod, once. Its job
 * may come a while after it. From any thread; O(1) for each pod that is seen.
 */
final class StrayPods implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StrayPods.class);
    /** So long a job may come later than its pods. */
    static final Duration JOB_AWAITED = Duration.ofSeconds(15);

    private static final String UNTOLD = "a pod without a TrainingJob cannot be told; trying again";
    private static final Duration ROUND = Duration.ofSeconds(5);
    /** Of more than these the oldest are forgotten, and one that was told is told again if it changes. */
    private static final int MOST = 4096;
    /** All events of the operator wait for each other: a thousand of these would keep those of jobs waiting. */
    static final int MOST_A_ROUND = 50;

    private record Stray(ResourceID pod, String uid, ResourceID job, long dueNanos, boolean told) {
        Stray asTold() {
            return new Stray(pod, uid, job, dueNanos, true);
        }
    }

    private final KubernetesClient client;
    private final Predicate<ResourceID> isThere;
    private final BooleanSupplier leading;
    private final BiConsumer<Pod, ObjectEvent> events;
    private final LongSupplier nanos;
    /** By the UID of the pod, the oldest first. */
    private final Map<String, Stray> strays = new LinkedHashMap<>();

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("stray-pods").daemon().factory());

    /**
     * @param isThere whether there is a TrainingJob of that name
     * @param leading whether this replica may write
     * @param nanos monotonic
     */
    StrayPods(
            KubernetesClient client,
            Predicate<ResourceID> isThere,
            BooleanSupplier leading,
            BiConsumer<Pod, ObjectEvent> events,
            LongSupplier nanos) {
        this.client = client;
        this.isThere = isThere;
        this.leading = leading;
        this.events = events;
        this.nanos = nanos;
        thread.scheduleWithFixedDelay(this::tellAll, ROUND.toMillis(), ROUND.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** A watch shows it; nothing is asked of the API server here. */
    void saw(Pod pod) {
        @Nullable Map<String, String> labels = pod.getMetadata().getLabels();
        @Nullable String job = labels == null ? null : labels.get(LightpathLabels.JOB);
        if (job == null || !WorkloadReading.isGated(pod)) {
            return;
        }
        String namespace = pod.getMetadata().getNamespace();
        ResourceID named = new ResourceID(job, namespace);
        if (isThere.test(named)) {
            return;
        }
        Stray stray = new Stray(
                new ResourceID(pod.getMetadata().getName(), namespace),
                pod.getMetadata().getUid(),
                named,
                nanos.getAsLong() + JOB_AWAITED.toNanos(),
                false);
        synchronized (strays) {
            strays.putIfAbsent(stray.uid(), stray);
            if (strays.size() > MOST) {
                strays.remove(strays.keySet().iterator().next());
            }
        }
    }

    /** What is due, a few at a time. */
    void tellAll() {
        if (!leading.getAsBoolean()) {
            return;
        }
        for (Stray stray : due()) {
            try {
                tell(stray);
            } catch (KubernetesClientException e) {
                untold(stray).addKeyValue("failure", e.getMessage()).log(UNTOLD);
            } catch (RuntimeException | Error e) {
                // whatever it is: the others are told all the same
                untold(stray).setCause(e).log(UNTOLD);
            }
        }
    }

    private static LoggingEventBuilder untold(Stray stray) {
        return LOG.atWarn().addKeyValue("pod", stray.pod());
    }

    private List<Stray> due() {
        synchronized (strays) {
            strays.values().removeIf(stray -> isThere.test(stray.job()));
            List<Stray> due = new ArrayList<>();
            for (Stray stray : strays.values()) {
                if (due.size() < MOST_A_ROUND && !stray.told() && stray.dueNanos() - nanos.getAsLong() <= 0) {
                    due.add(stray);
                }
            }
            return due;
        }
    }

    private void tell(Stray stray) {
        @Nullable
        Pod pod = client.pods()
                .inNamespace(stray.pod().getNamespace().orElseThrow())
                .withName(stray.pod().getName())
                .get();
        boolean waits = pod != null && stray.uid().equals(pod.getMetadata().getUid()) && WorkloadReading.isGated(pod);
        synchronized (strays) {
            if (waits) {
                strays.replace(stray.uid(), stray.asTold());
            } else {
                strays.remove(stray.uid());
            }
        }
        if (waits) {
            events.accept(
                    pod,
                    new ObjectEvent(
                            EventReason.NO_TRAINING_JOB,
                            true,
                            "waits behind the scheduling gate lightpath.dev/circuits, and there is no TrainingJob "
                                    + stray.job().getName() + " (label " + LightpathLabels.JOB
                                    + "): create one with workload.ref of kind Pod"));
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
