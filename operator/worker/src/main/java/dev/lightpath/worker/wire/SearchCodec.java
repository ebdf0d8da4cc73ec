package dev.lightpath.worker.wire;

import dev.lightpath.planner.delta.DeltaSolution;
import dev.lightpath.planner.delta.Goal;
import dev.lightpath.planner.delta.model.CircuitGroup;
import dev.lightpath.planner.delta.model.CommunicationTask;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.model.Dependency;
import dev.lightpath.planner.delta.model.Pod;
import dev.lightpath.planner.delta.model.PodPair;
import dev.lightpath.planner.delta.search.SearchLimits;
import dev.lightpath.proto.solver.v1alpha1.Algorithm;
import dev.lightpath.proto.solver.v1alpha1.Group;
import dev.lightpath.proto.solver.v1alpha1.Instance;
import dev.lightpath.proto.solver.v1alpha1.Question;
import dev.lightpath.proto.solver.v1alpha1.Solution;
import dev.lightpath.proto.solver.v1alpha1.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Turns questions and solutions into messages, and questions back. */
public final class SearchCodec {
    /** Largest question that a worker takes, in bytes. */
    public static final int MOST_QUESTION_BYTES = 32 << 20;

    /** Largest solution that the operator reads, in bytes. */
    public static final int MOST_SOLUTION_BYTES = 1 << 20;

    private SearchCodec() {}

    /** What a planner is asked, without its stop signal and its listener. O(size of the instance). */
    public static Question question(DeltaInstance instance, Goal goal, SearchLimits limits) {
        return Question.newBuilder()
                .setInstance(instance(instance))
                .setGoal(dev.lightpath.proto.solver.v1alpha1.Goal.newBuilder()
                        .setAlgorithm(algorithm(goal.algorithm()))
                        .setMinimizePorts(goal.minimizePorts())
                        .setPortTolerance(goal.portTolerance()))
                .setNodes(limits.nodes())
                .setSeed(limits.seed())
                .build();
    }

    private static Instance instance(DeltaInstance of) {
        Instance.Builder instance =
                Instance.newBuilder().setName(of.name()).setCircuitBytesPerSecond(of.circuitBytesPerSecond());
        for (Pod pod : of.pods()) {
            instance.addPodsBuilder().setId(pod.id()).setPorts(pod.ports()).setCounted(pod.counted());
        }
        for (CircuitGroup group : of.groups()) {
            Group.Builder to = instance.addGroupsBuilder()
                    .setMaxCircuits(group.maxCircuits())
                    .setDataParallel(group.dp());
            group.pairs().forEach(pair -> to.addEnds(pair.first()).addEnds(pair.second()));
        }
        for (CommunicationTask task : of.tasks()) {
            instance.addTasksBuilder()
                    .setName(task.name())
                    .setSource(task.source())
                    .setDestination(task.destination())
                    .setFlows(task.flows())
                    .setBytes(task.bytes())
                    .addAllSourceGpus(task.sourceGpus())
                    .addAllDestinationGpus(task.destinationGpus());
        }
        for (Dependency dependency : of.dependencies()) {
            instance.addDependenciesBuilder()
                    .setPre(dependency.pre())
                    .setPost(dependency.post())
                    .setDelaySeconds(dependency.delaySeconds());
        }
        return instance.build();
    }

    /**
     * The iteration of a question. O(size of the instance).
     *
     * @throws IllegalArgumentException naming the field and what is allowed
     */
    public static DeltaInstance instance(Question question) {
        Instance from = question.getInstance();
        List<Task> tasks = from.getTasksList();
        return new DeltaInstance(
                from.getName(),
                from.getCircuitBytesPerSecond(),
                from.getPodsList().stream()
                        .map(pod -> new Pod(pod.getId(), pod.getPorts(), pod.getCounted()))
                        .toList(),
                from.getGroupsList().stream().map(SearchCodec::group).toList(),
                IntStream.range(0, tasks.size())
                        .mapToObj(i -> task(i, tasks.get(i)))
                        .toList(),
                from.getDependenciesList().stream()
                        .map(each -> new Dependency(each.getPre(), each.getPost(), each.getDelaySeconds()))
                        .toList());
    }

    private static CircuitGroup group(Group from) {
        if (from.getEndsCount() % 2 != 0) {
            throw new IllegalArgumentException("ends: " + from.getEndsCount() + " pods, allowed: two for each pair");
        }
        List<PodPair> pairs = new ArrayList<>();
        for (int i = 0; i < from.getEndsCount(); i += 2) {
            pairs.add(new PodPair(from.getEnds(i), from.getEnds(i + 1)));
        }
        return new CircuitGroup(from.getMaxCircuits(), from.getDataParallel(), pairs);
    }

    private static CommunicationTask task(int id, Task from) {
        return new CommunicationTask(
                id,
                from.getName(),
                from.getSource(),
                from.getDestination(),
                from.getFlows(),
                from.getBytes(),
                from.getSourceGpusList(),
                from.getDestinationGpusList());
    }

    /**
     * The goal of a question.
     *
     * @throws IllegalArgumentException naming the field and what is allowed
     */
    public static Goal goal(Question question) {
        dev.lightpath.proto.solver.v1alpha1.Goal from = question.getGoal();
        return new Goal(algorithm(from.getAlgorithm()), from.getMinimizePorts(), from.getPortTolerance());
    }

    private static Algorithm algorithm(dev.lightpath.planner.delta.Algorithm of) {
        return switch (of) {
            case JOINT -> Algorithm.ALGORITHM_JOINT;
            case TOPOLOGY -> Algorithm.ALGORITHM_TOPOLOGY;
            case FAST -> Algorithm.ALGORITHM_FAST;
            case PROP -> Algorithm.ALGORITHM_PROP;
            case SQRT -> Algorithm.ALGORITHM_SQRT;
            case ITER_HALVE -> Algorithm.ALGORITHM_ITER_HALVE;
        };
    }

    private static dev.lightpath.planner.delta.Algorithm algorithm(Algorithm from) {
        return switch (from) {
            case ALGORITHM_JOINT -> dev.lightpath.planner.delta.Algorithm.JOINT;
            case ALGORITHM_TOPOLOGY -> dev.lightpath.planner.delta.Algorithm.TOPOLOGY;
            case ALGORITHM_FAST -> dev.lightpath.planner.delta.Algorithm.FAST;
            case ALGORITHM_PROP -> dev.lightpath.planner.delta.Algorithm.PROP;
            case ALGORITHM_SQRT -> dev.lightpath.planner.delta.Algorithm.SQRT;
            case ALGORITHM_ITER_HALVE -> dev.lightpath.planner.delta.Algorithm.ITER_HALVE;
            case ALGORITHM_UNSPECIFIED, UNRECOGNIZED ->
                throw new IllegalArgumentException("algorithm: " + from + ", allowed: one that this worker knows");
        };
    }

    /** What a planner answered. O(groups). */
    public static Solution solution(DeltaSolution of) {
        return Solution.newBuilder()
                .addAllCircuits(of.topology().circuits())
                .setMakespanSeconds(of.makespanSeconds())
                .setLowerBoundSeconds(of.lowerBoundSeconds())
                .setProved(of.proved())
                .setPortBound(of.portBound())
                .build();
    }
}
