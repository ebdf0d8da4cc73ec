package dev.lightpath.app.job.effects;

import dev.lightpath.app.Patches;
import dev.lightpath.app.conditions.EventWriter;
import dev.lightpath.app.conditions.ObjectEvent;
import dev.lightpath.app.job.facts.JobSets;
import dev.lightpath.app.job.facts.Replicas;
import dev.lightpath.app.job.facts.SliceFacts;
import dev.lightpath.app.job.plan.JobStep;
import dev.lightpath.app.job.plan.StepsTaken;
import dev.lightpath.app.job.reading.Concurrently;
import dev.lightpath.app.job.workload.JobSetDraft;
import dev.lightpath.app.job.workload.PodPatch;
import dev.lightpath.app.objects.ConditionalWrite;
import dev.lightpath.app.objects.FinalizerPatch;
import dev.lightpath.app.objects.PodWitness;
import dev.lightpath.crds.FieldManager;
import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.LightpathNames;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.TrainingJobStatus;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.FabricSliceSpec;
import dev.lightpath.crds.slice.JobReference;
import dev.lightpath.reading.label.SliceLabels;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries out the steps of a plan against the API server. */
public final class StepExecutor {
    private static final Logger LOG = LoggerFactory.getLogger(StepExecutor.class);
    private static final PatchContext MERGE_PATCH = Patches.merge(FieldManager.WORKLOAD);
    private static final PatchContext APPLY_STATUS = Patches.apply(FieldManager.STATUS);

    private final KubernetesClient client;
    private final PodRelease pods;
    private final SliceRemoval removal;
    private final EventWriter events;

    /**
     * @param slices reads those of a job back from the API server: of these names, or all where there are none
     * @param letGo hears of pods that may start
     */
    public StepExecutor(
            KubernetesClient client,
            BiFunction<TrainingJob, Set<String>, List<SliceFacts>> slices,
            PodWitness letGo,
            EventWriter events) {
        this.client = client;
        this.pods = new PodRelease(client, slices, letGo);
        this.removal = new SliceRemoval(client);
        this.events = events;
    }

    /**
     * In order, until the API server refuses to make something, or to delete the job, or another process leads. Pods
     * are told and let go after that. What is done to pods alike is done to several at a time. What is refused of pods,
     * or the end of a JobSet, keeps nothing else from being done.
     *
     * @param shown what watches show of the job meanwhile
     * @param leads whether this process may act for the job; asked before each step
     */
    public StepsTaken carryOut(TrainingJob read, List<JobStep> steps, Shown shown, BooleanSupplier leads) {
        List<JobStep.Ungate> ungates = new ArrayList<>();
        List<JobStep.TellLight> news = new ArrayList<>();
        List<JobStep.DeletePod> ended = new ArrayList<>();
        List<JobStep> done = new ArrayList<>();
        TrainingJob job = read;
        boolean current = true;
        Optional<Refused> refusal = Optional.empty();
        for (JobStep step : steps) {
            if (!leads.getAsBoolean()) {
                return taken(job, done, false, refusal);
            }
            LOG.atInfo()
                    .addKeyValue("namespace", job.getMetadata().getNamespace())
                    .addKeyValue("job", job.getMetadata().getName())
                    .addKeyValue("step", step)
                    .log("training job");
            if (!(step instanceof JobStep.DeletePod)) {
                // steps after them may fail, also those that take away a pod that hangs
                refusal = first(refusal, deletePods(job, ended, leads));
            }
            try {
                switch (step) {
                    case JobStep.Ungate ungate -> ungates.add(ungate);
                    case JobStep.TellLight tell -> news.add(tell);
                    case JobStep.Free free -> current &= free(job, free);
                    case JobStep.AddFinalizer add -> {
                        Optional<TrainingJob> added = patch(job, FinalizerPatch.adding(job));
                        current &= added.isPresent();
                        job = added.orElse(job);
                    }
                    case JobStep.RemoveFinalizer remove ->
                        current &= patch(job, FinalizerPatch.removing(job)).isPresent();
                    case JobStep.DeleteJob delete -> current &= deleteJob(job);
                    case JobStep.CreateSlice create -> current &= create(create, slice(job, create));
                    case JobStep.CreateJobSet create ->
                        current &= create(
                                create,
                                JobSetDraft.of(
                                        Replicas.sized(job, create.replicas()), create.nodes(), create.gpuResource()));
                    case JobStep.Relabel relabel -> current &= relabel(job, relabel);
                    case JobStep.DeleteJobSet delete -> current &= deleteJobSet(job, delete);
                    case JobStep.DeletePod delete -> ended.add(delete);
                    case JobStep.DeleteUnbound delete -> current &= deleteUnbound(job, delete);
                    case JobStep.ForceDeletePod delete -> current &= forceDelete(job, delete);
                    case JobStep.DeleteSlice delete -> current &= deleteSlice(job, delete);
                }
            } catch (Refused e) {
                if (stopsAt(step)) {
                    refusal = Optional.of(e);
                    break;
                }
                refusal = first(refusal, Optional.of(e));
                continue;
            }
            done.add(step);
        }
        refusal = first(refusal, deletePods(job, ended, leads));
        Optional<Refused> untold = tell(job, news);
        try {
            current &= pods.letGo(job, ungates, shown, leads);
        } catch (Refused e) {
            refusal = first(refusal, Optional.of(e));
        }
        // what keeps pods from running is more to know
        return taken(job, done, current, first(refusal, untold));
    }

    private StepsTaken taken(TrainingJob job, List<JobStep> done, boolean current, Optional<Refused> refusal) {
        return new StepsTaken(
                job,
                done,
                current,
                refusal.map(why -> new StepsTaken.Refusal(
                        why.step(), why.words(), isGoing(job.getMetadata().getNamespace()))));
    }

    private static Optional<Refused> first(Optional<Refused> before, Optional<Refused> now) {
        return before.isPresent() ? before : now;
    }

    /** Whether what comes after it in a plan needs it. */
    private static boolean stopsAt(JobStep refused) {
        return refused instanceof JobStep.CreateSlice
                || refused instanceof JobStep.CreateJobSet
                || refused instanceof JobStep.DeleteJob;
    }

    private boolean free(TrainingJob job, JobStep.Free step) {
        return pod(job, step.pod())
                .flatMap(pod -> PodPatch.free(pod)
                        .map(patch -> new PodChange(client).tried(step, pod, true, patch, freed -> {})))
                .orElse(true);
    }

    private Optional<Refused> tell(TrainingJob job, List<JobStep.TellLight> news) {
        String namespace = job.getMetadata().getNamespace();
        return each(news, step -> tell(namespace, step));
    }

    /**
     * A pod that went meanwhile has nothing to know. The patch tests nothing: none comes too late, and 422 is a
     * refusal.
     */
    private void tell(String namespace, JobStep.TellLight step) {
        try {
            // the client reads an object first that it has by its name alone
            client.resource(new PodBuilder()
                            .withNewMetadata()
                            .withNamespace(namespace)
                            .withName(step.pod())
                            .endMetadata()
                            .build())
                    .patch(
                            MERGE_PATCH,
                            Serialization.asJson(Map.of(
                                    "metadata",
                                    Map.of("annotations", Map.of(LightpathAnnotations.LIGHT, step.light())))));
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_NOT_FOUND && e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw e;
            }
        }
    }

    /** Several at a time; returns the first that is refused. */
    private static <S extends JobStep> Optional<Refused> each(List<S> steps, Consumer<S> call) {
        return Concurrently.<S, Optional<Refused>>map(steps, step -> {
                    try {
                        return Refused.unless(step, () -> {
                            call.accept(step);
                            return Optional.empty();
                        });
                    } catch (Refused e) {
                        return Optional.of(e);
                    }
                })
                .values()
                .stream()
                .flatMap(Optional::stream)
                .findFirst();
    }

    private Optional<Pod> pod(TrainingJob job, String name) {
        return Optional.ofNullable(client.pods()
                .inNamespace(job.getMetadata().getNamespace())
                .withName(name)
                .get());
    }

    /**
     * Over the very status that was read: another process may lead by now, and have written what this one has not seen.
     *
     * @return false when the API server has something newer
     */
    public boolean apply(TrainingJob job, TrainingJobStatus status) {
        TrainingJob applied = new TrainingJob();
        applied.setMetadata(new ObjectMetaBuilder()
                .withName(job.getMetadata().getName())
                .withNamespace(job.getMetadata().getNamespace())
                .withUid(job.getMetadata().getUid())
                .withResourceVersion(job.getMetadata().getResourceVersion())
                .build());
        applied.setStatus(status);
        try {
            client.resource(applied).subresource("status").patch(APPLY_STATUS, applied);
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_CONFLICT) {
                return false;
            }
            throw e;
        }
        return true;
    }

    public void tell(TrainingJob job, ObjectEvent happening) {
        events.tell(job, happening);
    }

    private static FabricSlice slice(TrainingJob job, JobStep.CreateSlice create) {
        var metadata = job.getMetadata();
        FabricSliceSpec spec = new FabricSliceSpec(
                create.fabric(),
                new JobReference(metadata.getName(), metadata.getUid(), create.attempt()),
                0,
                create.demand());
        FabricSlice slice = new FabricSlice();
        slice.setMetadata(new ObjectMetaBuilder()
                .withName(create.name())
                .withNamespace(metadata.getNamespace())
                .withLabels(SliceLabels.of(spec))
                .withFinalizers(LightpathNames.FINALIZER)
                .withOwnerReferences(new OwnerReferenceBuilder(JobSetDraft.owner(job)).build())
                .build());
        slice.setSpec(spec);
        return slice;
    }

    private boolean create(JobStep step, HasMetadata object) {
        try {
            client.resource(object).create();
            return true;
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_CONFLICT) {
                return false;
            }
            throw Refused.isRefusal(e) ? new Refused(step, e) : e;
        }
    }

    /** As it is then; empty when the API server had something newer. */
    private Optional<TrainingJob> patch(TrainingJob job, Optional<String> patch) {
        AtomicReference<TrainingJob> patched = new AtomicReference<>(job);
        return ConditionalWrite.isCurrent(() -> patch.ifPresent(
                        text -> patched.set(client.resource(job).patch(ConditionalWrite.JSON_PATCH, text))))
                ? Optional.of(patched.get())
                : Optional.empty();
    }

    private boolean relabel(TrainingJob job, JobStep.Relabel step) {
        var slice = client.resources(FabricSlice.class)
                .inNamespace(job.getMetadata().getNamespace())
                .withName(step.slice());
        @Nullable FabricSlice before = slice.get();
        if (before == null) {
            return true;
        }
        String labels = Serialization.asJson(Map.of(
                "metadata", Map.of("uid", before.getMetadata().getUid(), "labels", SliceLabels.missing(before))));
        return ConditionalWrite.isCurrent(() -> slice.patch(MERGE_PATCH, labels));
    }

    /**
     * In the version that was read: a user may have raised its time, or made it anew. A policy or webhook chooses the
     * code of its answer, so each that blames the request is a refusal.
     */
    private boolean deleteJob(TrainingJob job) {
        try {
            client.resource(job)
                    .lockResourceVersion(job.getMetadata().getResourceVersion())
                    .delete();
            return true;
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND
                    || e.getCode() == HttpURLConnection.HTTP_CONFLICT && hasChanged(job)) {
                return false;
            }
            throw e.getCode() / 100 == 4 || Refused.isRefusal(e) ? new Refused(new JobStep.DeleteJob(), e) : e;
        }
    }

    /** Who refuses may call that a conflict too, and then the same version stays. */
    private boolean hasChanged(TrainingJob job) {
        @Nullable TrainingJob now = client.resource(job).get();
        return now == null
                || !job.getMetadata()
                        .getResourceVersion()
                        .equals(now.getMetadata().getResourceVersion());
    }

    private boolean deleteJobSet(TrainingJob job, JobStep.DeleteJobSet step) {
        Refused.unless(
                step,
                () -> client.genericKubernetesResources(JobSets.CONTEXT)
                        .inNamespace(job.getMetadata().getNamespace())
                        .withName(step.name())
                        .withPropagationPolicy(DeletionPropagation.BACKGROUND)
                        .delete());
        return true;
    }

    /** None of them is left to delete then. */
    private Optional<Refused> deletePods(TrainingJob job, List<JobStep.DeletePod> steps, BooleanSupplier leads) {
        String namespace = job.getMetadata().getNamespace();
        Optional<Refused> refusal = each(steps, step -> deletePod(namespace, step, leads));
        steps.clear();
        return refusal;
    }

    private void deletePod(String namespace, JobStep.DeletePod step, BooleanSupplier leads) {
        if (leads.getAsBoolean()) {
            client.pods().inNamespace(namespace).withName(step.pod()).delete();
        }
    }

    /** The scheduler may have bound it since. */
    private boolean deleteUnbound(TrainingJob job, JobStep.DeleteUnbound step) {
        Pod pod = new PodBuilder()
                .withNewMetadata()
                .withNamespace(job.getMetadata().getNamespace())
                .withName(step.pod())
                .endMetadata()
                .build();
        try {
            client.resource(pod).lockResourceVersion(step.version()).delete();
            return true;
        } catch (KubernetesClientException e) {
            if (Refused.isRefusal(e)) {
                throw new Refused(step, e);
            }
            return ConditionalWrite.isCurrent(() -> {
                throw e;
            });
        }
    }

    private boolean forceDelete(TrainingJob job, JobStep.ForceDeletePod step) {
        Refused.unless(
                step,
                () -> client.pods()
                        .inNamespace(job.getMetadata().getNamespace())
                        .withName(step.pod())
                        .withGracePeriod(0)
                        .delete());
        return true;
    }

    /** Only while it holds the very record that was judged: since then the planning loop may have given it light. */
    private boolean deleteSlice(TrainingJob job, JobStep.DeleteSlice step) {
        var slices = client.resources(FabricSlice.class)
                .inNamespace(job.getMetadata().getNamespace());
        @Nullable FabricSlice slice = slices.withName(step.name()).get();
        return slice == null
                || SliceFacts.of(slice, name -> slices.withName(name).get())
                                .allocation()
                                .equals(step.judged())
                        && removal.remove(slice);
    }

    /** Nothing can be made any more in a namespace that is deleted. */
    private boolean isGoing(String name) {
        @Nullable Namespace namespace = client.namespaces().withName(name).get();
        return namespace == null || namespace.getMetadata().getDeletionTimestamp() != null;
    }
}
