package dev.lightpath.planner.delta.model;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A question for DELTA: pods, the circuits that may be chosen, the transfers of one iteration and what they wait for
 * ({@code delta-instance/1}). Every instance that exists is consistent: known pods, an acyclic graph, each active pair
 * of pods in exactly one group. The reduced DAG of section III-A with the network of section III-B.
 *
 * @param name for people and messages
 * @param circuitBytesPerSecond capacity of a circuit and of a GPU's network card, in each direction (B of the paper)
 * @param pods with distinct ids
 * @param groups one decision each, in the order of a {@link Topology}
 * @param tasks at least one; task i has id i
 * @param dependencies an acyclic graph over the tasks and the start
 */
public record DeltaInstance(
        String name,
        double circuitBytesPerSecond,
        List<Pod> pods,
        List<CircuitGroup> groups,
        List<CommunicationTask> tasks,
        List<Dependency> dependencies) {
    /** Beyond this many seconds sums and products of times would leave the range of a double. */
    private static final double LONGEST_SECONDS = 1e100;

    /**
     * Checks everything; O(pods + pairs + tasks + dependencies).
     *
     * @throws IllegalArgumentException naming the field as in {@code delta-instance/1} and what is allowed
     */
    public DeltaInstance {
        pods = List.copyOf(pods);
        groups = List.copyOf(groups);
        tasks = List.copyOf(tasks);
        dependencies = List.copyOf(dependencies);
        if (!(circuitBytesPerSecond > 0) || Double.isInfinite(circuitBytesPerSecond)) {
            throw new IllegalArgumentException(
                    "circuitBytesPerSecond: " + circuitBytesPerSecond + ", allowed: a finite number above 0");
        }
        if (tasks.isEmpty()) {
            throw new IllegalArgumentException("tasks: empty, allowed: at least one task");
        }
        Set<Integer> known = requirePods(pods);
        requireTasks(tasks, known);
        requireGroups(groups, tasks, known);
        requireDependencies(dependencies, tasks.size());
        requireFiniteTimes(circuitBytesPerSecond, tasks, dependencies);
    }

    /**
     * An instance in which each active pair of pods is a decision of its own, pairs in ascending order. A group's limit
     * is the smaller budget of its counted pods (Eq. 5), without any the flows between them. O(tasks * pairs +
     * dependencies).
     *
     * @throws IllegalArgumentException naming the field and what is allowed
     */
    public static DeltaInstance withGroupPerPair(
            String name,
            double circuitBytesPerSecond,
            List<Pod> pods,
            List<CommunicationTask> tasks,
            List<Dependency> dependencies) {
        requireTasks(tasks, requirePods(pods));
        Map<Integer, Pod> byId = new HashMap<>();
        pods.forEach(pod -> byId.put(pod.id(), pod));
        List<CircuitGroup> groups = new ArrayList<>();
        for (PodPair pair : activePairs(tasks)) {
            int limit = Integer.MAX_VALUE;
            for (int end : new int[] {pair.first(), pair.second()}) {
                Pod pod = byId.get(end);
                if (pod != null && pod.counted()) {
                    limit = Math.min(limit, pod.ports());
                }
            }
            if (limit == Integer.MAX_VALUE) {
                limit = flowsBetween(pair, tasks);
            }
            groups.add(new CircuitGroup(limit, false, List.of(pair)));
        }
        return new DeltaInstance(name, circuitBytesPerSecond, pods, groups, tasks, dependencies);
    }

    /**
     * The same question with other port budgets (U of Eq. 5). O(size of the instance).
     *
     * @param ports one per pod in the order of {@link #pods()}, 1 or more each
     * @throws IllegalArgumentException naming what is allowed when a budget is below 1 or their number is not that of
     *     the pods
     */
    public DeltaInstance withPorts(List<Integer> ports) {
        if (ports.size() != pods.size()) {
            throw new IllegalArgumentException(
                    "ports: " + ports.size() + " budgets, allowed: " + pods.size() + ", one per pod");
        }
        List<Pod> changed = new ArrayList<>();
        for (int i = 0; i < pods.size(); i++) {
            changed.add(new Pod(pods.get(i).id(), ports.get(i), pods.get(i).counted()));
        }
        return new DeltaInstance(name, circuitBytesPerSecond, changed, groups, tasks, dependencies);
    }

    /**
     * The same iteration on GPUs and links of other speeds. The time that it takes is homogeneous of degree one: at
     * shares f and f it takes 1 / f of the time. O(size of the instance).
     *
     * @param compute share of the speed of what is between two transfers
     * @param link share of the capacity of circuits and network cards
     * @throws IllegalArgumentException when a time or capacity leaves its range
     */
    public DeltaInstance at(double compute, double link) {
        return new DeltaInstance(
                name,
                circuitBytesPerSecond * link,
                pods,
                groups,
                tasks,
                dependencies.stream()
                        .map(each -> new Dependency(each.pre(), each.post(), each.delaySeconds() / compute))
                        .toList());
    }

    /**
     * Circuit ends that the counted pods offer together (sum of U, Eq. 5); {@link Integer#MAX_VALUE} when there are
     * more. O(pods).
     */
    public int portBudget() {
        long sum = pods.stream().filter(Pod::counted).mapToLong(Pod::ports).sum();
        return (int) Math.min(Integer.MAX_VALUE, sum);
    }

    private static int flowsBetween(PodPair pair, List<CommunicationTask> tasks) {
        long flows = 0;
        for (CommunicationTask task : tasks) {
            if (new PodPair(task.source(), task.destination()).sorted().equals(pair)) {
                flows += task.flows();
            }
        }
        return (int) Math.min(flows, 1 << 20);
    }

    private static TreeSet<PodPair> activePairs(List<CommunicationTask> tasks) {
        TreeSet<PodPair> pairs = new TreeSet<>();
        tasks.forEach(task -> pairs.add(new PodPair(task.source(), task.destination()).sorted()));
        return pairs;
    }

    /** No schedule that always sends something lasts longer than everything one after the other over one card. */
    private static void requireFiniteTimes(
            double circuitBytesPerSecond, List<CommunicationTask> tasks, List<Dependency> dependencies) {
        double longest = 0;
        for (CommunicationTask task : tasks) {
            longest += task.bytes() / circuitBytesPerSecond;
        }
        for (Dependency dependency : dependencies) {
            longest += dependency.delaySeconds();
        }
        if (!(longest <= LONGEST_SECONDS)) {
            throw new IllegalArgumentException("tasks and deps: all delays and transfers together take " + longest
                    + " s, allowed: at most " + LONGEST_SECONDS + " s");
        }
    }

    private static Set<Integer> requirePods(List<Pod> pods) {
        Set<Integer> known = new HashSet<>();
        for (int i = 0; i < pods.size(); i++) {
            if (!known.add(pods.get(i).id())) {
                throw new IllegalArgumentException(
                        "pods[" + i + "].id: " + pods.get(i).id() + " repeats, allowed: distinct ids");
            }
        }
        return known;
    }

    private static void requireTasks(List<CommunicationTask> tasks, Set<Integer> pods) {
        for (int i = 0; i < tasks.size(); i++) {
            CommunicationTask task = tasks.get(i);
            if (task.id() != i) {
                throw new IllegalArgumentException(
                        "tasks[" + i + "].id: " + task.id() + ", allowed: " + i + ", its place in the list");
            }
            requirePod(pods, task.source(), "tasks[" + i + "].src");
            requirePod(pods, task.destination(), "tasks[" + i + "].dst");
        }
    }

    private static void requirePod(Set<Integer> pods, int id, String field) {
        if (!pods.contains(id)) {
            throw new IllegalArgumentException(field + ": unknown pod " + id + ", allowed: an id listed in pods");
        }
    }

    private static void requireGroups(List<CircuitGroup> groups, List<CommunicationTask> tasks, Set<Integer> pods) {
        Set<PodPair> covered = new HashSet<>();
        for (int g = 0; g < groups.size(); g++) {
            for (int p = 0; p < groups.get(g).pairs().size(); p++) {
                PodPair pair = groups.get(g).pairs().get(p).sorted();
                String field = "groups[" + g + "].pairs[" + p + "]";
                requirePod(pods, pair.first(), field);
                requirePod(pods, pair.second(), field);
                if (!covered.add(pair)) {
                    throw new IllegalArgumentException(field + ": " + pair.first() + "," + pair.second()
                            + " repeats, allowed: each pair in one group");
                }
            }
        }
        for (PodPair pair : activePairs(tasks)) {
            if (!covered.contains(pair)) {
                throw new IllegalArgumentException("groups: the active pair [" + pair.first() + "," + pair.second()
                        + "] is in none, allowed: each active pair in one group");
            }
        }
    }

    private static void requireDependencies(List<Dependency> dependencies, int tasks) {
        int[] waiting = new int[tasks];
        List<List<Integer>> next = new ArrayList<>();
        for (int i = 0; i < tasks; i++) {
            next.add(new ArrayList<>());
        }
        for (int i = 0; i < dependencies.size(); i++) {
            Dependency dependency = dependencies.get(i);
            if (dependency.pre() < Dependency.START || dependency.pre() >= tasks) {
                throw new IllegalArgumentException("deps[" + i + "].pre: unknown task " + dependency.pre()
                        + ", allowed: -1 (the start) to " + (tasks - 1));
            }
            if (dependency.post() < 0 || dependency.post() >= tasks) {
                throw new IllegalArgumentException(
                        "deps[" + i + "].post: unknown task " + dependency.post() + ", allowed: 0 to " + (tasks - 1));
            }
            if (dependency.pre() != Dependency.START) {
                waiting[dependency.post()]++;
                next.get(dependency.pre()).add(dependency.post());
            }
        }
        ArrayDeque<Integer> ready = new ArrayDeque<>();
        for (int i = 0; i < tasks; i++) {
            if (waiting[i] == 0) {
                ready.add(i);
            }
        }
        int done = 0;
        while (!ready.isEmpty()) {
            done++;
            for (int post : next.get(ready.remove())) {
                if (--waiting[post] == 0) {
                    ready.add(post);
                }
            }
        }
        if (done < tasks) {
            int onCycle = 0;
            while (waiting[onCycle] == 0) {
                onCycle++;
            }
            throw new IllegalArgumentException(
                    "deps: a cycle keeps task " + onCycle + " from starting, allowed: an acyclic graph");
        }
    }
}
