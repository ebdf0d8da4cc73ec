package dev.lightpath.app.job;

import dev.lightpath.app.Page;
import dev.lightpath.app.job.facts.JobFacts;
import dev.lightpath.app.job.facts.LightRequest;
import dev.lightpath.app.job.facts.WorkloadFacts;
import dev.lightpath.app.job.plan.Acceptance;
import dev.lightpath.app.job.plan.QueueAnswer;
import dev.lightpath.app.kueue.AdmissionChecks;
import dev.lightpath.app.kueue.Kueue;
import dev.lightpath.app.kueue.NoPlace;
import dev.lightpath.app.kueue.Preemptions;
import dev.lightpath.app.kueue.QueuedWorkload;
import dev.lightpath.app.kueue.QueuedWorkload.Owner;
import dev.lightpath.app.kueue.Standing;
import dev.lightpath.app.kueue.UnlitWorkloads;
import dev.lightpath.app.kueue.Workloads;
import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.TrainingJobStatus;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.IndexedResourceCache;
import io.javaoperatorsdk.operator.processing.GroupVersionKind;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What TrainingJobs have to do with Kueue. Where Kueue is not installed when the operator starts, nothing is watched
 * and nothing is asked.
 */
final class Queues implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Queues.class);
    private static final Duration SOON = Duration.ofMillis(200);

    private final KubernetesClient client;
    private final Leadership leadership;
    private final Workloads workloads;
    private final Preemptions preemptions = new Preemptions();
    private volatile Optional<AdmissionChecks> checks = Optional.empty();
    private volatile Optional<UnlitWorkloads> unlit = Optional.empty();

    Queues(KubernetesClient client, Leadership leadership) {
        this.client = client;
        this.leadership = leadership;
        this.workloads = new Workloads(client, () -> checks.map(AdmissionChecks::names));
    }

    Workloads workloads() {
        return workloads;
    }

    /**
     * The watch of Workloads; empty where Kueue is not installed.
     *
     * @param pods those that carry the label of a job
     */
    List<EventSource<?, TrainingJob>> source(
            EventSourceContext<TrainingJob> context, InformerEventSource<Pod, TrainingJob> pods) {
        GroupVersionKind kind = new GroupVersionKind(Kueue.GROUP, Kueue.VERSION, Kueue.WORKLOAD);
        if (!context.getClient().supports(kind.apiVersion(), Kueue.WORKLOAD)) {
            LOG.atInfo()
                    .addKeyValue("api", kind.apiVersion())
                    .log(
                            "Kueue is not installed: no AdmissionCheck is answered before it is and the operator restarts");
            return List.of();
        }
        StandingJobs standing = new StandingJobs(context.getPrimaryCache(), pods);
        AdmissionChecks ours = AdmissionChecks.watch(client, leadership::leading);
        checks = Optional.of(ours);
        UnlitWorkloads others = new UnlitWorkloads(
                workloads,
                workload -> standing.standing(
                        workload.namespace(),
                        standing.of(workload.namespace(), workload.name(), workload.owners()),
                        workload.owners()),
                // before they are read each look would ask for a Workload, and fail
                () -> leadership.leading() && ours.isRead(),
                InstantSource.system());
        unlit = Optional.of(others);
        return List.of(
                new InformerEventSource<GenericKubernetesResource, TrainingJob>(
                        InformerEventSourceConfiguration.from(kind, TrainingJob.class)
                                .withName("queued")
                                .withSecondaryToPrimaryMapper((GenericKubernetesResource workload) ->
                                        heard(workload, standing, others, preemptions))
                                .withComparableResourceVersion(false)
                                .withItemStore(new NameStore())
                                .withInformerListLimit(Page.LARGE_OBJECTS)
                                .build(),
                        context) {
                    @Override
                    public synchronized void onDelete(GenericKubernetesResource workload, boolean unseen) {
                        super.onDelete(workload, unseen);
                        others.gone(workload);
                        preemptions.gone(workload.getMetadata().getUid());
                    }
                });
    }

    /** All watches of the reconciler have listed what there is. */
    void begun() {
        unlit.ifPresent(UnlitWorkloads::begin);
    }

    private static Set<ResourceID> heard(
            GenericKubernetesResource workload, StandingJobs standing, UnlitWorkloads others, Preemptions preemptions) {
        preemptions.saw(workload);
        String namespace = workload.getMetadata().getNamespace();
        List<Owner> owners = workload.getMetadata().getOwnerReferences().stream()
                .map(owner -> new Owner(owner.getKind(), owner.getName(), owner.getUid()))
                .toList();
        List<TrainingJob> found = standing.of(namespace, workload.getMetadata().getName(), owners);
        if (!(standing.standing(namespace, found, owners) instanceof Standing.Answered) || isParked(workload)) {
            others.saw(workload);
        }
        return found.stream().map(ResourceID::fromResource).collect(Collectors.toUnmodifiableSet());
    }

    /** Whether it had no place. Its job may go, or name another, and nobody would let it back into its queue. */
    private static boolean isParked(GenericKubernetesResource workload) {
        @Nullable Map<String, String> annotations = workload.getMetadata().getAnnotations();
        return annotations != null && annotations.containsKey(LightpathAnnotations.NO_PLACE);
    }

    /**
     * Tells Kueue of a job, where it asks, and looks after a job that had no place.
     *
     * @param told the status of the job by these facts
     * @param jobs all of the cluster
     * @param usual when the job is looked at again otherwise
     * @return when to look again
     */
    Duration tell(JobFacts facts, TrainingJobStatus told, IndexedResourceCache<TrainingJob> jobs, Duration usual) {
        Optional<QueuedWorkload> queued = facts.workload().running().flatMap(WorkloadFacts.Run::queued);
        queued.filter(workload -> facts.deleted() || workload.asks())
                .ifPresent(workload -> unlit.ifPresent(others -> others.left(workload)));
        Optional<NoPlace> parked = queued.flatMap(QueuedWorkload::parked);
        if (parked.isPresent()) {
            boolean refused = !facts.deleted() && StandingJobs.refusal(told).isPresent();
            boolean lacksGpus = !facts.deleted() && Acceptance.staysOut(facts);
            return earlier(workloads.tend(queued.orElseThrow(), parked.get(), refused, lacksGpus, facts.now()), usual);
        }
        Optional<QueueAnswer> answer = QueueAnswer.of(
                facts,
                told,
                () -> isPlaceComing(facts, jobs),
                workload -> preemptions.made(workload) && !Acceptance.staysOut(facts));
        if (answer.isEmpty()) {
            return usual;
        }
        return workloads.answer(answer.get().workload(), answer.get().answer(), facts.now())
                ? earlier(answer.get().again(facts.now()).orElse(usual), usual)
                : SOON;
    }

    /** Whether a job on one of its fabrics is giving its place back. O(jobs). */
    private static boolean isPlaceComing(JobFacts facts, IndexedResourceCache<TrainingJob> jobs) {
        List<String> fabrics =
                facts.requests().stream().map(LightRequest::fabric).toList();
        return jobs.list(other -> QueueAnswer.givesBack(other.getStatus())
                        && fabrics.stream().anyMatch(fabric -> LightRequest.any(other.getSpec(), fabric)))
                .findAny()
                .isPresent();
    }

    private static Duration earlier(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    @Override
    public void close() {
        checks.ifPresent(AdmissionChecks::close);
        unlit.ifPresent(UnlitWorkloads::close);
    }
}
