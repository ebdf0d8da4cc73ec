package dev.lightpath.planner.engine.allocation;

import dev.lightpath.planner.ask.Deal;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.delta.iteration.Parallelism;
import dev.lightpath.planner.ocs.OcsWiring;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.OcsPod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which pods hold the stages of a job: each replica has its own, consecutive stages share one.
 *
 * @param traffic of the job
 * @param stagesPerPod consecutive stages in one pod
 * @param pods by replica, in the order of the stages
 */
public record StagePods(Demand.Traffic traffic, int stagesPerPod, List<List<String>> pods) {
    public StagePods {
        pods = pods.stream().map(List::copyOf).toList();
    }

    public Parallelism parallelism() {
        return traffic.parallelism();
    }

    public Deal deal() {
        return deal(traffic, stagesPerPod);
    }

    public static Deal deal(Demand.Traffic traffic, int stagesPerPod) {
        return TopologyQuestion.deal(traffic.iteration(), traffic.parallelism(), stagesPerPod);
    }

    /** Stages in a pod of a replica: the last may hold fewer. */
    public static int stages(Parallelism parallelism, int stagesPerPod, int pod) {
        return Math.min(stagesPerPod, parallelism.pipeline() - pod * stagesPerPod);
    }

    /** GPUs of the job in a pod of a replica. */
    public int gpus(int pod) {
        return stages(parallelism(), stagesPerPod, pod) * parallelism().gpusPerStage();
    }

    /** GPUs of the job in each pod it uses. */
    public Map<String, Integer> gpusByPod() {
        Map<String, Integer> gpus = new HashMap<>();
        pods.forEach(replica -> {
            for (int pod = 0; pod < replica.size(); pod++) {
                gpus.merge(replica.get(pod), gpus(pod), Integer::sum);
            }
        });
        return gpus;
    }

    /** The pod that the first end of circuits is in. */
    public String from(Deal.Share share) {
        return pods.get(share.fromReplica()).get(share.fromPod());
    }

    /** The pod that the other end is in. */
    public String to(Deal.Share share) {
        return pods.get(share.toReplica()).get(share.toPod());
    }

    /** Circuit ends in each pod that these counts give the job. */
    public Map<String, Integer> ends(List<Integer> counts) {
        Map<String, Integer> ends = new HashMap<>();
        for (Deal.Share share : deal().deal(counts)) {
            ends.merge(from(share), share.circuits(), Integer::sum);
            ends.merge(to(share), share.circuits(), Integer::sum);
        }
        return ends;
    }

    /** The place of a pod in its replica, -1 when the job has nothing there. */
    public int placeOf(String name) {
        return pods.stream()
                .mapToInt(replica -> replica.indexOf(name))
                .filter(place -> place >= 0)
                .findFirst()
                .orElse(-1);
    }

    /**
     * As a record says it, with the traffic of the replicas that it has; empty when the record is of another job or of
     * pods that are gone.
     *
     * @param asked by the job
     */
    public static Optional<StagePods> recorded(Demand.Traffic asked, List<Allocation.Group> groups, OcsWiring wiring) {
        return asked.recorded(groups.size()).flatMap(traffic -> seated(traffic, groups, wiring));
    }

    private static Optional<StagePods> seated(Demand.Traffic traffic, List<Allocation.Group> groups, OcsWiring wiring) {
        Parallelism parallelism = traffic.parallelism();
        int stages = parallelism.pipeline();
        List<String> flat = new ArrayList<>();
        for (Allocation.Group group : groups) {
            Optional<OcsPod> pod =
                    group.members().stream().findFirst().flatMap(member -> wiring.podAt(member.position()));
            if (pod.isEmpty()) {
                return Optional.empty();
            }
            flat.add(pod.get().name());
        }
        int together = together(flat, stages);
        List<List<String>> pods = new ArrayList<>();
        for (int replica = 0; replica < parallelism.replicas(); replica++) {
            List<String> of = new ArrayList<>();
            for (int stage = 0; stage < stages; stage += together) {
                of.add(flat.get(replica * stages + stage));
            }
            pods.add(of);
        }
        return Optional.of(new StagePods(traffic, together, pods));
    }

    /**
     * How many stages from the first on are where the first is.
     *
     * @param places of the stages of the first replica, and whatever comes after them
     */
    public static int together(List<?> places, int stages) {
        int together = 1;
        while (together < stages && places.get(together).equals(places.getFirst())) {
            together++;
        }
        return together;
    }
}
