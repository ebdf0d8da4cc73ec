package dev.lightpath.app.job.workload;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.app.job.facts.Made;
import dev.lightpath.app.job.facts.NodeStanding;
import dev.lightpath.app.job.facts.PodFacts;
import dev.lightpath.app.job.facts.RankedNode;
import dev.lightpath.app.job.facts.WorkloadFacts;
import dev.lightpath.app.job.plan.SampleJob;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.GroupAllocation;
import dev.lightpath.reading.label.LabelSelection;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WorkloadReadingTest {
    private static final String TWO_JOBS = """
            kind: JobSet
            metadata: {name: mine}
            spec:
              replicatedJobs:
              - replicas: 2
                template: {spec: {parallelism: 3, template: {spec: {schedulingGates: [{name: lightpath.dev/circuits}]}}}}
              - template: {spec: {parallelism: 2, completions: 5, template: {spec: {schedulingGates: %s}}}}
            """;

    @Test
    void ranksGoThroughAllJobsOfAJobSet() {
        JsonNode jobSet = json(TWO_JOBS.formatted("[]"));
        assertThat(firstRanks(jobSet, WorkerJobs.ALL)).containsExactly(0, 3, 6);
        assertThat(
                        rank(
                                "labels: {jobset.sigs.k8s.io/job-global-index: '2', batch.kubernetes.io/job-completion-index: '4'}"))
                .hasValue(10);
        assertThat(rank("annotations: {batch.kubernetes.io/job-completion-index: '1'}"))
                .hasValue(1);
        assertThat(
                        rank(
                                "labels: {jobset.sigs.k8s.io/job-global-index: '3', batch.kubernetes.io/job-completion-index: '0'}"))
                .isEmpty();
        assertThat(rank("labels: {batch.kubernetes.io/job-completion-index: '-1'}"))
                .isEmpty();
        assertThat(rank("labels: {a: b}")).isEmpty();
    }

    /** JobSet makes none of them where somebody else manages it: then they cost a tenant nothing. */
    @Test
    void aJobSetOfVeryManyReplicasTakesNoMemoryForEach() {
        JsonNode jobSet = json("""
                kind: JobSet
                spec:
                  managedBy: example.com/nobody
                  replicatedJobs:
                  - {name: launcher, replicas: 2147483647, template: {spec: {completions: 1}}}
                  - {name: node, replicas: 2147483647, template: {spec: {parallelism: 2147483647, completions: 2147483647}}}
                  - {name: more, replicas: 2147483647, template: {spec: {completions: 2147483647, parallelism: 2147483647}}}
                """);
        var ranks = WorkloadReading.firstRanks(jobSet, new WorkerJobs(Set.of("node", "more"), ""));
        assertThat(WorkloadReading.isWorker(podOf(999_999_999, 0), ranks)).isFalse();
        assertThat(rank(podOf(999_999_999, 0), ranks)).isEmpty();
        assertThat(WorkloadReading.makes(jobSet, WorkerJobs.ALL)).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void aRankThatIsTooLargeIsNone() {
        JsonNode jobSet = json("""
                kind: JobSet
                spec:
                  replicatedJobs:
                  - {name: a, replicas: 3, template: {spec: {completions: 1000000000, parallelism: 1000000000}}}
                  - {name: b, replicas: 2147483647, template: {spec: {completions: 2147483647, parallelism: 2147483647}}}
                  - {name: c, template: {spec: {completions: 1}}}
                """);
        var ranks = WorkloadReading.firstRanks(jobSet, WorkerJobs.ALL);
        assertThat(rank(podOf(1, 1), ranks)).hasValue(1_000_000_001);
        assertThat(rank(podOf(2, 147_483_647), ranks)).hasValue(Integer.MAX_VALUE);
        assertThat(rank(podOf(2, 147_483_648), ranks)).isEmpty();
        assertThat(rank(podOf(3, 0), ranks)).isEmpty();
        assertThat(rank(podOf(999_999_999, 999_999_999), ranks)).isEmpty();
    }

    @Test
    void countsThePodsThatAreThereTogether() {
        JsonNode jobSet = json(TWO_JOBS.formatted("[]"));
        assertThat(WorkloadReading.makes(jobSet, WorkerJobs.ALL)).isEqualTo(2 * 3 + 2);
        assertThat(WorkloadReading.makes(json("{kind: Job, spec: {completions: 4}}"), WorkerJobs.ALL))
                .as("one after the other")
                .isEqualTo(1);
        assertThat(WorkloadReading.makes(json("{kind: Job, spec: {completions: 4, parallelism: 8}}"), WorkerJobs.ALL))
                .isEqualTo(4);
    }

    @Test
    void namesTheReplicatedJobsWithoutTheGate() {
        JsonNode roles = json("""
                kind: JobSet
                spec:
                  replicatedJobs:
                  - {name: a, template: {spec: {template: {spec: {schedulingGates: [{name: lightpath.dev/circuits}]}}}}}
                  - {name: b, template: {spec: {template: {spec: {}}}}}
                """);
        assertThat(WorkloadReading.ungated(roles, WorkerJobs.ALL)).containsExactly("b");
        assertThat(WorkloadReading.ungated(roles, new WorkerJobs(Set.of("a"), "")))
                .isEmpty();
        assertThat(WorkloadReading.ungated(json("{kind: Job, spec: {}}"), WorkerJobs.ALL))
                .as("of a Job alone there is nothing to name")
                .isEmpty();
    }

    @Test
    void everyTemplateNeedsTheGate() {
        assertThat(WorkloadReading.run(json(TWO_JOBS.formatted("[]"))).gated()).isFalse();
        assertThat(WorkloadReading.run(json(TWO_JOBS.formatted("[{name: lightpath.dev/circuits}]")))
                        .gated())
                .isTrue();
        assertThat(WorkloadReading.run(
                                json(
                                        "{kind: Job, spec: {template: {spec: {schedulingGates: [{name: lightpath.dev/circuits}]}}}}"))
                        .gated())
                .isTrue();
    }

    private static final String WITH_LAUNCHER = """
            kind: JobSet
            metadata: {name: mine}
            spec:
              replicatedJobs:
              - name: launcher
                replicas: 2
                template: {spec: {parallelism: 1, template: {spec: {containers: [{name: a}]}}}}
              - name: node
                template:
                  spec:
                    parallelism: 3
                    template:
                      spec:
                        schedulingGates: [{name: lightpath.dev/circuits}]
                        containers: [{name: a, resources: {limits: {amd.com/gpu: 4}}}]
              - name: data
                template: {spec: {parallelism: 1, template: {spec: {containers: [{name: a}]}}}}
            """;

    @Test
    void podsThatAskForGpusAreWorkersAndALauncherNeedsNoGate() {
        JsonNode jobSet = json(WITH_LAUNCHER);
        WorkerJobs byGpus = new WorkerJobs(Set.of(), "amd.com/gpu");
        assertThat(firstRanks(jobSet, byGpus)).containsExactly(-1, -1, 0, -1);
        assertThat(WorkloadReading.run(jobSet, byGpus).gated()).isTrue();
        WorkerJobs others = new WorkerJobs(Set.of(), "nvidia.com/gpu");
        assertThat(firstRanks(jobSet, others)).containsExactly(0, 1, 2, 5);
        assertThat(WorkloadReading.run(jobSet, others).gated()).isFalse();
    }

    /** A limit is missing, or counts another resource than the fabric. */
    @Test
    void aLauncherBesidePodsThatAskForNoGpusIsNotAskedForTheGate() {
        String set = """
                kind: JobSet
                metadata: {name: mine}
                spec:
                  replicatedJobs:
                    - {name: launcher, template: {spec: {template: {spec: {containers: [{name: launch}]}}}}}
                    - {name: node, template: {spec: {template: {spec: {containers: [{name: train%s}],
                       schedulingGates: [{name: %s}]}}}}}
                """;
        WorkerJobs byGpus = new WorkerJobs(Set.of(), "nvidia.com/gpu");
        String light = "lightpath.dev/circuits";
        for (String limits : List.of("", ", resources: {limits: {amd.com/gpu: 4}}")) {
            assertThat(byGpus.problem(json(set.formatted(limits, light))))
                    .hasValue("spec.workload.ref: JobSet mine: no container asks for nvidia.com/gpu, so pods without"
                            + " the gate (launcher) count as pods that train: set resources.limits of those that do,"
                            + " or name them in spec.workload.ref.replicatedJobs");
        }
        assertThat(byGpus.problem(json(set.formatted(", resources: {limits: {nvidia.com/gpu: 4}}", light))))
                .isEmpty();
        assertThat(byGpus.problem(json(set.formatted("", "other"))))
                .as("none has the gate")
                .isEmpty();
        assertThat(new WorkerJobs(Set.of("node"), "nvidia.com/gpu").problem(json(set.formatted("", light))))
                .isEmpty();
    }

    /** As the API server completes a Job that names no mode. */
    @Test
    void podsOfAJobWithoutIndexesHaveNoRank() {
        String job = "{kind: Job, metadata: {name: mine}, spec: {completionMode: %s}}";
        assertThat(WorkerJobs.ALL.problem(json(job.formatted("NonIndexed"))))
                .hasValue("spec.workload.ref: Job mine has completionMode NonIndexed, so its pods have no rank: make it"
                        + " anew with completionMode: Indexed");
        assertThat(WorkerJobs.ALL.problem(json(job.formatted("Indexed")))).isEmpty();
        JsonNode set = json("""
                kind: JobSet
                metadata: {name: mine}
                spec:
                  replicatedJobs:
                    - {name: launcher, template: {spec: {completionMode: NonIndexed}}}
                    - {name: node, template: {spec: {completionMode: NonIndexed}}}
                """);
        assertThat(new WorkerJobs(Set.of("node"), "").problem(set))
                .hasValueSatisfying(problem ->
                        assertThat(problem).startsWith("spec.workload.ref: replicated job node of JobSet mine has"));
    }

    @Test
    void saysWhatOnlyTheOperatorWritesInATemplate() {
        String set = """
                kind: JobSet
                metadata: {name: mine}
                spec:
                  replicatedJobs:
                  - name: node
                    template: {spec: {template: {metadata: {annotations: {%s: "0"}}}}}
                """;
        assertThat(WorkerJobs.ALL.problem(json(set.formatted("lightpath.dev/group"))))
                .contains("spec.workload.ref: JobSet mine: a pod template has"
                        + " metadata.annotations['lightpath.dev/group'], which only the operator writes: leave it out");
        assertThat(WorkerJobs.ALL.problem(json(set.formatted("note")))).isEmpty();
        assertThat(WorkerJobs.ALL.problem(json("""
                kind: Job
                metadata: {name: mine}
                spec: {template: {metadata: {labels: {lightpath.dev/attempt: "1"}}}}
                """)))
                .hasValueSatisfying(problem -> assertThat(problem).startsWith("spec.workload.ref: Job mine: "));
    }

    @Test
    void workersAreThoseThatTheReferenceNames() {
        JsonNode jobSet = json(WITH_LAUNCHER);
        WorkerJobs named = new WorkerJobs(Set.of("node", "data"), "amd.com/gpu");
        assertThat(firstRanks(jobSet, named)).containsExactly(-1, -1, 0, 3);
        assertThat(WorkloadReading.run(jobSet, named).gated()).isFalse();
        assertThat(named.problem(jobSet)).isEmpty();
        assertThat(new WorkerJobs(Set.of("nodes", "data"), "").problem(jobSet))
                .hasValue("spec.workload.ref.replicatedJobs: JobSet mine has no replicated job nodes; it has data,"
                        + " launcher, node");
    }

    @Test
    void aPodOfALauncherHasNoRank() {
        FirstRanks ranks = WorkloadReading.firstRanks(json(WITH_LAUNCHER), new WorkerJobs(Set.of(), "amd.com/gpu"));
        Pod launcher = Serialization.unmarshal("""
                apiVersion: v1
                kind: Pod
                metadata:
                  name: launcher
                  labels: {jobset.sigs.k8s.io/job-global-index: '1', batch.kubernetes.io/job-completion-index: '0'}
                spec: {schedulingGates: [{name: lightpath.dev/circuits}]}
                """, Pod.class);
        assertThat(WorkloadReading.isWorker(launcher, ranks)).isFalse();
        assertThat(WorkloadReading.isGated(launcher)).isTrue();
        assertThat(WorkloadReading.pod(launcher, ranks, Instant.EPOCH, (node, pod) -> NodeStanding.WELL)
                        .rank())
                .isEmpty();
    }

    @Test
    void knowsWhatItWasMadeFor() {
        assertThat(WorkloadReading.run(json(
                                "{kind: JobSet, metadata: {annotations: {lightpath.dev/made-for: 16 GPUs ring-a}}}"))
                        .made())
                .isEqualTo(
                        new Made(Optional.of("16 GPUs ring-a"), Optional.empty(), Optional.empty(), Optional.empty()));
        assertThat(WorkloadReading.run(json("{kind: JobSet}")).made()).isEqualTo(Made.unknown());
    }

    @Test
    void readsHowItEnded() {
        assertThat(ending("[{type: Suspended, status: 'False'}, {type: Failed, status: 'False'}]"))
                .isEmpty();
        assertThat(ending("[{type: Completed, status: 'True'}]"))
                .hasValueSatisfying(ending -> assertThat(ending.succeeded()).isTrue());
        assertThat(ending("[{type: Failed, status: 'True', reason: ReachedMaxRestarts, message: too often}]"))
                .contains(new WorkloadFacts.Ending(false, "MaxRestarts", "the workload failed: too often"));
        assertThat(ending("[{type: Failed, status: 'True', reason: FailedJobs}]"))
                .hasValueSatisfying(ending -> assertThat(ending.reason()).isEqualTo("JobFailed"));
    }

    @Test
    void aPodHangsWhenItIsOverdueOnANodeOfUnknownState() {
        String text = "{metadata: {name: p, deletionTimestamp: '%s'}, spec: {nodeName: n1}, status: {phase: Running}}";
        assertThat(read(text.formatted("2026-05-01T09:59:59Z"), true).hanging()).isTrue();
        assertThat(read(text.formatted("2026-05-01T09:59:59Z"), false).hanging())
                .isFalse();
        assertThat(read(text.formatted("2026-05-01T10:00:30Z"), true).hanging()).isFalse();
        assertThat(read("{metadata: {name: p}, spec: {nodeName: n1}}", true).hanging())
                .isFalse();
    }

    @Test
    void aPodWaitsForTheNodeThatItIsPinnedToUntilItIsBound() {
        String text = """
                {metadata: {name: p, resourceVersion: '7'%s}, status: {phase: Pending}, spec: {%s
                  affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [
                    {matchFields: [{key: metadata.name, operator: In, values: [n1]}]}]}}}}}""";
        assertThat(read(text.formatted("", ""), true).waiting()).contains(new PodFacts.Waiting("n1", true, false, "7"));
        assertThat(read(text.formatted("", ""), false).waiting())
                .contains(new PodFacts.Waiting("n1", false, true, "7"));
        assertThat(read(text.formatted("", "nodeName: n1,"), true).waiting()).isEmpty();
        assertThat(read(text.formatted("", "schedulingGates: [{name: lightpath.dev/circuits}],"), true)
                        .waiting())
                .isEmpty();
        assertThat(read(text.formatted(", deletionTimestamp: '2026-05-01T10:00:30Z'", ""), true)
                        .waiting())
                .isEmpty();
        assertThat(read("{metadata: {name: p}, spec: {}}", true).waiting()).isEmpty();
    }

    /** Of a large job that starts many wait. */
    @Test
    void theNodeOfAPodThatWaitsIsLookedAtOnce() {
        List<String> looked = new ArrayList<>();
        Pod pod = Serialization.unmarshal("""
                ---
                {apiVersion: v1, kind: Pod, metadata: {name: p, resourceVersion: '7'}, spec: {
                  affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [
                    {matchFields: [{key: metadata.name, operator: In, values: [n1]}]}]}}}}}""", Pod.class);
        WorkloadReading.pod(pod, FirstRanks.ALONE, SampleJob.NOW, (node, each) -> {
            looked.add(node);
            return NodeStanding.WELL;
        });
        assertThat(looked).containsExactly("n1");
    }

    @Test
    void nodesHaveRanksGroupByGroupAndASharedNodeOnce() {
        Allocation shared = new Allocation(
                1,
                1,
                null,
                List.of(
                        new GroupAllocation(2, List.of("b"), List.of(1)),
                        new GroupAllocation(0, List.of("a"), List.of(0)),
                        new GroupAllocation(1, List.of("a"), List.of(0)),
                        new GroupAllocation(3, List.of("b"), List.of(1))),
                List.of(),
                null);
        assertThat(RankedNode.of(shared)).containsExactly(new RankedNode("a", 0, "0,1"), new RankedNode("b", 1, "2,3"));
    }

    @Test
    void namespacesMatchByLabelsAndExpressions() {
        var selector = new LabelSelectorBuilder()
                .addToMatchLabels("team", "a")
                .addNewMatchExpression()
                .withKey("tier")
                .withOperator("NotIn")
                .withValues("test")
                .endMatchExpression()
                .build();
        assertThat(LabelSelection.matches(null, Map.of())).isTrue();
        assertThat(LabelSelection.matches(new LabelSelectorBuilder().build(), Map.of()))
                .isTrue();
        assertThat(LabelSelection.matches(selector, Map.of("team", "a"))).isTrue();
        assertThat(LabelSelection.matches(selector, Map.of("team", "a", "tier", "test")))
                .isFalse();
        assertThat(LabelSelection.matches(selector, Map.of("team", "b"))).isFalse();
    }

    private static java.util.Optional<WorkloadFacts.Ending> ending(String conditions) {
        return WorkloadReading.run(json("{kind: JobSet, status: {conditions: " + conditions + "}}"))
                .ending();
    }

    private static OptionalInt rank(String marks) {
        FirstRanks ranks = WorkloadReading.firstRanks(json(TWO_JOBS.formatted("[]")), WorkerJobs.ALL);
        return rank(marked(marks), ranks);
    }

    private static OptionalInt rank(Pod pod, FirstRanks ranks) {
        return WorkloadReading.pod(pod, ranks, SampleJob.NOW, (node, each) -> NodeStanding.WELL)
                .rank();
    }

    private static Pod podOf(int job, int index) {
        return marked("labels: {jobset.sigs.k8s.io/job-global-index: '" + job
                + "', batch.kubernetes.io/job-completion-index: '" + index + "'}");
    }

    private static Pod marked(String marks) {
        return Serialization.unmarshal(
                "---\n{apiVersion: v1, kind: Pod, metadata: {name: p, " + marks + "}, spec: {}}", Pod.class);
    }

    /** Of the first pod of each Job; -1 of one without workers. */
    private static List<Integer> firstRanks(JsonNode jobSet, WorkerJobs workers) {
        FirstRanks ranks = WorkloadReading.firstRanks(jobSet, workers);
        return IntStream.range(0, 4)
                .filter(job -> !ranks.isWorker(job) || ranks.of(job, 0).isPresent())
                .mapToObj(job -> ranks.of(job, 0).orElse(-1))
                .toList();
    }

    private static PodFacts read(String text, boolean lost) {
        Pod pod = Serialization.unmarshal("---\n{apiVersion: v1, kind: Pod, " + text.substring(1), Pod.class);
        return WorkloadReading.pod(
                pod, FirstRanks.ALONE, SampleJob.NOW, (node, each) -> new NodeStanding(lost, lost, !lost));
    }

    private static JsonNode json(String text) {
        return Serialization.unmarshal("---\n" + text, JsonNode.class);
    }
}
