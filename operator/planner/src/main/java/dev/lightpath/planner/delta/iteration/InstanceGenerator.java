package dev.lightpath.planner.delta.iteration;

import dev.lightpath.planner.delta.model.CircuitGroup;
import dev.lightpath.planner.delta.model.CommunicationTask;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.model.Pod;
import dev.lightpath.planner.delta.model.PodPair;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * From a training workload to the reduced DAG of one iteration (section III-A): non-interleaved 1F1B, one replica
 * (section IV-A1), transfers inside a pod rigid.
 */
public final class InstanceGenerator {
    /** A GPU's speed inside its pod, bytes per second: 400 Gb/s whatever the circuits. */
    private static final double INTRA_POD_BYTES_PER_SECOND = 5e10;

    /** GPU numbers of the peer pods start here. */
    private static final int PEER_GPUS = Parallelism.MOST_GPUS;

    /** Forward passes of all stages in an iteration; thirty times the paper's largest. */
    private static final int MOST_PASSES_HELD = 1 << 18;

    private final IterationProfile profile;
    private final int stages;
    private final int gpusPerStage;
    private final int pods;
    private final IterationGraph graph;
    /** Per stage, shared by all its transfers. */
    private final List<List<Integer>> ownGpus;

    private final List<List<Integer>> peerGpus;
    private final List<CommunicationTask> tasks = new ArrayList<>();

    private InstanceGenerator(IterationProfile profile) {
        this.profile = profile;
        this.stages = profile.stages();
        this.gpusPerStage = profile.gpusPerStage();
        this.pods = profile.placement().pods(stages);
        this.graph = new IterationGraph(4 * stages * profile.microBatches());
        this.ownGpus = gpus(0);
        this.peerGpus = gpus(PEER_GPUS);
    }

    /**
     * The instance of a profile. Pods 0..k-1 are the replica's, pod k+i is the data-parallel peer of pod i. Times are
     * seconds, volumes bytes. For M micro-batches and PP stages it has 2 (k - 1) M + PP tasks (sections III-A and
     * IV-A1). A single replica has 2 (k - 1) M tasks and an end of no bytes. O(stages * micro-batches * open transfers
     * per stage squared).
     *
     * @throws IllegalArgumentException when the workload sends nothing between pods, or has too many micro-batches for
     *     memory
     */
    public static DeltaInstance generate(TrainingWorkload workload) {
        return generate(IterationProfile.of(workload));
    }

    /** The same of a profile, wherever it comes from. */
    public static DeltaInstance generate(IterationProfile profile) {
        tooMany("microBatches", profile.microBatches(), profile.stages(), MOST_PASSES_HELD)
                .ifPresent(why -> {
                    throw new IllegalArgumentException(why);
                });
        return new InstanceGenerator(profile).generate();
    }

    /**
     * Why an iteration has too many micro-batches, with how many are allowed; empty where it has not. O(1).
     *
     * @param name what people know the number of micro-batches by
     * @param mostPasses forward passes of all stages
     */
    public static Optional<String> tooMany(String name, int microBatches, int stages, int mostPasses) {
        int most = mostPasses / stages;
        return microBatches <= most
                ? Optional.empty()
                : Optional.of(
                        name + ": " + microBatches + ", allowed: at most " + most + " with " + stages + " stages");
    }

    private DeltaInstance generate() {
        int microBatches = profile.microBatches();
        int[][] forward = new int[stages][microBatches];
        int[][] backward = new int[stages][microBatches];
        for (int s = 0; s < stages; s++) {
            for (int i = 0; i < microBatches; i++) {
                forward[s][i] = graph.rigid(profile.forwardSeconds());
                backward[s][i] = graph.rigid(profile.backwardSeconds());
            }
            chain(forward[s], backward[s], Math.min(stages - 1 - s, microBatches));
        }
        for (int s = 0; s + 1 < stages; s++) {
            for (int i = 0; i < microBatches; i++) {
                send(s, s + 1, i, forward[s][i], forward[s + 1][i]);
                send(s + 1, s, i, backward[s + 1][i], backward[s][i]);
            }
        }
        boolean replicated = profile.replicas() > 1;
        if (replicated) {
            for (int s = 0; s < stages; s++) {
                graph.edge(backward[s][microBatches - 1], graph.transfer(synchronise(s)));
            }
        }
        if (tasks.isEmpty()) {
            throw new IllegalArgumentException(
                    profile.name() + ": one replica in one pod sends nothing between pods, allowed: 2 or more");
        }
        if (!replicated) {
            graph.edge(backward[0][microBatches - 1], graph.transfer(end()));
        }
        return new DeltaInstance(
                profile.name(),
                profile.placement().circuitGbps() * 1e9 / 8,
                instancePods(replicated),
                groups(replicated),
                tasks,
                Reduction.reduce(graph, tasks.size()));
    }

    /** Warm-up forwards, then pairs of forward and backward, then the backwards left. */
    private void chain(int[] forward, int[] backward, int warmUp) {
        int microBatches = forward.length;
        int last = -1;
        int nextBackward = 0;
        for (int i = 0; i < microBatches; i++) {
            last = after(last, forward[i]);
            if (i >= warmUp) {
                last = after(last, backward[nextBackward++]);
            }
        }
        while (nextBackward < microBatches) {
            last = after(last, backward[nextBackward++]);
        }
    }

    private int after(int before, int node) {
        if (before >= 0) {
            graph.edge(before, node);
        }
        return node;
    }

    private void send(int source, int destination, int microBatch, int producer, int consumer) {
        int from = profile.placement().podOf(source, stages);
        int to = profile.placement().podOf(destination, stages);
        int node;
        if (from == to) {
            node = graph.rigid(profile.pipelineBytes() / (gpusPerStage * INTRA_POD_BYTES_PER_SECOND));
        } else {
            int boundary = Math.min(source, destination);
            node = graph.transfer(tasks.size());
            tasks.add(new CommunicationTask(
                    tasks.size(),
                    "r0.b" + microBatch + ".s" + boundary + (source < destination ? ".fwd" : ".bwd"),
                    from,
                    to,
                    gpusPerStage,
                    profile.pipelineBytes(),
                    ownGpus.get(source),
                    ownGpus.get(destination)));
        }
        graph.edge(producer, node);
        graph.edge(node, consumer);
    }

    private int synchronise(int stage) {
        int pod = profile.placement().podOf(stage, stages);
        int id = tasks.size();
        tasks.add(new CommunicationTask(
                id,
                "r0.dp.s" + stage,
                pod,
                pods + pod,
                gpusPerStage,
                profile.dataBytes(),
                ownGpus.get(stage),
                peerGpus.get(stage)));
        return id;
    }

    /**
     * An instance ends with its last transfer: one of no bytes keeps what a single replica computes after its last
     * gradient.
     */
    private int end() {
        CommunicationTask any = tasks.getFirst();
        int id = tasks.size();
        tasks.add(new CommunicationTask(
                id,
                "end",
                any.source(),
                any.destination(),
                1,
                0,
                firstOf(any.sourceGpus()),
                firstOf(any.destinationGpus())));
        return id;
    }

    private static List<Integer> firstOf(List<Integer> gpus) {
        return List.of(gpus.getFirst());
    }

    private List<List<Integer>> gpus(int offset) {
        return IntStream.range(0, stages)
                .map(stage -> offset + stage * gpusPerStage)
                .mapToObj(first -> List.copyOf(
                        IntStream.range(first, first + gpusPerStage).boxed().toList()))
                .toList();
    }

    private List<Pod> instancePods(boolean replicated) {
        List<Pod> all = new ArrayList<>();
        for (int i = 0; i < (replicated ? 2 * pods : pods); i++) {
            all.add(new Pod(i, profile.placement().portsPerPod(), i < pods));
        }
        return all;
    }

    private List<CircuitGroup> groups(boolean replicated) {
        int ports = profile.placement().portsPerPod();
        List<CircuitGroup> groups = new ArrayList<>();
        for (int i = 0; i + 1 < pods; i++) {
            groups.add(new CircuitGroup(Math.min(gpusPerStage, ports), false, List.of(new PodPair(i, i + 1))));
        }
        for (int i = 0; replicated && i < pods; i++) {
            int pod = i;
            int stagesHere = (int) IntStream.range(0, stages)
                    .filter(s -> profile.placement().podOf(s, stages) == pod)
                    .count();
            groups.add(new CircuitGroup(
                    Math.min(stagesHere * gpusPerStage, ports), true, List.of(new PodPair(i, pods + i))));
        }
        return groups;
    }
}
