package dev.lightpath.planner.delta.iteration;

import dev.lightpath.planner.delta.model.CommunicationTask;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.model.Pod;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Turns recorded steps of ranks into the reduced DAG of one iteration (section III-A). Steps wait only for what the
 * trace names. A send becomes a transfer if its ends are in different pods. A collective over several pods becomes one
 * transfer from each pod to the next around them (all-to-all: from each to each other), besides what its ranks send
 * inside their pods. Everything inside a pod is rigid.
 */
public final class TraceInstance {
    private final ExecutionTrace trace;
    private final RankPlacement placement;
    private final TraceEffort effort;
    private final IterationGraph graph;
    private final List<String> names = new ArrayList<>();
    private final List<CommunicationTask> tasks = new ArrayList<>();
    /** Per rank and step, the node at which it starts to be under way and the one at which it has ended. */
    private final int[][] enter;

    private final int[][] leave;
    private long ends;
    private final Map<Channel, Deque<Integer>> sent = new HashMap<>();
    private final Map<List<Integer>, Map<Integer, Deque<Integer>>> meetings = new LinkedHashMap<>();

    private record Channel(int from, int to, int tag) {}

    private TraceInstance(ExecutionTrace trace, RankPlacement placement, TraceEffort effort) {
        this.trace = trace;
        this.placement = placement;
        this.effort = effort;
        int ranks = trace.ranks().size();
        enter = new int[ranks][];
        leave = new int[ranks][];
        graph = new IterationGraph(trace.ranks().stream().mapToInt(List::size).sum());
    }

    /**
     * The instance of a trace: pods 0, 1, ... up to the last rank, all counted. Each pair of pods with traffic is a
     * decision of its own. Seconds and bytes are those of the trace. A final transfer of no bytes represents
     * computation after the last transfer. O(steps + dependencies) besides the reduction.
     *
     * @throws IllegalArgumentException naming rank and step: a rank or pod that does not exist, a message without a
     *     sender or receiver, a collective that not all ranks of its group enter, steps that wait for each other; or
     *     when no traffic leaves a pod
     */
    public static DeltaInstance of(ExecutionTrace trace, RankPlacement placement) {
        return of(trace, placement, TraceEffort.ALL);
    }

    /**
     * The same, if it can be had.
     *
     * @throws IllegalArgumentException likewise, and when it takes more than this
     */
    public static DeltaInstance of(ExecutionTrace trace, RankPlacement placement, TraceEffort effort) {
        return new TraceInstance(trace, placement, effort).instance();
    }

    private DeltaInstance instance() {
        int last = trace.ranks().size() - 1;
        if (placement.podOf(last) >= placement.pods()) {
            throw new IllegalArgumentException("rank " + placement.pods() * placement.gpusPerPod() + " sits in pod "
                    + placement.pods() + ", allowed: pods 0 to " + (placement.pods() - 1) + " with "
                    + placement.gpusPerPod() + " ranks each");
        }
        for (int r = 0; r <= last; r++) {
            enter[r] = new int[trace.ranks().get(r).size()];
            leave[r] = new int[enter[r].length];
        }
        eachStep(this::sends);
        collectives();
        eachStep(this::others);
        eachStep(this::wait);
        if (tasks.isEmpty()) {
            throw new IllegalArgumentException(trace.name() + ": nothing is sent between pods, allowed: ranks in 2 or"
                    + " more pods with traffic between them");
        }
        keepTheEnd();
        List<Pod> pods = IntStream.rangeClosed(0, placement.podOf(last))
                .mapToObj(pod -> new Pod(pod, placement.portsPerPod(), true))
                .toList();
        return DeltaInstance.withGroupPerPair(
                trace.name(),
                placement.circuitGbps() * 1e9 / 8,
                pods,
                tasks,
                Reduction.reduce(graph, tasks.size(), effort));
    }

    private interface Visit {
        void step(int rank, int at, TraceStep step);
    }

    private void eachStep(Visit visit) {
        for (int r = 0; r < trace.ranks().size(); r++) {
            List<TraceStep> steps = trace.ranks().get(r);
            for (int i = 0; i < steps.size(); i++) {
                visit.step(r, i, steps.get(i));
            }
        }
    }

    private void sends(int rank, int at, TraceStep step) {
        if (!(step instanceof TraceStep.Send send)) {
            return;
        }
        requireRank(rank, step, send.to(), "sends to");
        int node = placement.podOf(rank) == placement.podOf(send.to())
                ? rigid(rank, step, placement.seconds(send.bytes()))
                : transfer(rank, step, List.of(rank), List.of(send.to()), send.bytes());
        enter[rank][at] = node;
        leave[rank][at] = node;
        sent.computeIfAbsent(new Channel(rank, send.to(), send.tag()), _ -> new ArrayDeque<>())
                .add(node);
    }

    private void others(int rank, int at, TraceStep step) {
        switch (step) {
            case TraceStep.Compute compute -> enter[rank][at] = leave[rank][at] = rigid(rank, step, compute.seconds());
            case TraceStep.Receive receive -> {
                requireRank(rank, step, receive.from(), "receives from");
                Deque<Integer> open = sent.get(new Channel(receive.from(), rank, receive.tag()));
                if (open == null || open.isEmpty()) {
                    throw wrong(
                            rank,
                            step,
                            "receives from rank " + receive.from() + " with tag " + receive.tag()
                                    + ", which sends nothing more with it");
                }
                int node = rigid(rank, step, 0);
                graph.edge(open.remove(), node);
                enter[rank][at] = leave[rank][at] = node;
            }
            case TraceStep.Send send -> {}
            case TraceStep.Collective collective -> {}
        }
    }

    private void collectives() {
        eachStep((rank, at, step) -> {
            if (step instanceof TraceStep.Collective collective) {
                if (!collective.group().contains(rank)) {
                    throw wrong(rank, step, "is of ranks " + collective.group() + ", without its own");
                }
                collective.group().forEach(member -> requireRank(rank, step, member, "involves"));
                meetings.computeIfAbsent(collective.group(), _ -> new TreeMap<>())
                        .computeIfAbsent(rank, _ -> new ArrayDeque<>())
                        .add(at);
            }
        });
        eachStep((rank, at, step) -> {
            if (step instanceof TraceStep.Collective collective
                    && rank == collective.group().getFirst()) {
                meet(rank, collective, meetings.getOrDefault(collective.group(), Map.of()));
            }
        });
        meetings.forEach((group, open) -> open.forEach((rank, left) -> {
            if (!left.isEmpty()) {
                throw wrong(
                        rank,
                        trace.ranks().get(rank).get(left.getFirst()),
                        "is one collective more than rank " + group.getFirst() + " of its group has");
            }
        }));
    }

    /** The next collective of a group, entered by each of its ranks. */
    private void meet(int rank, TraceStep.Collective first, Map<Integer, Deque<Integer>> open) {
        int join = rigid(rank, first, 0);
        int end = rigid(rank, first, 0);
        SortedMap<Integer, List<Integer>> byPod = new TreeMap<>();
        double most = 0;
        Map<Integer, Double> bytes = new HashMap<>();
        for (int member : first.group()) {
            Integer at = open.getOrDefault(member, new ArrayDeque<>()).poll();
            if (at == null) {
                throw wrong(rank, first, "is never entered by rank " + member + " of its group");
            }
            TraceStep.Collective theirs =
                    (TraceStep.Collective) trace.ranks().get(member).get(at);
            if (theirs.kind() != first.kind()) {
                throw wrong(member, theirs, "is " + theirs.kind() + " where rank " + rank + " enters " + first.kind());
            }
            most = Math.max(most, theirs.bytes());
            bytes.put(member, theirs.bytes());
            enter[member][at] = join;
            leave[member][at] = end;
            byPod.computeIfAbsent(placement.podOf(member), _ -> new ArrayList<>())
                    .add(member);
        }
        // transfers share these lists
        byPod.replaceAll((pod, members) -> List.copyOf(members));
        int ranks = first.group().size();
        List<Integer> pods = List.copyOf(byPod.keySet());
        double insidePods = ranks > pods.size() ? first.kind().bytesPerHop(ranks, ranks, most) : 0;
        int inside = rigid(rank, first, placement.seconds(insidePods));
        graph.edge(join, inside);
        graph.edge(inside, end);
        for (int p = 0; p < pods.size() && pods.size() > 1; p++) {
            List<Integer> from = byPod.getOrDefault(pods.get(p), List.of());
            if (first.kind() == CollectiveKind.ALL_TO_ALL) {
                double put = from.stream()
                        .mapToDouble(member -> bytes.getOrDefault(member, 0.0))
                        .sum();
                for (int other : pods) {
                    List<Integer> to = byPod.getOrDefault(other, List.of());
                    if (other != pods.get(p)) {
                        hop(rank, first, join, end, from, to, put * to.size() / ranks);
                    }
                }
            } else if (first.kind() != CollectiveKind.BROADCAST || p + 1 < pods.size()) {
                List<Integer> to = byPod.getOrDefault(pods.get((p + 1) % pods.size()), List.of());
                hop(rank, first, join, end, from, to, first.kind().bytesPerHop(pods.size(), ranks, most));
            }
        }
    }

    private void hop(int rank, TraceStep step, int join, int end, List<Integer> from, List<Integer> to, double bytes) {
        if (bytes > 0) {
            int node = transfer(rank, step, from, to, bytes);
            graph.edge(join, node);
            graph.edge(node, end);
        }
    }

    private void wait(int rank, int at, TraceStep step) {
        for (int before : step.after()) {
            if (before < 0 || before >= leave[rank].length) {
                throw wrong(
                        rank,
                        step,
                        "waits for step " + before + ", allowed: steps 0 to " + (leave[rank].length - 1) + " of rank "
                                + rank);
            }
            graph.edge(leave[rank][before], enter[rank][at]);
        }
    }

    /** A transfer of no bytes after everything, unless a transfer comes last on every path. */
    private void keepTheEnd() {
        int n = graph.nodes();
        int[] waiting = new int[n];
        boolean[] goesOn = new boolean[n];
        List<List<Integer>> next = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            next.add(new ArrayList<>());
        }
        for (int e = 0; e < graph.edges(); e++) {
            waiting[graph.to(e)]++;
            goesOn[graph.from(e)] = true;
            next.get(graph.from(e)).add(graph.to(e));
        }
        double[] rigidSeconds = new double[n];
        ArrayDeque<Integer> ready = new ArrayDeque<>();
        IntStream.range(0, n).filter(i -> waiting[i] == 0).forEach(ready::add);
        int done = 0;
        boolean open = false;
        while (!ready.isEmpty()) {
            int node = ready.remove();
            done++;
            rigidSeconds[node] = graph.task(node) < 0 ? rigidSeconds[node] + graph.seconds(node) : 0;
            open |= !goesOn[node] && rigidSeconds[node] > 0;
            for (int after : next.get(node)) {
                rigidSeconds[after] = Math.max(rigidSeconds[after], rigidSeconds[node]);
                if (--waiting[after] == 0) {
                    ready.add(after);
                }
            }
        }
        if (done < n) {
            int stuck = IntStream.range(0, n)
                    .filter(i -> waiting[i] > 0)
                    .findFirst()
                    .orElse(0);
            throw new IllegalArgumentException(
                    names.get(stuck) + ": waits for itself or for a step that does, allowed: an acyclic trace");
        }
        if (open) {
            CommunicationTask any = tasks.getFirst();
            int end = graph.transfer(tasks.size());
            tasks.add(new CommunicationTask(
                    tasks.size(),
                    "end",
                    any.source(),
                    any.destination(),
                    1,
                    0,
                    List.of(any.sourceGpus().getFirst()),
                    List.of(any.destinationGpus().getFirst())));
            IntStream.range(0, n).filter(i -> !goesOn[i]).forEach(i -> graph.edge(i, end));
        }
    }

    private int rigid(int rank, TraceStep step, double seconds) {
        names.add(where(rank, step));
        return graph.rigid(seconds);
    }

    private int transfer(int rank, TraceStep step, List<Integer> from, List<Integer> to, double bytes) {
        ends += 8L + from.size() + to.size();
        if (ends > effort.transfers()) {
            throw wrong(
                    rank,
                    step,
                    "is one transfer too many between pods, " + tasks.size() + " come before it, allowed: "
                            + effort.transfers()
                            + " together, each counted as eight and its ranks; record fewer micro-batches");
        }
        names.add(where(rank, step));
        int id = tasks.size();
        tasks.add(new CommunicationTask(
                id,
                "r" + rank + "." + step.name(),
                placement.podOf(from.getFirst()),
                placement.podOf(to.getFirst()),
                Math.max(from.size(), to.size()),
                bytes,
                from,
                to));
        return graph.transfer(id);
    }

    private void requireRank(int rank, TraceStep step, int other, String does) {
        if (other < 0 || other >= trace.ranks().size()) {
            throw wrong(
                    rank,
                    step,
                    does + " rank " + other + ", allowed: ranks 0 to "
                            + (trace.ranks().size() - 1) + " of the trace");
        }
    }

    private IllegalArgumentException wrong(int rank, TraceStep step, String problem) {
        return new IllegalArgumentException(where(rank, step) + ": " + problem);
    }

    private String where(int rank, TraceStep step) {
        String source = rank < trace.sources().size() ? trace.sources().get(rank) + ": " : "";
        return source + "rank " + rank + ", " + step.name();
    }
}
