package dev.lightpath.console.explain;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.lightpath.console.report.PodCircuits;
import dev.lightpath.crds.fabric.FabricPod;
import dev.lightpath.crds.fabric.Ocs;
import dev.lightpath.crds.job.Rates;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.GroupAllocation;
import dev.lightpath.crds.slice.ScaleOutDemand;
import dev.lightpath.planner.ask.Iteration;
import dev.lightpath.planner.ask.Speeds;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.delta.Algorithm;
import dev.lightpath.planner.delta.DeltaPlanner;
import dev.lightpath.planner.delta.Explanation;
import dev.lightpath.planner.delta.iteration.Parallelism;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.model.Topology;
import dev.lightpath.planner.delta.search.InfeasibleBudget;
import dev.lightpath.planner.delta.search.SearchLimits;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.reading.TrafficReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Why a job's circuits between pods are as they are: its demand and the recorded circuits put to DELTA again.
 *
 * @param slice its name
 * @param pods names, in the order of the explanation's ids: those of the first replica, then of the next
 * @param why the record's own words
 * @param explanation null where nothing can be explained
 * @param note what is missing, null when nothing is
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ScaleOutReport(
        String slice,
        String fabric,
        List<String> pods,
        @Nullable String why,
        @Nullable Explanation explanation,
        @Nullable String note) {

    /** The recorded pods of the stages: by replica, the names of the pods in the order of the stages. */
    private record Seats(List<List<String>> replicas, int stagesPerPod) {}

    /**
     * @param own circuits of the slice
     * @param all circuits of every slice on the fabric
     * @param speeds as they were learnt from the job's iterations
     */
    static ScaleOutReport of(
            String slice,
            String fabric,
            Ocs ocs,
            ScaleOutDemand demand,
            Allocation allocation,
            PodCircuits own,
            PodCircuits all,
            Speeds speeds,
            SearchLimits limits) {
        String why = allocation.origin() == null ? null : allocation.origin().why();
        try {
            Demand.Traffic traffic =
                    TrafficReader.recorded(demand, allocation.groups().size());
            Parallelism parallelism = traffic.parallelism();
            Seats seats = seats(allocation, parallelism, own);
            List<String> first = seats.replicas().getFirst();
            List<String> pods = new ArrayList<>(first);
            boolean replicated = seats.replicas().size() > 1;
            if (replicated) {
                pods.addAll(seats.replicas().get(1));
            }
            List<Integer> circuits = traffic.iteration() instanceof Iteration.OfTrace of
                    ? of.trace().pairs().stream()
                            .map(pair -> own.between(first.get(pair.first()), first.get(pair.second())))
                            .toList()
                    : circuits(seats, own);
            if (circuits.contains(0)) {
                return new ScaleOutReport(
                        slice,
                        fabric,
                        pods,
                        why,
                        null,
                        "not every pair of pods with traffic has a circuit recorded yet");
            }
            DeltaInstance instance = new TopologyQuestion(
                            traffic.iteration(),
                            parallelism,
                            seats.stagesPerPod(),
                            Math.max(1, ocs.circuitGbps()),
                            Collections.nCopies(first.size(), most(ocs)),
                            traffic.goal(),
                            traffic.timeLimit(),
                            speeds)
                    .instance();
            Explanation explanation = Explanation.of(
                    instance.withPorts(ports(ocs, seats, own, all, instance)),
                    new Topology(circuits),
                    demand.rates() == Rates.FAIR ? Algorithm.FAST : Algorithm.JOINT,
                    new DeltaPlanner(),
                    limits);
            return new ScaleOutReport(slice, fabric, pods, why, explanation, null);
        } catch (IllegalArgumentException | InfeasibleBudget e) {
            return new ScaleOutReport(slice, fabric, List.of(), why, null, String.valueOf(e.getMessage()));
        }
    }

    /**
     * A group of the record is one stage of one replica, replica by replica; each of its members names its pod by
     * index.
     */
    private static Seats seats(Allocation allocation, Parallelism parallelism, PodCircuits own) {
        int stages = parallelism.pipeline();
        List<GroupAllocation> groups = allocation.groups().stream()
                .sorted(Comparator.comparingInt(GroupAllocation::index))
                .toList();
        if (groups.size() != stages * parallelism.replicas()) {
            throw new IllegalArgumentException("the record has " + groups.size() + " groups, not one for each of "
                    + stages + " stages of " + parallelism.replicas() + " replicas");
        }
        List<List<String>> replicas = new ArrayList<>();
        int stagesPerPod = stages;
        for (int r = 0; r < parallelism.replicas(); r++) {
            List<String> pods = new ArrayList<>();
            int run = 0;
            for (GroupAllocation stage : groups.subList(r * stages, (r + 1) * stages)) {
                String pod = stage.positions().stream()
                        .findFirst()
                        .flatMap(own::podOfIndex)
                        .orElseThrow(() -> new IllegalArgumentException(
                                "the record does not name the pod of group " + stage.index()));
                run++;
                if (pods.isEmpty() || !pods.getLast().equals(pod)) {
                    stagesPerPod = pods.size() == 1 ? run - 1 : stagesPerPod;
                    pods.add(pod);
                    run = 1;
                }
            }
            replicas.add(List.copyOf(pods));
        }
        return new Seats(replicas, stagesPerPod);
    }

    /**
     * One count per group of the instance: neighbours, the poorest replica counting, then peers with both their
     * neighbours.
     */
    private static List<Integer> circuits(Seats seats, PodCircuits own) {
        List<List<String>> replicas = seats.replicas();
        int pods = replicas.getFirst().size();
        List<Integer> circuits = new ArrayList<>();
        for (int i = 0; i + 1 < pods; i++) {
            int place = i;
            circuits.add(replicas.stream()
                    .mapToInt(replica -> own.between(replica.get(place), replica.get(place + 1)))
                    .min()
                    .orElse(0));
        }
        for (int i = 0; i < pods && replicas.size() > 1; i++) {
            int least = Integer.MAX_VALUE;
            for (int r = 0; r < replicas.size(); r++) {
                String here = replicas.get(r).get(i);
                String next = replicas.get((r + 1) % replicas.size()).get(i);
                String before = replicas.get((r + replicas.size() - 1) % replicas.size())
                        .get(i);
                least = Math.min(
                        least, own.between(here, next) + (replicas.size() > 2 ? own.between(here, before) : 0));
            }
            circuits.add(least);
        }
        return circuits;
    }

    /**
     * The ports that the job uses in a pod and the free ones: the fewest of the pods in the same place of all replicas.
     */
    private static List<Integer> ports(Ocs ocs, Seats seats, PodCircuits own, PodCircuits all, DeltaInstance instance) {
        Map<String, Integer> offered = ocs.pods().stream()
                .collect(java.util.stream.Collectors.toMap(FabricPod::name, FabricPod::ports, Math::min));
        int pods = seats.replicas().getFirst().size();
        List<Integer> ports = new ArrayList<>();
        for (int p = 0; p < instance.pods().size(); p++) {
            int place = p % pods;
            ports.add(seats.replicas().stream()
                    .map(replica -> replica.get(place))
                    .mapToInt(pod ->
                            Math.max(own.ports(pod), offered.getOrDefault(pod, 0) - all.ports(pod) + own.ports(pod)))
                    .min()
                    .orElse(1));
        }
        return ports;
    }

    private static int most(Ocs ocs) {
        return ocs.pods().stream().mapToInt(FabricPod::ports).max().orElse(1);
    }
}
