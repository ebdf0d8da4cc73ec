package dev.lightpath.planner.delta;

import dev.lightpath.planner.delta.model.CommunicationTask;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.model.Dependency;
import dev.lightpath.planner.delta.model.Pod;
import dev.lightpath.planner.delta.model.PodPair;
import dev.lightpath.planner.delta.model.Topology;
import dev.lightpath.planner.delta.search.SearchLimits;
import dev.lightpath.planner.delta.simulation.NormalizedTime;
import dev.lightpath.planner.delta.simulation.Rates;
import dev.lightpath.planner.delta.simulation.Schedule;
import dev.lightpath.planner.delta.simulation.Simulator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Explains a topology: what each pair of pods sends, which transfers the length of the iteration depends on, and the
 * gain of another port.
 *
 * @param rates for which all figures hold
 * @param makespanSeconds of the iteration
 * @param computeOnlySeconds of it when nothing has to be sent
 * @param idealSeconds of it with unlimited circuits
 * @param pairs with circuits, in ascending order
 * @param criticalPath from the start to the task that ends last, each waiting for the one before
 * @param morePorts one for each counted pod, in the instance's order, and one for all of them together
 */
public record Explanation(
        Rates rates,
        double makespanSeconds,
        double computeOnlySeconds,
        double idealSeconds,
        List<PairShare> pairs,
        List<PathStep> criticalPath,
        List<MorePorts> morePorts) {
    private static final double EQUAL_SECONDS = 1e-9;

    public Explanation {
        pairs = List.copyOf(pairs);
        criticalPath = List.copyOf(criticalPath);
        morePorts = List.copyOf(morePorts);
    }

    /**
     * What a pair of pods has and needs.
     *
     * @param bytes from the first to the second pod
     * @param bytesBack from the second to the first
     * @param busyShare share of the iteration in which circuits of the busier direction would be full if they sent
     *     without pause
     * @param criticalSeconds that the critical path spends on transfers of the pair
     */
    public record PairShare(
            PodPair pair, int circuits, double bytes, double bytesBack, double busyShare, double criticalSeconds) {}

    /**
     * A transfer on the critical path.
     *
     * @param task id in the instance
     * @param waitSeconds of computation between its last dependency and its start
     * @param seconds from start to end
     * @param cardSeconds that its network cards alone would take: the rest is due to few or shared circuits
     */
    public record PathStep(
            int task,
            String name,
            PodPair pods,
            double waitSeconds,
            double startSeconds,
            double seconds,
            double cardSeconds) {}

    /**
     * The gain of one more port in each of some pods, with circuits chosen anew.
     *
     * @param pods ids
     * @param ports that they have together now
     * @param used of these
     * @param makespanSeconds of the best found, at most that of the present topology
     * @param proved whether nothing better is possible with it
     */
    public record MorePorts(List<Integer> pods, int ports, int used, double makespanSeconds, boolean proved) {
        public MorePorts {
            pods = List.copyOf(pods);
        }
    }

    /**
     * Explains a topology. One simulation, and for each counted pod one search of at most {@code limits.nodes()}; a
     * stop signal leaves out the pods that are not done.
     *
     * @param algorithm of the searches; its rates are those of the explanation
     * @param topology within the ports of the instance
     * @throws IllegalArgumentException when the topology has not one count per group
     */
    public static Explanation of(
            DeltaInstance instance,
            Topology topology,
            Algorithm algorithm,
            TopologyPlanner planner,
            SearchLimits limits) {
        Rates rates = algorithm.rates();
        Schedule schedule = new Simulator(instance).simulate(topology, rates);
        NormalizedTime time = NormalizedTime.of(instance);
        List<PathStep> path = path(instance, schedule);
        return new Explanation(
                rates,
                schedule.makespanSeconds(),
                time.computeOnlySeconds(),
                time.idealSeconds(),
                pairs(instance, topology, schedule.makespanSeconds(), path),
                path,
                morePorts(instance, topology, schedule.makespanSeconds(), algorithm, planner, limits));
    }

    private static List<PairShare> pairs(
            DeltaInstance instance, Topology topology, double makespanSeconds, List<PathStep> path) {
        SortedMap<PodPair, Integer> circuits = new TreeMap<>();
        for (int g = 0; g < instance.groups().size(); g++) {
            for (PodPair pair : instance.groups().get(g).pairs()) {
                circuits.put(pair.sorted(), topology.circuits().get(g));
            }
        }
        Map<PodPair, Double> bytes = new HashMap<>();
        instance.tasks()
                .forEach(
                        task -> bytes.merge(new PodPair(task.source(), task.destination()), task.bytes(), Double::sum));
        Map<PodPair, Double> critical = new HashMap<>();
        path.forEach(step -> critical.merge(step.pods().sorted(), step.seconds(), Double::sum));
        List<PairShare> shares = new ArrayList<>();
        circuits.forEach((pair, count) -> {
            double there = bytes.getOrDefault(pair, 0.0);
            double back = bytes.getOrDefault(pair.reversed(), 0.0);
            double full = Math.max(there, back) / (count * instance.circuitBytesPerSecond());
            shares.add(new PairShare(
                    pair,
                    count,
                    there,
                    back,
                    makespanSeconds > 0 ? full / makespanSeconds : 0,
                    critical.getOrDefault(pair, 0.0)));
        });
        return shares;
    }

    /** Back from the task that ends last over the dependencies that held each one up. */
    private static List<PathStep> path(DeltaInstance instance, Schedule schedule) {
        Map<Integer, List<Dependency>> before = new HashMap<>();
        instance.dependencies()
                .forEach(dependency -> before.computeIfAbsent(dependency.post(), _ -> new ArrayList<>())
                        .add(dependency));
        int task = 0;
        for (int m = 1; m < instance.tasks().size(); m++) {
            if (schedule.tasks().get(m).endSeconds()
                    > schedule.tasks().get(task).endSeconds() + EQUAL_SECONDS * schedule.makespanSeconds()) {
                task = m;
            }
        }
        List<PathStep> path = new ArrayList<>();
        while (task != Dependency.START) {
            Dependency latest = before.getOrDefault(task, List.of()).stream()
                    .max(Comparator.comparingDouble(
                            dependency -> end(schedule, dependency.pre()) + dependency.delaySeconds()))
                    .orElse(new Dependency(Dependency.START, task, 0));
            path.add(step(instance, schedule, task, latest.delaySeconds()));
            task = latest.pre();
        }
        Collections.reverse(path);
        return path;
    }

    private static double end(Schedule schedule, int task) {
        return task == Dependency.START ? 0 : schedule.tasks().get(task).endSeconds();
    }

    private static PathStep step(DeltaInstance instance, Schedule schedule, int id, double waitSeconds) {
        CommunicationTask task = instance.tasks().get(id);
        Schedule.Times times = schedule.tasks().get(id);
        int cards = Math.min(task.sourceGpus().size(), task.destinationGpus().size());
        return new PathStep(
                id,
                task.name(),
                new PodPair(task.source(), task.destination()),
                waitSeconds,
                times.startSeconds(),
                times.endSeconds() - times.startSeconds(),
                task.bytes() / (cards * instance.circuitBytesPerSecond()));
    }

    private static List<MorePorts> morePorts(
            DeltaInstance instance,
            Topology topology,
            double makespanSeconds,
            Algorithm algorithm,
            TopologyPlanner planner,
            SearchLimits limits) {
        Map<Integer, Integer> used = SolutionVerifier.used(instance, topology);
        List<Pod> counted = instance.pods().stream().filter(Pod::counted).toList();
        List<List<Pod>> choices = new ArrayList<>(counted.stream().map(List::of).toList());
        if (counted.size() > 1) {
            choices.add(counted);
        }
        List<MorePorts> more = new ArrayList<>();
        for (List<Pod> pods : choices) {
            if (limits.stop().getAsBoolean()) {
                break;
            }
            List<Integer> ports = instance.pods().stream()
                    .map(pod -> pod.ports() + (pods.contains(pod) ? 1 : 0))
                    .toList();
            DeltaSolution best = planner.solve(instance.withPorts(ports), Goal.shortest(algorithm), limits);
            more.add(new MorePorts(
                    pods.stream().map(Pod::id).toList(),
                    pods.stream().mapToInt(Pod::ports).sum(),
                    pods.stream()
                            .mapToInt(pod -> used.getOrDefault(pod.id(), 0))
                            .sum(),
                    Math.min(makespanSeconds, best.makespanSeconds()),
                    best.proved()));
        }
        return more;
    }
}
