package dev.lightpath.app.job.plan;

import dev.lightpath.app.job.facts.FabricFacts;
import dev.lightpath.app.job.facts.JobFacts;
import dev.lightpath.app.job.facts.PodFacts;
import dev.lightpath.app.job.facts.RankedNode;
import dev.lightpath.app.job.facts.SliceFacts;
import dev.lightpath.app.job.facts.WorkloadFacts;
import dev.lightpath.app.job.workload.LightFile;
import dev.lightpath.app.job.workload.PodHosts;
import dev.lightpath.crds.LightpathAnnotations;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of the pods of a job: let go to their nodes, ended, or taken back. Each method adds its steps to a plan.
 */
final class PodSteps {
    private PodSteps() {}

    /** Launchers and initializers wait for no light: workers may wait for them. */
    static Stream<JobStep> free(JobFacts facts) {
        return facts.workload() instanceof WorkloadFacts.Referenced referenced
                ? referenced.launchers().stream().map(JobStep.Free::new)
                : Stream.empty();
    }

    /** Lets the pods that wait behind the gate go to the nodes of their ranks. */
    static void ungate(JobFacts facts, List<RankedNode> ranked, LightFile light, List<JobStep> steps) {
        SortedMap<String, Integer> positions = positions(facts);
        int there = facts.workload() instanceof WorkloadFacts.Own own ? firstMissing(own.pods()) : ranked.size();
        facts.workload().workers().stream()
                .filter(pod -> pod.gated() && !pod.deleting())
                .filter(pod -> pod.rank().isPresent() && pod.rank().getAsInt() < Math.min(there, ranked.size()))
                .sorted(Comparator.comparingInt(pod -> pod.rank().getAsInt()))
                .forEach(pod -> {
                    RankedNode place = ranked.get(pod.rank().getAsInt());
                    steps.add(new JobStep.Ungate(
                            pod.name(), place, facts.attempt(), notes(facts, place, light.text(place), positions)));
                });
    }

    /** On the ring, by node, as they are recorded; none where the job is on switches alone. */
    private static SortedMap<String, Integer> positions(JobFacts facts) {
        SortedMap<String, Integer> positions = new TreeMap<>();
        facts.current().stream()
                .filter(slice ->
                        facts.fabricOf(slice).filter(FabricFacts::transceivers).isPresent())
                .flatMap(slice -> slice.allocation().stream())
                .flatMap(allocation -> allocation.groups().stream())
                .filter(group -> group.positions().size() == group.nodes().size())
                .forEach(group -> IntStream.range(0, group.nodes().size())
                        .forEach(i -> positions.put(
                                group.nodes().get(i), group.positions().get(i))));
        return positions;
    }

    private static SortedMap<String, String> notes(
            JobFacts facts, RankedNode place, String light, SortedMap<String, Integer> positions) {
        SortedMap<String, String> notes = new TreeMap<>(Map.of(
                LightpathAnnotations.RANK,
                Integer.toString(place.rank()),
                LightpathAnnotations.GROUP,
                place.groups(),
                LightpathAnnotations.LIGHT,
                light));
        if (place.rank() == 0) {
            int nodes = RankedNode.of(facts.current()).size();
            int slots = Math.ceilDiv(facts.sized().getSpec().parallelism().gpus(), nodes);
            PodHosts.of(facts.workload())
                    .map(hosts -> hosts.file(nodes, slots))
                    .filter(file -> !file.isEmpty())
                    .ifPresent(file -> notes.put(LightpathAnnotations.HOSTFILE, file));
        }
        @Nullable Integer position = positions.get(place.node());
        if (position != null) {
            notes.put(LightpathAnnotations.RING_POSITION, position.toString());
        }
        return notes;
    }

    /**
     * Tells running pods of light that changed, and only what is new to each. Those whose rank has gone to another node
     * are told that they have none. One that the scheduler has not bound yet keeps what it was told as it was let go.
     */
    static void tellLight(JobFacts facts, List<RankedNode> ranked, LightFile light, List<JobStep> steps) {
        facts.workload().workers().stream()
                .filter(pod -> pod.usesLight()
                        && !pod.deleting()
                        && !pod.node().isEmpty()
                        && !pod.light().isEmpty()
                        && pod.rank().isPresent()
                        && pod.rank().getAsInt() < ranked.size())
                .sorted(Comparator.comparingInt(pod -> pod.rank().getAsInt()))
                .forEach(pod -> {
                    RankedNode place = ranked.get(pod.rank().getAsInt());
                    String now = light.told(new RankedNode(pod.node(), place.rank(), place.groups()));
                    if (!LightFile.isSameLight(now, pod.light())) {
                        steps.add(new JobStep.TellLight(pod.name(), now));
                    }
                });
    }

    /** Pods of our own JobSet appear in any order and all of them do: who comes early waits for the ranks before it. */
    private static int firstMissing(List<PodFacts> pods) {
        Set<Integer> ranks = pods.stream()
                .filter(pod -> !pod.deleting() && pod.rank().isPresent())
                .map(pod -> pod.rank().getAsInt())
                .collect(Collectors.toSet());
        int rank = 0;
        while (ranks.contains(rank)) {
            rank++;
        }
        return rank;
    }

    /** From the top, and the pods too: the garbage collector may be late, and their light waits for them. */
    static void end(WorkloadFacts.Own own, List<JobStep> steps) {
        if (own.run().isPresent() && !own.run().get().deleting()) {
            steps.add(new JobStep.DeleteJobSet(own.name()));
            return;
        }
        own.pods().stream()
                .filter(pod -> pod.usesLight() && !pod.deleting())
                .forEach(pod -> steps.add(new JobStep.DeletePod(pod.name())));
    }

    /**
     * Pods that hang are not waited for where no light of the job is any more.
     *
     * @param givenUp whether all of its light goes, and waits for them
     */
    static void letGo(JobFacts facts, WorkloadFacts.Own own, boolean givenUp, List<JobStep> steps) {
        boolean darkens = !givenUp && facts.current().stream().anyMatch(PodSteps::darkens);
        if (darkens || !facts.job().getSpec().recovery().forceDelete()) {
            return;
        }
        Set<String> lit = givenUp ? Set.of() : withLight(facts.current());
        for (PodFacts pod : own.pods()) {
            if (pod.hanging() && !lit.contains(pod.node())) {
                steps.add(new JobStep.ForceDeletePod(pod.name()));
            }
        }
    }

    /**
     * Pods that were let go to a node that died or was closed before they were bound, or that is not the node of their
     * rank any more: nobody evicts them, so they would wait there for ever, and others for them. Who would be let go
     * again at once waits on. After a mass failure nothing ends by itself that may come back.
     */
    static void takeBack(JobFacts facts, WorkloadFacts.Own own, List<RankedNode> ranked, List<JobStep> steps) {
        boolean halted = facts.massFailure();
        boolean lit = facts.current().stream().allMatch(SliceFacts::shines);
        for (PodFacts pod : own.pods()) {
            pod.waiting()
                    .filter(waiting -> (waiting.down() || waiting.barred() && !lit) && !halted
                            || isElsewhere(pod, waiting.node(), ranked))
                    .ifPresent(waiting -> steps.add(new JobStep.DeleteUnbound(pod.name(), waiting.version())));
        }
    }

    private static boolean isElsewhere(PodFacts pod, String node, List<RankedNode> ranked) {
        return pod.rank().isPresent()
                && pod.rank().getAsInt() < ranked.size()
                && !ranked.get(pod.rank().getAsInt()).node().equals(node);
    }

    /** Nodes whose light is theirs, or goes yet: what nobody can make dark is not waited for. */
    private static Set<String> withLight(List<SliceFacts> slices) {
        Set<String> nodes = RankedNode.of(slices).stream().map(RankedNode::node).collect(Collectors.toSet());
        slices.stream()
                .filter(slice -> !slice.leftOnlySilence())
                .flatMap(slice -> slice.allocation().stream())
                .flatMap(allocation -> Stream.ofNullable(allocation.releasing()))
                .forEach(going -> nodes.addAll(going.nodes()));
        return nodes;
    }

    /** Whether circuits of an earlier revision may burn on: which node they serve is not written. */
    private static boolean darkens(SliceFacts slice) {
        return !slice.leftOnlySilence()
                && slice.allocation()
                        .map(allocation -> allocation.releasing())
                        .filter(going -> !going.circuits().isEmpty())
                        .isPresent();
    }
}
