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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Answers the checks of Workloads that no TrainingJob answers. One whose pods wait behind no gate of ours needs no
 * light. One whose pods do waits for a TrainingJob, or for one that is accepted, and holds no quota meanwhile. One
 * after the other, each as it is then: of a thousand pods without a group none is left out.
 */
public final class UnlitWorkloads implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(UnlitWorkloads.class);
    private static final Duration SOON = Duration.ofMillis(200);
    private static final String UNANSWERED = "an AdmissionCheck cannot be answered; trying again";

    private record Name(String namespace, String name) {}

    private final Workloads workloads;
    private final Function<QueuedWorkload, Standing> standing;
    private final BooleanSupplier leading;
    private final InstantSource clock;
    /** When each is to be looked at. */
    private final ConcurrentMap<Name, Instant> waiting = new ConcurrentHashMap<>();

    private final AtomicBoolean begun = new AtomicBoolean();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("kueue-checks").daemon().factory());

    /**
     * Answers nothing before {@link #begin}.
     *
     * @param standing which TrainingJob stands for it
     * @param leading whether this replica may write now; nothing is looked at while it may not
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
    }

    /**
     * Begins to answer, if it has not begun: once everything was read that says which TrainingJob stands for a
     * Workload. Before that each would seem to have none.
     */
    public void begin() {
        if (begun.compareAndSet(false, true)) {
            thread.scheduleWithFixedDelay(this::answerAll, 0, SOON.toMillis(), TimeUnit.MILLISECONDS);
        }
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
                again(each, now).addKeyValue("failure", e.getMessage()).log(UNANSWERED);
            } catch (RuntimeException | Error e) {
                // whatever it is: the others are answered all the same
                again(each, now).setCause(e).log(UNANSWERED);
            }
        }
    }

    private LoggingEventBuilder again(Name each, Instant now) {
        waiting.putIfAbsent(each, now.plus(UnlitStep.JOB_AWAITED));
        return LOG.atWarn().addKeyValue("workload", each.namespace() + "/" + each.name());
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
            case UnlitStep.Tend parked ->
                Optional.of(workloads.tend(workload, parked.noPlace(), parked.refused(), false, now));
            case UnlitStep.Forget stale -> {
                workloads.forget(workload);
                yield Optional.of(SOON);
            }
            case UnlitStep.Answer due ->
                workloads.answer(workload, due.answer(), now) ? Optional.empty() : Optional.of(SOON);
        };
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
