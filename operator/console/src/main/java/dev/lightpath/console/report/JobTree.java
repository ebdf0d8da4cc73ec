package dev.lightpath.console.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.TrainingJobStatus;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.AllocationOrigin;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.FabricSliceStatus;
import dev.lightpath.crds.slice.GroupAllocation;
import dev.lightpath.crds.slice.JobReference;
import dev.lightpath.crds.slice.Programmed;
import dev.lightpath.crds.slice.SwitchCircuits;
import dev.lightpath.planner.ocs.OcsWiring;
import dev.lightpath.planner.ring.BundleState;
import dev.lightpath.planner.world.OcsPod;
import dev.lightpath.reading.SliceParts;
import dev.lightpath.reading.pod.PodUse;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A job down to its pods: the JSON document of {@code tree}.
 *
 * @param gpus wished
 * @param pods of the job that are on no node of a slice
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record JobTree(
        String namespace,
        String name,
        int gpus,
        @Nullable Integer nodes,
        @Nullable Integer attempt,
        List<ShownCondition> conditions,
        List<SliceBranch> slices,
        List<PodLeaf> pods) {

    /**
     * @param stages which pod of the switches holds which stage; none on other fabrics
     * @param pairs the circuits between pods; none on other fabrics
     * @param releasing nodes whose light is not yet read back down
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record SliceBranch(
            String name,
            String fabric,
            int attempt,
            @Nullable Long revision,
            @Nullable AllocationOrigin origin,
            @Nullable Programmed programmed,
            List<ShownCondition> conditions,
            List<GroupBranch> groups,
            List<SwitchCircuits> circuits,
            List<StageBranch> stages,
            List<PodPair> pairs,
            List<String> releasing) {
        public SliceBranch with(List<StageBranch> of) {
            return new SliceBranch(
                    name,
                    fabric,
                    attempt,
                    revision,
                    origin,
                    programmed,
                    conditions,
                    groups,
                    circuits,
                    of,
                    pairs,
                    releasing);
        }
    }

    /**
     * A stage of a replica.
     *
     * @param pod of the optical fabric
     * @param groups of the job's slice on a ring, by index; none where it has none
     * @param members nodes in rank order
     */
    public record StageBranch(int replica, int stage, String pod, List<Integer> groups, List<Member> members) {}

    /**
     * Members in ring order, which is rank order.
     *
     * @param pod of the optical fabric; null on a ring
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record GroupBranch(int index, @Nullable String pod, List<Member> members) {}

    /**
     * @param rank of the node in the job
     * @param position on the ring, null on other fabrics, where a node's pod says where it is
     * @param bundles as the groups ask for them; none where the fabric is not known
     * @param fault why it counts as faulty, null when it does not
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Member(
            int rank,
            String node,
            @Nullable Integer position,
            List<BundleState> bundles,
            @Nullable String fault,
            List<PodLeaf> pods) {}

    /** @param phase as Kubernetes says; Gated while it waits for its light, Terminating while it is deleted */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record PodLeaf(
            String name, String phase, @Nullable String node) {
        public static PodLeaf of(Pod pod) {
            PodUse use = PodUse.of(pod);
            String phase = use.terminating() ? "Terminating" : use.gated() ? "Gated" : use.phase();
            return new PodLeaf(pod.getMetadata().getName(), phase, use.node().orElse(null));
        }

        public boolean runs() {
            return "Running".equals(phase) || "Succeeded".equals(phase);
        }
    }

    public static JobTree of(TrainingJob job, List<FabricSlice> slices, Fabrics fabrics, List<Pod> pods) {
        SortedMap<String, List<PodLeaf>> byNode = new TreeMap<>();
        List<PodLeaf> elsewhere = new ArrayList<>();
        pods.stream().map(PodLeaf::of).forEach(pod -> {
            if (pod.node() == null) {
                elsewhere.add(pod);
            } else {
                byNode.computeIfAbsent(pod.node(), node -> new ArrayList<>()).add(pod);
            }
        });
        List<SliceBranch> branches = slices.stream()
                .filter(slice -> isOf(slice, job) && !SliceParts.isPart(slice))
                .sorted(Comparator.comparing(FabricSlice::getSpec, Comparator.comparingInt(JobTree::attempt))
                        .thenComparing(slice -> slice.getMetadata().getName()))
                .map(slice -> branch(slice, slices, fabrics, byNode))
                .toList();
        branches.forEach(slice ->
                slice.groups().forEach(group -> group.members().forEach(member -> byNode.remove(member.node()))));
        byNode.values().forEach(elsewhere::addAll);
        TrainingJobStatus status = job.getStatus();
        int pipeline = job.getSpec().parallelism().pipeline();
        List<SliceBranch> staged = branches.stream()
                .map(slice -> slice.with(Stages.of(slice, pipeline, branches, fabrics)))
                .toList();
        return new JobTree(
                job.getMetadata().getNamespace(),
                job.getMetadata().getName(),
                job.getSpec().parallelism().gpus(),
                status == null ? null : status.nodes(),
                status == null ? null : status.attempt(),
                status == null ? List.of() : ShownCondition.of(status.conditions()),
                staged,
                List.copyOf(elsewhere));
    }

    private static boolean isOf(FabricSlice slice, TrainingJob job) {
        JobReference of = slice.getSpec().job();
        return of != null && of.uid().equals(job.getMetadata().getUid());
    }

    private static int attempt(dev.lightpath.crds.slice.FabricSliceSpec spec) {
        JobReference job = spec.job();
        return job == null ? 0 : job.attempt();
    }

    private static SliceBranch branch(
            FabricSlice slice, List<FabricSlice> all, Fabrics fabrics, Map<String, List<PodLeaf>> pods) {
        FabricSliceStatus status = slice.getStatus();
        Allocation first = status == null ? null : status.allocation();
        Allocation allocation = first == null ? null : SliceParts.readable(slice, all);
        String fabric = slice.getSpec().fabric();
        return new SliceBranch(
                slice.getMetadata().getName(),
                fabric,
                attempt(slice.getSpec()),
                allocation == null ? null : allocation.revision(),
                allocation == null ? null : allocation.origin(),
                status == null ? null : status.programmed(),
                status == null ? List.of() : ShownCondition.of(status.conditions()),
                allocation == null ? List.of() : groups(allocation, fabric, fabrics, pods),
                allocation == null ? List.of() : allocation.circuits(),
                List.of(),
                allocation == null
                        ? List.of()
                        : pairs(allocation, fabrics.wirings().get(fabric)),
                allocation == null || allocation.releasing() == null
                        ? List.of()
                        : allocation.releasing().nodes());
    }

    private static @Nullable String pod(GroupAllocation group, @Nullable OcsWiring wiring) {
        if (wiring == null || group.positions().isEmpty()) {
            return null;
        }
        int index = group.positions().getFirst();
        return wiring.pods().values().stream()
                .filter(pod -> pod.index() == index)
                .map(OcsPod::name)
                .findFirst()
                .orElse("pod of index " + index);
    }

    private static List<PodPair> pairs(Allocation allocation, @Nullable OcsWiring wiring) {
        return wiring == null ? List.of() : PodPair.of(wiring, allocation.circuits());
    }

    private static List<GroupBranch> groups(
            Allocation allocation, String fabric, Fabrics fabrics, Map<String, List<PodLeaf>> pods) {
        List<GroupAllocation> recorded = allocation.groups().stream()
                .sorted(Comparator.comparingInt(GroupAllocation::index))
                .toList();
        Map<Integer, List<BundleState>> bundles = fabrics.bundles(
                fabric, recorded.stream().map(GroupAllocation::positions).toList());
        Map<String, Integer> ranks = new LinkedHashMap<>();
        List<GroupBranch> groups = new ArrayList<>();
        for (GroupAllocation group : recorded) {
            List<Member> members = new ArrayList<>();
            for (int i = 0; i < group.nodes().size(); i++) {
                String node = group.nodes().get(i);
                Integer position =
                        i < group.positions().size() ? group.positions().get(i) : null;
                ranks.putIfAbsent(node, ranks.size());
                members.add(new Member(
                        ranks.getOrDefault(node, 0),
                        node,
                        fabrics.wirings().containsKey(fabric) ? null : position,
                        Optional.ofNullable(bundles.get(position)).orElse(List.of()),
                        fabrics.fault(fabric, node).orElse(null),
                        pods.getOrDefault(node, List.of())));
            }
            groups.add(
                    new GroupBranch(group.index(), pod(group, fabrics.wirings().get(fabric)), members));
        }
        return List.copyOf(groups);
    }
}
