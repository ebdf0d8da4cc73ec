package dev.lightpath.app.kueue;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the checks of Workloads that no TrainingJob answers. One whose pods wait behind no gate of ours needs no
 * light. One whose pods do waits for a TrainingJob, or for one that is accepted, and holds no quota meanwhile. One
 * after the other, each as it is then: of a thousand pods without a group none is left out.
 */
public final class UnlitWorkloads implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(UnlitWorkloads.class);
    private static final Duration SOON = Duration.ofMillis(200);

    private record Name(String namespace, String name) {}

    private final Workloads workloads;
    private final Function<QueuedWorkload, Standing> standing;
    private final BooleanSupplier leading;
    private final InstantSource clock;
    /** When each is to be looked at. */
    private final ConcurrentMap<Name, Instant> waiting = new ConcurrentHashMap<>();

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("kueue-checks").daemon().factory());

    /**
     * @param standing which TrainingJob stands for it
     * @param leading whether this replica may write
     */
    public UnlitWorkloads(
            Workloads workloads,
            Function<QueuedWorkload, Standing> standing,
            BooleanSupplier leading,
            InstantSource clock) {
        this.workloads = workloads;
        this.standing = standing;
        this.leading = leading;
        this.clock = clock;
        thread.scheduleWithFixedDelay(this::answerAll, SOON.toMillis(), SOON.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** A watch shows it; nothing is asked of the API server here. */
    public void saw(GenericKubernetesResource workload) {
        waiting.put(
                new Name(
                        workload.getMetadata().getNamespace(),
                        workload.getMetadata().getName()),
                Instant.EPOCH);
    }

    /** The TrainingJob that answers it may go. */
    public void left(QueuedWorkload workload) {
        waiting.put(new Name(workload.namespace(), workload.name()), Instant.EPOCH);
    }

    /** It is not there any more: one that does not lead keeps no names of those that are gone. */
    public void gone(GenericKubernetesResource workload) {
        waiting.remove(new Name(
                workload.getMetadata().getNamespace(), workload.getMetadata().getName()));
    }

    private void answerAll() {
        Instant now = clock.instant();
        for (Map.Entry<Name, Instant> entry : waiting.entrySet()) {
            if (!leading.getAsBoolean()) {
                return;
            }
            Name each = entry.getKey();
            // taken out first: what a watch shows meanwhile is looked at again
            if (entry.getValue().isAfter(now) || !waiting.remove(each, entry.getValue())) {
                continue;
            }
            try {
                look(each, now).ifPresent(again -> waiting.putIfAbsent(each, now.plus(again)));
            } catch (KubernetesClientException e) {
                waiting.putIfAbsent(each, now.plus(UnlitStep.JOB_AWAITED));
                LOG.atWarn()
                        .addKeyValue("workload", each.namespace() + "/" + each.name())
                        .addKeyValue("failure", e.getMessage())
                        .log("an AdmissionCheck cannot be answered; trying again");
            }
        }
    }

    /** When to look again; empty when nothing is to be answered before a watch shows a change. */
    private Optional<Duration> look(Name name, Instant now) {
        Optional<QueuedWorkload> found = workloads.named(name.namespace(), name.name());
        if (found.isEmpty()) {
            return Optional.empty();
        }
        QueuedWorkload workload = found.get();
        return switch (UnlitStep.of(workload, standing.apply(workload), now)) {
            case UnlitStep.Leave nothing -> Optional.empty();
            case UnlitStep.LookAgain later -> Optional.of(later.in());
            case UnlitStep.Tend parked -> Optional.of(workloads.tend(workload, parked.noPlace(), now));
            case UnlitStep.Answer due ->
                workloads.answer(workload, due.answer(), now) ? Optional.empty() : Optional.of(SOON);
        };
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
