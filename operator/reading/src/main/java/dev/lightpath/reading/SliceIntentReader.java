package dev.lightpath.reading;

import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.fabric.Ocs;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.JobWidth;
import dev.lightpath.crds.job.ScaleOut;
import dev.lightpath.crds.job.TorusShape;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.TrainingJobSpec;
import dev.lightpath.crds.job.TrainingJobStatus;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.FabricSliceSpec;
import dev.lightpath.crds.slice.JobReference;
import dev.lightpath.crds.slice.RecordedTraffic;
import dev.lightpath.crds.slice.ScaleOutDemand;
import dev.lightpath.crds.slice.ScaleUpDemand;
import dev.lightpath.planner.ask.Speeds;
import dev.lightpath.planner.light.RoutedRevision;
import dev.lightpath.planner.torus.Shape;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.JobId;
import dev.lightpath.planner.world.Reconfiguration;
import dev.lightpath.planner.world.Replacement;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.Workload;
import dev.lightpath.reading.label.Labels;
import dev.lightpath.reading.node.Remark;
import dev.lightpath.reading.pod.PodUse;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads what a slice wishes: its demand, whether it is still wanted, who uses its light. */
public final class SliceIntentReader {
    /** Of at most 18 digits: no revision is larger. */
    private static final Pattern WHOLE_NUMBER = Pattern.compile("[0-9]{1,18}");

    private SliceIntentReader() {}

    /**
     * @param job of the slice's name for it, null when there is none
     * @param pods that may use its light, of any attempt; those that nobody proved to be of the job
     *     {@link PodUse#unproven}
     * @return empty when the slice serves no job, is a part of another, or asks for what no fabric can be asked for yet
     */
    public static Optional<SliceIntent> read(FabricSlice slice, @Nullable TrainingJob job, Collection<PodUse> pods) {
        JobReference of = slice.getSpec().job();
        Demand demand = demand(slice.getSpec().demand());
        if (of == null || demand == null || SliceParts.isPart(slice)) {
            return Optional.empty();
        }
        TrainingJob owner = job != null && of.uid().equals(job.getMetadata().getUid()) ? job : null;
        JobPriority priority = owner == null ? JobPriority.UNKNOWN : JobPriority.of(owner);
        String namespace = slice.getMetadata().getNamespace();
        return Optional.of(new SliceIntent(
                new SliceId(namespace, slice.getMetadata().getName()),
                new JobId(namespace, of.name(), of.uid()),
                of.attempt(),
                slice.getSpec().fabric(),
                demand,
                priority.value(),
                created(
                        owner == null
                                ? slice.getMetadata().getCreationTimestamp()
                                : owner.getMetadata().getCreationTimestamp()),
                owner != null && stays(slice) && wants(owner, of.attempt()),
                workload(owner, of, pods),
                owner == null ? new Replacement.Never() : replacement(owner.getSpec()),
                owner != null && relocatable(owner.getSpec()),
                owner == null ? Reconfiguration.NEVER : reconfiguration(owner.getSpec()),
                owner != null && renewed(owner, of.attempt()),
                forced(slice),
                owner == null
                        ? Optional.empty()
                        : beside(owner.getSpec(), slice.getSpec().fabric()),
                owner != null && preemptible(owner.getSpec()),
                priority.preempts(),
                routed(slice),
                owner == null
                        ? Optional.empty()
                        : AgreementReader.read(owner, slice.getMetadata().getName()),
                owner == null ? Speeds.BELIEVED : LearntReader.speeds(owner)));
    }

    /** Whatever is written there is read: what acknowledges nothing is told. */
    private static RoutedRevision routed(FabricSlice slice) {
        return Labels.annotation(slice, LightpathAnnotations.ROUTED_REVISION)
                .<RoutedRevision>map(text -> WHOLE_NUMBER.matcher(text).matches()
                        ? new RoutedRevision.Acknowledged(Long.parseLong(text))
                        : new RoutedRevision.Unreadable(Remark.of(text)))
                .orElse(RoutedRevision.NONE);
    }

    /** What the operator did not make, it does not end. */
    private static boolean preemptible(TrainingJobSpec spec) {
        return spec.workload() == null || spec.workload().ref() == null;
    }

    /** The other fabric of a job whose pods on switches decide where its groups on a ring may be. */
    private static Optional<String> beside(TrainingJobSpec spec, String fabric) {
        ScaleOut scaleOut = spec.scaleOut();
        if (spec.scaleUp() == null || scaleOut == null || scaleOut.torus() != null) {
            return Optional.empty();
        }
        return Optional.of(fabric.equals(scaleOut.fabric()) ? spec.scaleUp().fabric() : scaleOut.fabric());
    }

    /**
     * What a job that has no slice yet will wish of a fabric.
     *
     * @param job with a UID
     * @param recorded its traffic, where that was recorded
     * @throws IllegalArgumentException when its traffic is recorded and not given
     */
    public static Optional<SliceIntent> planned(TrainingJob job, String fabric, Optional<RecordedTraffic> recorded) {
        ScaleOut scaleOut = job.getSpec().scaleOut();
        if (scaleOut != null && scaleOut.fabric().equals(fabric) && scaleOut.traffic() != null && recorded.isEmpty()) {
            throw new IllegalArgumentException("its traffic is recorded in ConfigMap "
                    + scaleOut.traffic().configMap() + ", which is read when its slice is written");
        }
        FabricSlice slice = new FabricSlice();
        slice.setMetadata(new ObjectMetaBuilder()
                .withNamespace(job.getMetadata().getNamespace())
                .withName(job.getMetadata().getName() + "-" + fabric + "-1")
                .build());
        slice.setSpec(new FabricSliceSpec(
                fabric,
                new JobReference(job.getMetadata().getName(), job.getMetadata().getUid(), 1),
                0,
                asked(job.getSpec(), fabric, recorded.orElse(null))));
        return read(slice, job, List.of());
    }

    private static dev.lightpath.crds.slice.Demand asked(
            TrainingJobSpec spec, String fabric, @Nullable RecordedTraffic recorded) {
        ScaleOut scaleOut = spec.scaleOut();
        return scaleOut != null && scaleOut.fabric().equals(fabric)
                ? JobDemand.scaleOut(spec, scaleOut, recorded)
                : JobDemand.scaleUp(spec);
    }

    /** One that is deleted while it holds light stays until its job lets it go, or a person does. */
    private static boolean stays(FabricSlice slice) {
        return !forced(slice)
                && (slice.getMetadata().getDeletionTimestamp() == null
                        || slice.getStatus() != null && slice.getStatus().allocation() != null);
    }

    private static boolean forced(FabricSlice slice) {
        return Labels.annotation(slice, LightpathAnnotations.FORCE_RELEASE).isPresent();
    }

    /** Whether a later attempt of the job takes over from this one. */
    private static boolean renewed(TrainingJob job, int attempt) {
        TrainingJobStatus status = job.getStatus();
        Integer counts = status == null ? null : status.attempt();
        return counts != null && counts > attempt && wants(job, counts);
    }

    private static @Nullable Demand demand(dev.lightpath.crds.slice.Demand demand) {
        ScaleUpDemand scaleUp = demand.scaleUp();
        if (scaleUp != null) {
            return scaleUp(scaleUp);
        }
        ScaleOutDemand scaleOut = demand.scaleOut();
        if (scaleOut == null) {
            return null;
        }
        TorusShape torus = scaleOut.torus();
        return torus == null ? TrafficReader.read(scaleOut) : new Demand.TorusShape(Shape.parse(torus.chips()));
    }

    /** The groups that a slice asks of a ring. */
    public static Demand.ScaleUp scaleUp(ScaleUpDemand asked) {
        Integer least = asked.minimumGroups();
        Integer together = asked.groupsPerReplica();
        return least == null || together == null
                ? new Demand.ScaleUp(asked.groups(), asked.gpusPerGroup())
                : new Demand.ScaleUp(asked.groups(), asked.gpusPerGroup(), least, together);
    }

    /**
     * The static topology of a fabric: nobody's job, the last to be served. Wanted until its fabric is deleted by
     * somebody who asks for darkness, or has a topology no more.
     *
     * @param fabric of the slice, null when there is none
     * @return empty when the slice is not one of a static topology
     */
    public static Optional<SliceIntent> staticTopology(FabricSlice slice, @Nullable OpticalFabric fabric) {
        if (slice.getSpec().job() != null || slice.getSpec().demand().topology() == null) {
            return Optional.empty();
        }
        String namespace = slice.getMetadata().getNamespace();
        return Optional.of(new SliceIntent(
                        new SliceId(namespace, slice.getMetadata().getName()),
                        new JobId(namespace, "", ""),
                        1,
                        slice.getSpec().fabric(),
                        new Demand.Topology(),
                        Integer.MIN_VALUE,
                        created(slice.getMetadata().getCreationTimestamp()),
                        fabric != null && staticTopology(fabric),
                        new Workload.LightOnly(),
                        new Replacement.Immediately(),
                        false)
                .routed(routed(slice)));
    }

    /** Whether a fabric has light of its own that is to burn. */
    public static boolean staticTopology(OpticalFabric fabric) {
        Ocs ocs = fabric.getSpec().ocs();
        boolean released = fabric.getMetadata().getDeletionTimestamp() != null && releasesOnDeletion(fabric);
        return ocs != null && ocs.topology().logical() == null && !released;
    }

    /** Whether who deletes the fabric asks for its light to be taken down. */
    public static boolean releasesOnDeletion(OpticalFabric fabric) {
        return Labels.annotation(fabric, LightpathAnnotations.RELEASE_ON_DELETION)
                .filter("true"::equals)
                .isPresent();
    }

    private static Instant created(@Nullable String timestamp) {
        return timestamp == null ? Instant.EPOCH : Labels.instant(timestamp).orElse(Instant.EPOCH);
    }

    private static boolean wants(TrainingJob job, int attempt) {
        if (job.getMetadata().getDeletionTimestamp() != null || job.getSpec().suspend()) {
            return false;
        }
        TrainingJobStatus status = job.getStatus();
        if (status == null) {
            return true;
        }
        Integer counts = status.attempt();
        boolean preempted =
                status.preempted() != null && attempt <= status.preempted().attempt();
        return !LightReturned.by(status) && !preempted && (counts == null || counts <= attempt);
    }

    /**
     * Pods of another attempt are no concern of this one's light, but their nodes are theirs still if they have GPUs of
     * it: a launcher without any may stand on a node of anybody. A pod that fails or ends restarts the workload until
     * another runs in its rank. A job that is gone may have left pods behind, and they still use its light. So do those
     * that were let go before the job was changed, as it may be while it has no place, to one without a workload.
     */
    private static Workload workload(@Nullable TrainingJob job, JobReference of, Collection<PodUse> pods) {
        String attempt = Integer.toString(of.attempt());
        boolean lightOnly = job != null && job.getSpec().workload() == null;
        if (lightOnly && pods.stream().noneMatch(pod -> pod.wasLetGo(attempt))) {
            return new Workload.LightOnly(holding(pods));
        }
        SortedSet<String> occupied = new TreeSet<>();
        SortedMap<Integer, String> ranks = new TreeMap<>();
        SortedMap<Integer, String> running = new TreeMap<>();
        List<PodUse> leaving = new ArrayList<>();
        for (PodUse pod : pods) {
            if (lightOnly && !pod.wasLetGo(attempt)
                    || pod.attempt().isPresent() && !pod.attempt().get().equals(attempt)) {
                continue;
            }
            boolean leaves = pod.terminating() || pod.failed();
            if (leaves) {
                leaving.add(pod);
            }
            if (pod.occupies()) {
                pod.node().ifPresent(node -> {
                    occupied.add(node);
                    pod.rank().ifPresent(rank -> (leaves ? ranks : running).put(rank, node));
                });
            }
        }
        ranks.putAll(running);
        boolean restarting = leaving.stream()
                .anyMatch(pod ->
                        pod.rank().isEmpty() || !running.containsKey(pod.rank().getAsInt()));
        return new Workload.Pods(occupied, restarting, ranks, holding(pods), replicas(job));
    }

    /** Of an elastic job that has, or had, a place. */
    private static OptionalInt replicas(@Nullable TrainingJob job) {
        @Nullable TrainingJobStatus status = job == null ? null : job.getStatus();
        @Nullable JobWidth width = status == null ? null : status.width();
        return width == null ? OptionalInt.empty() : OptionalInt.of(width.replicas());
    }

    private static SortedSet<String> holding(Collection<PodUse> pods) {
        SortedSet<String> nodes = new TreeSet<>();
        pods.stream().filter(PodUse::claimsDevices).forEach(pod -> pod.node().ifPresent(nodes::add));
        return nodes;
    }

    private static Replacement replacement(TrainingJobSpec spec) {
        return switch (spec.replacement()) {
            case IMMEDIATELY -> new Replacement.Immediately();
            case WITH_WORKLOAD -> new Replacement.WithWorkload();
            case AFTER_SECONDS ->
                new Replacement.After(Duration.ofSeconds(spec.recovery().afterSeconds()));
            case NEVER -> new Replacement.Never();
        };
    }

    private static boolean relocatable(TrainingJobSpec spec) {
        return spec.replacement() != dev.lightpath.crds.job.Replacement.NEVER
                && reconfiguration(spec) != Reconfiguration.NEVER;
    }

    private static Reconfiguration reconfiguration(TrainingJobSpec spec) {
        return switch (spec.reconfiguration()) {
            case NEVER -> Reconfiguration.NEVER;
            case AT_RESTART -> Reconfiguration.AT_RESTART;
            case LIVE -> Reconfiguration.LIVE;
        };
    }
}
