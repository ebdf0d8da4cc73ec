package dev.lightpath.app.job;

import dev.lightpath.app.Page;
import dev.lightpath.app.WholeObjects;
import dev.lightpath.app.agreeing.AskedHooks;
import dev.lightpath.app.conditions.EventWriter;
import dev.lightpath.app.job.effects.Shown;
import dev.lightpath.app.job.effects.StepExecutor;
import dev.lightpath.app.job.facts.JobFacts;
import dev.lightpath.app.job.facts.JobSets;
import dev.lightpath.app.job.facts.LightRequest;
import dev.lightpath.app.job.measured.MeasurementNews;
import dev.lightpath.app.job.plan.Due;
import dev.lightpath.app.job.plan.JobEvents;
import dev.lightpath.app.job.plan.JobPlan;
import dev.lightpath.app.job.plan.JobReport;
import dev.lightpath.app.job.plan.JobStep;
import dev.lightpath.app.job.plan.StepsTaken;
import dev.lightpath.app.job.reading.FactsReader;
import dev.lightpath.app.job.reading.ReadingMarks;
import dev.lightpath.app.job.reading.SpeedFits;
import dev.lightpath.app.job.reading.TrafficFactsReader;
import dev.lightpath.app.job.reading.TrafficReadings;
import dev.lightpath.app.job.reading.Watched;
import dev.lightpath.app.measuring.QueriedTime;
import dev.lightpath.app.measuring.QueriedTimes;
import dev.lightpath.app.objects.PodWitness;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.LightpathLabels;
import dev.lightpath.crds.LightpathNames;
import dev.lightpath.crds.Reason;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.TrainingJobStatus;
import dev.lightpath.crds.job.Workload;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.JobReference;
import dev.lightpath.reading.TemplateSize;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.api.config.informer.Informer;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.MaxReconciliationInterval;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.GroupVersionKind;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.inbound.SimpleInboundEventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.javaoperatorsdk.operator.processing.retry.GradualRetry;
import io.quarkus.runtime.ShutdownEvent;
import io.smallrye.common.annotation.Identifier;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Makes slices and pods of TrainingJobs and tells how they fare. Thin: facts are gathered, {@link JobPlan} decides, the
 * steps are carried out. Light is the planning loop's.
 *
 * <p>Writes go through the client and never through the framework, whose own writes may hide the writes of others
 * ({@code comparableResourceVersions} is off for the same reason). A {@link Cleaner} because the framework calls
 * nobody else for an object that is going. The plan adds and removes the finalizer: the framework's cache shows each
 * job with it ({@link dev.lightpath.app.cluster.WatchedJson}).
 */
@Singleton
@ControllerConfiguration(
        name = "trainingjob",
        finalizerName = LightpathNames.FINALIZER,
        fieldManager = "lightpath-workload",
        maxReconciliationInterval = @MaxReconciliationInterval(interval = 2, timeUnit = TimeUnit.MINUTES),
        // the framework hears what its filter and JobNews both accept: so its own accepts all
        generationAwareEventProcessing = false,
        informer =
                @Informer(
                        comparableResourceVersions = false,
                        onUpdateFilter = JobNews.class,
                        informerListLimit = Page.LARGE_OBJECTS))
@GradualRetry(maxAttempts = -1, initialInterval = 500, maxInterval = 30_000)
public final class TrainingJobReconciler implements Reconciler<TrainingJob>, Cleaner<TrainingJob> {
    private static final Duration STALE = Duration.ofSeconds(1);
    private static final Duration UNDER_WAY = Duration.ofSeconds(3);
    /** Nobody tells when a quota has room again, or a webhook thinks better of it. */
    private static final Duration REFUSED = Duration.ofSeconds(30);

    private static final Duration AT_REST = Duration.ofMinutes(1);
    /** Of jobs that another replica leads: they are called when this one comes to lead. */
    private static final Duration ELSEWHERE = Duration.ofMinutes(2);

    /**
     * Reasons that something heals which no watch tells of: a label of a namespace allows a fabric, or a workload that
     * is referred to makes other pods.
     */
    private static final Set<String> UNWATCHED =
            Set.of(Reason.NAMESPACE_NOT_ALLOWED.word(), Reason.GATE_MISSING.word(), Reason.PODS_PENDING.word());
    /**
     * Between two jobs that are checked without an event. Watches report what changes a job; a check reads it whole.
     */
    private static final Duration BETWEEN_TWO = Duration.ofSeconds(1);

    private final KubernetesClient client;
    private final Leadership leadership;
    private final ReadingMarks marks;
    private final FactsReader reader;
    private final StepExecutor executor;
    /** Jobs that wait for a turn, or for their traffic to be read. */
    private final SimpleInboundEventSource<TrainingJob> called = new SimpleInboundEventSource<>("called");

    private final Queues queues;
    private final QueriedTimes measured;
    private final AskedHooks hooks;
    private final EventWriter events;
    private volatile Optional<StrayPods> strays = Optional.empty();
    private volatile Optional<InformerEventSource<OpticalFabric, TrainingJob>> fabrics = Optional.empty();
    private final TemplatePace pace = new TemplatePace();
    private final WaitingJobs waitingJobs = new WaitingJobs();
    private final JobsElsewhere elsewhere = new JobsElsewhere();
    private final Entrance entrance = new Entrance(called::propagateEvent);
    private final SpeedFits fits = new SpeedFits(called::propagateEvent);
    private final TrafficReadings readings = new TrafficReadings(called::propagateEvent, System::nanoTime);

    /** @param client reads whole jobs, with their templates; the framework's client does not */
    @Inject
    public TrainingJobReconciler(
            @Identifier(WholeObjects.CLIENT) KubernetesClient client,
            Leadership leadership,
            Instance<PodWitness> witness,
            EventWriter events,
            QueriedTimes measured,
            AskedHooks hooks) {
        this.client = client;
        this.leadership = leadership;
        this.marks = ReadingMarks.of(client);
        this.queues = new Queues(client, leadership);
        this.reader = new FactsReader(
                client, new TrafficFactsReader(client, marks, readings), queues.workloads(), measured, hooks);
        this.measured = measured;
        this.hooks = hooks;
        this.events = events;
        this.executor =
                new StepExecutor(client, reader::named, pod -> witness.get().saw(pod), events);
    }

    public void stopping(@Observes ShutdownEvent event) {
        queues.close();
        strays.ifPresent(StrayPods::close);
        readings.close();
        fits.close();
        marks.stop();
    }

    /**
     * This replica leads another share from now on: jobs that were left to others are looked at. From any thread, once
     * this has been started.
     */
    public void begun() {
        queues.begun();
        elsewhere.takeAll().forEach(called::propagateEvent);
    }

    @Override
    public UpdateControl<TrainingJob> reconcile(TrainingJob job, Context<TrainingJob> context) {
        return UpdateControl.<TrainingJob>noUpdate().rescheduleAfter(pass(job, context));
    }

    @Override
    public DeleteControl cleanup(TrainingJob job, Context<TrainingJob> context) {
        return DeleteControl.noFinalizerRemoval().rescheduleAfter(pass(job, context));
    }

    /** Returns when to look again though nothing was heard. */
    private Duration pass(TrainingJob seen, Context<TrainingJob> context) {
        // noted before it is asked: whoever comes to lead in between has it called
        elsewhere.add(ResourceID.fromResource(seen), context.getPrimaryCache()::keys);
        if (leadership.leads(seen)) {
            elsewhere.remove(ResourceID.fromResource(seen));
        } else {
            askNothing(seen);
            entrance.decline(seen);
            return ELSEWHERE;
        }
        List<FabricSlice> light =
                context.getSecondaryResourcesAsStream(FabricSlice.class).toList();
        Duration wait = entrance.enter(seen, light, System.nanoTime());
        if (wait.isPositive()) {
            return wait;
        }
        try {
            return inTurn(seen, light, context);
        } finally {
            entrance.leave(seen);
        }
    }

    private Duration inTurn(TrainingJob seen, List<FabricSlice> light, Context<TrainingJob> context) {
        List<Pod> pods = context.getSecondaryResourcesAsStream(Pod.class).toList();
        Set<String> jobSets = context.getSecondaryResourcesAsStream(GenericKubernetesResource.class)
                .filter(object -> JobSets.KIND.equals(object.getKind()))
                .map(jobSet -> jobSet.getMetadata().getName())
                .collect(Collectors.toUnmodifiableSet());
        if (TemplateSize.of(seen) > TemplateSize.MOST
                && seen.getMetadata().getDeletionTimestamp() == null
                && light.isEmpty()
                && pods.isEmpty()
                && jobSets.isEmpty()) {
            return refuse(seen, context);
        }
        Duration wait = large(seen, context);
        if (wait.isPositive()) {
            return wait;
        }
        boolean isNew = entrance.isPauseOver(seen) && isToldByLight(seen, light) && pods.isEmpty() && jobSets.isEmpty();
        Optional<Duration> told = isNew ? tellFirst(seen, light, context) : Optional.empty();
        if (told.isPresent()) {
            return told.get();
        }
        return read(seen, light, pods, jobSets, context);
    }

    private Duration read(
            TrainingJob seen,
            List<FabricSlice> light,
            List<Pod> pods,
            Set<String> jobSets,
            Context<TrainingJob> context) {
        @Nullable TrainingJob job = client.resource(seen).get();
        if (job == null || !job.getMetadata().getUid().equals(seen.getMetadata().getUid())) {
            askNothing(seen);
            return atRest(context);
        }
        Set<String> slices =
                light.stream().map(slice -> slice.getMetadata().getName()).collect(Collectors.toUnmodifiableSet());
        // those that were listed are newer than the same as a watch showed them
        List<Pod> known = new ArrayList<>(pods);
        JobFacts facts =
                reader.read(job, new Watched(pods, slices, jobSets, elder(job, context)), Instant.now(), known::addAll);
        List<JobStep> steps = JobPlan.of(facts);
        if (!leadership.leads(job)) {
            // what it is to be asked was just noted
            askNothing(job);
            return UNDER_WAY;
        }
        StepsTaken taken = executor.carryOut(
                job,
                steps,
                Shown.of(
                        facts,
                        known,
                        () -> context.getSecondaryResourcesAsStream(FabricSlice.class)
                                .toList()),
                () -> leadership.leads(job));
        if (!leadership.leads(job)) {
            return UNDER_WAY;
        }
        if (taken.done().stream().anyMatch(JobStep.DeleteJob.class::isInstance)) {
            return taken.current() ? UNDER_WAY : STALE;
        }
        if (taken.current() && taken.refusal().isEmpty() && StartPause.isStart(job, taken.done())) {
            return entrance.begin(job, System.nanoTime());
        }
        boolean gone = taken.done().stream().anyMatch(JobStep.RemoveFinalizer.class::isInstance);
        TrainingJobStatus told = JobReport.of(facts, taken.done(), taken.refusal(), fits);
        boolean current = taken.current() && (gone || tell(taken.job(), told));
        if (gone && current) {
            executor.tell(job, JobEvents.gone());
        }
        if (!current) {
            return STALE;
        }
        Duration usual = taken.refusal().isPresent()
                ? paced(REFUSED, job, context)
                : atRest(told) ? atRest(context) : paced(UNDER_WAY, job, context);
        return Due.in(job, told, facts.now(), queues.tell(facts, told, context.getPrimaryCache(), usual));
    }

    private void askNothing(TrainingJob job) {
        hooks.wanted(job.getMetadata().getNamespace(), job.getMetadata().getName(), List.of());
    }

    /** Whether nothing was told of a job that has slices and is to have no pods. */
    private static boolean isToldByLight(TrainingJob seen, List<FabricSlice> light) {
        return seen.getStatus() == null
                && seen.getSpec().workload() == null
                && seen.getMetadata().getDeletionTimestamp() == null
                && !light.isEmpty();
    }

    /**
     * Tells how a new job stands by what watches show, where nothing follows from that but words. The status is written
     * over the version that was seen. What changed since wakes the reconciler again, and then the job is read.
     *
     * @return when to look again; empty where the job has to be read
     */
    private Optional<Duration> tellFirst(TrainingJob seen, List<FabricSlice> light, Context<TrainingJob> context) {
        Instant now = Instant.now();
        Optional<TrainingJobStatus> first = reader.shown(
                        seen, light, name -> fabrics.flatMap(all -> all.get(new ResourceID(name))), now)
                .flatMap(shown -> JobReport.ofShown(shown, fits));
        if (first.isEmpty() || !leadership.leads(seen) || !tell(seen, first.get())) {
            return Optional.empty();
        }
        TrainingJobStatus told = first.get();
        Duration usual = atRest(told) ? atRest(context) : paced(UNDER_WAY, seen, context);
        return Optional.of(Due.in(seen, told, now, usual));
    }

    /** O(jobs of the namespace) for a job that refers to a workload. */
    private static Optional<String> elder(TrainingJob job, Context<TrainingJob> context) {
        @Nullable Workload workload = job.getSpec().workload();
        if (workload == null || workload.ref() == null) {
            return Optional.empty();
        }
        EventSource<FabricSlice, TrainingJob> slices =
                context.eventSourceRetriever().getEventSourceFor(FabricSlice.class);
        return ReferenceHolder.of(
                job,
                context.getPrimaryCache().list(job.getMetadata().getNamespace(), other -> true),
                other -> slices.getSecondaryResources(other).stream().anyMatch(slice -> isFor(slice, other)));
    }

    /** A slice of an earlier job of the name is not, nor one that is to go. */
    private static boolean isFor(FabricSlice slice, TrainingJob job) {
        @Nullable JobReference served = slice.getSpec().job();
        return slice.getMetadata().getDeletionTimestamp() == null
                && served != null
                && job.getMetadata().getUid().equals(served.uid());
    }

    /**
     * Tells that a template is too large, from what a watch shows of the job: nothing was made of it. The status is
     * written over the version that was seen, so an outdated one does no harm.
     */
    private Duration refuse(TrainingJob seen, Context<TrainingJob> context) {
        JobFacts facts = JobFacts.ofWatched(seen, Instant.now());
        TrainingJobStatus told = JobReport.of(facts, List.of(), Optional.empty());
        Duration wait = told.equals(seen.getStatus()) ? Duration.ZERO : large(seen, context);
        if (wait.isPositive()) {
            return wait;
        }
        return tell(seen, told) ? atRest(context) : STALE;
    }

    private Duration large(TrainingJob seen, Context<TrainingJob> context) {
        return pace.ask(
                ResourceID.fromResource(seen),
                TemplateSize.of(seen),
                System.nanoTime(),
                job -> context.getPrimaryCache().get(job).isPresent());
    }

    /** Whether the status is as told: false when the API server has a newer version of the job. */
    private boolean tell(TrainingJob job, TrainingJobStatus told) {
        if (told.equals(job.getStatus())) {
            return true;
        }
        if (!executor.apply(job, told)) {
            return false;
        }
        JobEvents.between(job.getStatus(), told).forEach(happening -> executor.tell(job, happening));
        return true;
    }

    /** Of a namespace's waiting jobs, one a second is checked without an event. */
    private Duration paced(Duration usual, TrainingJob job, Context<TrainingJob> context) {
        String namespace = job.getMetadata().getNamespace();
        long waiting = waitingJobs.of(
                namespace,
                System.nanoTime(),
                () -> context.getPrimaryCache()
                        .list(namespace, other -> other.getStatus() == null || !atRest(other.getStatus()))
                        .count());
        Duration turn = BETWEEN_TWO.multipliedBy(waiting);
        return turn.compareTo(usual) > 0 ? turn : usual;
    }

    private static Duration atRest(Context<TrainingJob> context) {
        Duration turn =
                BETWEEN_TWO.multipliedBy(context.getPrimaryCache().list().count());
        return turn.compareTo(AT_REST) > 0 ? turn : AT_REST;
    }

    /** Whether news will be heard of by a watch. */
    public static boolean atRest(TrainingJobStatus status) {
        return status.conditions().stream()
                .noneMatch(condition -> ConditionType.RECONCILING.word().equals(condition.getType())
                                && "True".equals(condition.getStatus())
                        || condition.getReason() != null && UNWATCHED.contains(condition.getReason()));
    }

    @Override
    public List<EventSource<?, TrainingJob>> prepareEventSources(EventSourceContext<TrainingJob> context) {
        List<EventSource<?, TrainingJob>> sources = new ArrayList<>();
        sources.add(called);
        hooks.listen((namespace, name) -> called.propagateEvent(new ResourceID(name, namespace)));
        measured.listen((job, time) -> measured(new ResourceID(job.name(), job.namespace()), time, context));
        sources.add(new InformerEventSource<>(
                InformerEventSourceConfiguration.from(FabricSlice.class, TrainingJob.class)
                        .withName("slices")
                        .withSecondaryToPrimaryMapper(TrainingJobReconciler::served)
                        .withComparableResourceVersion(false)
                        .withInformerListLimit(Page.LARGE_OBJECTS)
                        .build(),
                context));
        StrayPods withoutJob = new StrayPods(
                client,
                job -> context.getPrimaryCache().get(job).isPresent(),
                leadership::leading,
                events::tell,
                System::nanoTime);
        strays = Optional.of(withoutJob);
        InformerEventSource<Pod, TrainingJob> pods = new InformerEventSource<>(
                InformerEventSourceConfiguration.from(Pod.class, TrainingJob.class)
                        .withName("pods")
                        .withLabelSelector(LightpathLabels.JOB)
                        .withSecondaryToPrimaryMapper((Pod pod) -> {
                            withoutJob.saw(pod);
                            return labelled(pod);
                        })
                        .withComparableResourceVersion(false)
                        .withInformerListLimit(Page.PODS)
                        .build(),
                context);
        sources.add(pods);
        InformerEventSource<OpticalFabric, TrainingJob> known = new InformerEventSource<>(
                InformerEventSourceConfiguration.from(OpticalFabric.class, TrainingJob.class)
                        .withName("fabrics")
                        .withSecondaryToPrimaryMapper(fabric -> using(fabric, context))
                        .withOnUpdateFilter((after, before) -> !Objects.equals(
                                after.getMetadata().getGeneration(),
                                before.getMetadata().getGeneration()))
                        .withComparableResourceVersion(false)
                        .withInformerListLimit(Page.OBJECTS)
                        .build(),
                context);
        fabrics = Optional.of(known);
        sources.add(known);
        GroupVersionKind jobSet = new GroupVersionKind(JobSets.GROUP, JobSets.VERSION, JobSets.KIND);
        // without JobSet in the cluster an informer of it would never start; jobs without pods need none
        if (context.getClient().supports(jobSet.apiVersion(), JobSets.KIND)) {
            sources.add(new InformerEventSource<>(
                    InformerEventSourceConfiguration.from(jobSet, TrainingJob.class)
                            .withName("jobsets")
                            .withLabelSelector(LightpathLabels.JOB)
                            .withSecondaryToPrimaryMapper(TrainingJobReconciler::labelled)
                            .withComparableResourceVersion(false)
                            .withItemStore(new NameStore())
                            .withInformerListLimit(Page.LARGE_OBJECTS)
                            .build(),
                    context));
        }
        sources.addAll(queues.source(context, pods));
        return sources;
    }

    /** Most values say what is known: then nobody reads the job. */
    private void measured(ResourceID id, QueriedTime time, EventSourceContext<TrainingJob> context) {
        if (context.getPrimaryCache()
                .get(id)
                .filter(job -> MeasurementNews.of(job, time))
                .isPresent()) {
            called.propagateEvent(id);
        }
    }

    /** Whose a slice is says its spec: anybody may write its labels. */
    private static Set<ResourceID> served(FabricSlice slice) {
        @Nullable JobReference job = slice.getSpec().job();
        return job == null
                ? Set.of()
                : Set.of(new ResourceID(job.name(), slice.getMetadata().getNamespace()));
    }

    private static Set<ResourceID> labelled(HasMetadata object) {
        @Nullable Map<String, String> labels = object.getMetadata().getLabels();
        @Nullable String job = labels == null ? null : labels.get(LightpathLabels.JOB);
        return job == null
                ? Set.of()
                : Set.of(new ResourceID(job, object.getMetadata().getNamespace()));
    }

    private static Set<ResourceID> using(OpticalFabric fabric, EventSourceContext<TrainingJob> context) {
        return context.getPrimaryCache()
                .list(job ->
                        LightRequest.any(job.getSpec(), fabric.getMetadata().getName()))
                .map(ResourceID::fromResource)
                .collect(Collectors.toUnmodifiableSet());
    }
}
