package dev.lightpath.planner.delta.simulation;

import dev.lightpath.planner.delta.model.CommunicationTask;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.model.Dependency;
import dev.lightpath.planner.delta.model.Pod;
import dev.lightpath.planner.delta.model.PodPair;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * An instance as flat arrays, the form in which simulators and bounds read it. Immutable after construction and safe to
 * share between threads.
 *
 * <p>Resources are numbered with the directed links first, then the network cards. GPUs that carry exactly the same
 * tasks are one card; a card that carries a single task is no resource but part of that task's own rate limit.
 */
public final class FlowNetwork {
    /** Of the instance, for messages. */
    final String name;

    public final int tasks;
    public final int links;
    public final int resources;
    public final int groups;
    public final double circuit;
    public final double[] bytesPerFlow;
    public final double[] flows;
    /** Bytes per second of one flow when only network cards limit it. */
    public final double[] cardRate;

    public final int[] linkGroup;
    public final int[] taskLink;
    /**
     * Resources of task m: {@code useResource[useFrom[m] .. useFrom[m+1])}; the first is its link, weighing its flows.
     */
    public final int[] useFrom;

    public final int[] useResource;
    public final double[] useWeight;
    /** Tasks of resource r, the transpose of the above. */
    public final int[] loadFrom;

    public final int[] loadTask;
    final double[] release;
    final int[] predecessors;
    public final int[] nextFrom;
    public final int[] nextTask;
    public final double[] nextDelay;
    /** Tasks in topological order. */
    public final int[] order;

    public final int[] groupLimit;
    public final int[] podPorts;
    public final int[] podIds;
    /** Circuit ends that one circuit per pair of group g takes in counted pod p. */
    public final int[][] ends;

    public FlowNetwork(DeltaInstance instance) {
        name = instance.name();
        tasks = instance.tasks().size();
        groups = instance.groups().size();
        circuit = instance.circuitBytesPerSecond();
        bytesPerFlow = new double[tasks];
        flows = new double[tasks];
        cardRate = new double[tasks];
        taskLink = new int[tasks];
        Map<PodPair, Integer> groupOf = new HashMap<>();
        groupLimit = new int[groups];
        for (int g = 0; g < groups; g++) {
            groupLimit[g] = instance.groups().get(g).maxCircuits();
            for (PodPair pair : instance.groups().get(g).pairs()) {
                groupOf.put(pair.sorted(), g);
            }
        }
        Map<PodPair, Integer> linkOf = new HashMap<>();
        List<Integer> groupOfLink = new ArrayList<>();
        for (CommunicationTask task : instance.tasks()) {
            int m = task.id();
            flows[m] = task.flows();
            bytesPerFlow[m] = task.bytes() / task.flows();
            double busiestCard = (double) task.flows()
                    / Math.min(task.sourceGpus().size(), task.destinationGpus().size());
            cardRate[m] = circuit / busiestCard;
            PodPair directed = new PodPair(task.source(), task.destination());
            Integer link = linkOf.get(directed);
            if (link == null) {
                link = linkOf.size();
                linkOf.put(directed, link);
                groupOfLink.add(Objects.requireNonNull(groupOf.get(directed.sorted())));
            }
            taskLink[m] = link;
        }
        links = linkOf.size();
        linkGroup = groupOfLink.stream().mapToInt(Integer::intValue).toArray();

        List<List<Integer>> sharedCards = new ArrayList<>();
        List<Boolean> outgoing = new ArrayList<>();
        collectCards(instance, true, sharedCards, outgoing);
        collectCards(instance, false, sharedCards, outgoing);
        resources = links + sharedCards.size();
        int[] uses = new int[tasks + 1];
        for (int m = 0; m < tasks; m++) {
            uses[m + 1] = 1;
        }
        sharedCards.forEach(card -> card.forEach(m -> uses[m + 1]++));
        useFrom = prefixSums(uses);
        useResource = new int[useFrom[tasks]];
        useWeight = new double[useFrom[tasks]];
        int[] at = Arrays.copyOf(useFrom, tasks);
        for (int m = 0; m < tasks; m++) {
            useResource[at[m]] = taskLink[m];
            useWeight[at[m]++] = flows[m];
        }
        for (int c = 0; c < sharedCards.size(); c++) {
            for (int m : sharedCards.get(c)) {
                CommunicationTask task = instance.tasks().get(m);
                int cards = outgoing.get(c)
                        ? task.sourceGpus().size()
                        : task.destinationGpus().size();
                useResource[at[m]] = links + c;
                useWeight[at[m]++] = (double) task.flows() / cards;
            }
        }
        int[] loads = new int[resources + 1];
        for (int resource : useResource) {
            loads[resource + 1]++;
        }
        loadFrom = prefixSums(loads);
        loadTask = new int[useResource.length];
        int[] fill = Arrays.copyOf(loadFrom, resources);
        for (int m = 0; m < tasks; m++) {
            for (int u = useFrom[m]; u < useFrom[m + 1]; u++) {
                loadTask[fill[useResource[u]]++] = m;
            }
        }

        release = new double[tasks];
        predecessors = new int[tasks];
        int[] nexts = new int[tasks + 1];
        for (Dependency dependency : instance.dependencies()) {
            if (dependency.pre() == Dependency.START) {
                release[dependency.post()] = Math.max(release[dependency.post()], dependency.delaySeconds());
            } else {
                predecessors[dependency.post()]++;
                nexts[dependency.pre() + 1]++;
            }
        }
        nextFrom = prefixSums(nexts);
        nextTask = new int[nextFrom[tasks]];
        nextDelay = new double[nextFrom[tasks]];
        int[] put = Arrays.copyOf(nextFrom, tasks);
        for (Dependency dependency : instance.dependencies()) {
            if (dependency.pre() != Dependency.START) {
                nextTask[put[dependency.pre()]] = dependency.post();
                nextDelay[put[dependency.pre()]++] = dependency.delaySeconds();
            }
        }
        order = topologicalOrder();

        List<Pod> counted = instance.pods().stream().filter(Pod::counted).toList();
        Map<Integer, Integer> podIndex = new HashMap<>();
        podPorts = new int[counted.size()];
        podIds = counted.stream().mapToInt(Pod::id).toArray();
        for (int p = 0; p < counted.size(); p++) {
            podIndex.put(counted.get(p).id(), p);
            podPorts[p] = counted.get(p).ports();
        }
        ends = new int[groups][counted.size()];
        for (int g = 0; g < groups; g++) {
            for (PodPair pair : instance.groups().get(g).pairs()) {
                for (int pod : new int[] {pair.first(), pair.second()}) {
                    Integer p = podIndex.get(pod);
                    if (p != null) {
                        ends[g][p]++;
                    }
                }
            }
        }
    }

    /** About as many as the arrays take. */
    long bytes() {
        long perTask = 4 * Double.BYTES + 5 * Integer.BYTES;
        long perUse = Double.BYTES + 2 * Integer.BYTES;
        long perDependency = Double.BYTES + Integer.BYTES;
        long perGroup = (2L + podPorts.length) * Integer.BYTES + 16;
        long perResource = 2 * Integer.BYTES;
        return 1024
                + perTask * tasks
                + perUse * useResource.length
                + perDependency * nextTask.length
                + perGroup * groups
                + perResource * resources;
    }

    /** Whether each counted pod has ports enough. */
    public boolean fits(int[] circuits) {
        for (int p = 0; p < podPorts.length; p++) {
            if (used(circuits, p) > podPorts[p]) {
                return false;
            }
        }
        return true;
    }

    /** Ports of counted pod p that the circuits take. */
    public int used(int[] circuits, int pod) {
        long sum = 0;
        for (int g = 0; g < groups; g++) {
            sum += (long) circuits[g] * ends[g][pod];
        }
        return (int) Math.min(Integer.MAX_VALUE, sum);
    }

    /** Circuit ends in counted pods. */
    public int ports(int[] circuits) {
        long sum = 0;
        for (int p = 0; p < podPorts.length; p++) {
            sum += used(circuits, p);
        }
        return (int) Math.min(Integer.MAX_VALUE, sum);
    }

    /**
     * The count per group beyond which its links can never be the bottleneck, within the group's own limit; at least 1.
     */
    public int[] usefulCircuits() {
        double[] linkRate = new double[links];
        for (int m = 0; m < tasks; m++) {
            linkRate[taskLink[m]] += flows[m] * cardRate[m];
        }
        int[] useful = new int[groups];
        Arrays.fill(useful, 1);
        for (int l = 0; l < links; l++) {
            int g = linkGroup[l];
            int needed = (int) Math.min(groupLimit[g], Math.ceil(linkRate[l] / circuit - 1e-9));
            useful[g] = Math.max(useful[g], needed);
        }
        return useful;
    }

    private static int[] prefixSums(int[] counts) {
        int[] sums = counts.clone();
        for (int i = 1; i < sums.length; i++) {
            sums[i] += sums[i - 1];
        }
        return sums;
    }

    private static void collectCards(
            DeltaInstance instance, boolean out, List<List<Integer>> shared, List<Boolean> outgoing) {
        Map<List<Integer>, List<Integer>> tasksOf = new LinkedHashMap<>();
        for (CommunicationTask task : instance.tasks()) {
            tasksOf.computeIfAbsent(out ? task.sourceGpus() : task.destinationGpus(), _ -> new ArrayList<>())
                    .add(task.id());
        }
        // transfers of one set of GPUs are held once, not once for each GPU
        Map<Integer, List<List<Integer>>> setsOf = new TreeMap<>();
        tasksOf.forEach((gpus, tasks) -> gpus.forEach(
                gpu -> setsOf.computeIfAbsent(gpu, _ -> new ArrayList<>()).add(tasks)));
        setsOf.values().stream()
                .distinct()
                .map(sets -> sets.stream().flatMap(List::stream).sorted().toList())
                .filter(card -> card.size() > 1)
                .forEach(card -> {
                    shared.add(card);
                    outgoing.add(out);
                });
    }

    private int[] topologicalOrder() {
        int[] sequence = new int[tasks];
        int[] waiting = predecessors.clone();
        int head = 0;
        int tail = 0;
        for (int m = 0; m < tasks; m++) {
            if (waiting[m] == 0) {
                sequence[tail++] = m;
            }
        }
        while (head < tail) {
            int m = sequence[head++];
            for (int e = nextFrom[m]; e < nextFrom[m + 1]; e++) {
                if (--waiting[nextTask[e]] == 0) {
                    sequence[tail++] = nextTask[e];
                }
            }
        }
        return sequence;
    }
}
