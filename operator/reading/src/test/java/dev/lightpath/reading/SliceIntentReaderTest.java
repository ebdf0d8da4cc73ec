package dev.lightpath.reading;

import static dev.lightpath.reading.Cases.pod;
import static dev.lightpath.reading.Cases.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.planner.light.RoutedRevision;
import dev.lightpath.planner.world.Agreement;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.Replacement;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.Workload;
import dev.lightpath.reading.pod.PodUse;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class SliceIntentReaderTest {
    private static final String SLICE = """
            apiVersion: lightpath.dev/v1alpha1
            kind: FabricSlice
            metadata: {namespace: team, name: llm-ring-a-2-abcde, creationTimestamp: "2026-02-02T00:00:00Z"}
            spec:
              fabric: ring-a
              job: {name: llm, uid: job-1, attempt: 2}
              demand: {scaleUp: {groups: 4, gpusPerGroup: 16}}
            """;
    private static final String JOB = """
            apiVersion: lightpath.dev/v1alpha1
            kind: TrainingJob
            metadata: {namespace: team, name: llm, uid: job-1, creationTimestamp: "2026-01-01T00:00:00Z"}
            spec:
              model: {preset: gpt-7b}
              parallelism: {tensor: 16, data: 4}
              scaleUp: {fabric: ring-a}
              priority: 7
              workload: {template: {spec: {containers: []}}}
            status: {attempt: 2}
            """;
    private static final Map<String, String> OURS = Map.of("lightpath.dev/job", "llm", "lightpath.dev/attempt", "2");

    private static SliceIntent read(String slice, @Nullable String job, PodUse... pods) {
        return SliceIntentReader.read(
                        yaml(FabricSlice.class, slice),
                        job == null ? null : yaml(TrainingJob.class, job),
                        List.of(pods))
                .orElseThrow();
    }

    @Test
    void readsTheClaimOfAJob() {
        SliceIntent intent = read(SLICE, JOB);

        assertThat(intent.id()).hasToString("team/llm-ring-a-2-abcde");
        assertThat(intent.attempt()).isEqualTo(2);
        assertThat(intent.demand()).isEqualTo(new Demand.ScaleUp(4, 16));
        assertThat(intent.priority()).isEqualTo(7);
        assertThat(intent.createdAt()).isEqualTo(Instant.parse("2026-01-01T00:00:00Z"));
        assertThat(intent.wanted()).isTrue();
        assertThat(intent.replacement()).isEqualTo(new Replacement.WithWorkload());
        assertThat(intent.relocatable()).isTrue();
    }

    @Test
    void readsHowManyReplicasAreEnough() {
        SliceIntent intent =
                read(SLICE.replace("gpusPerGroup: 16", "gpusPerGroup: 16, minimumGroups: 2, groupsPerReplica: 2"), JOB);

        assertThat(intent.demand()).isEqualTo(new Demand.ScaleUp(4, 16, 2, 2));
    }

    /** The value of the class counts once the operator has read it, and only for the class that the job names now. */
    @Test
    void readsThePriorityOfItsClass() {
        String named = JOB.replace("priority: 7", "priorityClassName: urgent");
        String read = named.replace(
                "{attempt: 2}", "{attempt: 2, classPriority: {className: urgent, value: 1000, preempts: true}}");

        assertThat(read(SLICE, JOB).preempts()).isTrue();
        assertThat(read(SLICE, named).priority()).isZero();
        assertThat(read(SLICE, named).preempts()).isFalse();
        assertThat(read(SLICE, read).priority()).isEqualTo(1000);
        assertThat(read(SLICE, read).preempts()).isTrue();
        assertThat(read(SLICE, read.replace("preempts: true", "preempts: false"))
                        .preempts())
                .isFalse();
        assertThat(read(SLICE, read.replace("priorityClassName: urgent", "priorityClassName: other"))
                        .priority())
                .isZero();
        assertThat(read(SLICE, read.replace("priorityClassName: urgent", "priority: 3"))
                        .priority())
                .isEqualTo(3);
    }

    /** What acknowledges nothing is kept to be told. */
    @Test
    void readsWhatARouterAcknowledges() {
        assertThat(read(SLICE, JOB).routed()).isEqualTo(RoutedRevision.NONE);
        assertThat(routed("0")).isEqualTo(new RoutedRevision.Acknowledged(0));
        assertThat(routed("12")).isEqualTo(new RoutedRevision.Acknowledged(12));
        assertThat(routed("007")).isEqualTo(new RoutedRevision.Acknowledged(7));
        assertThat(routed("9".repeat(18))).isEqualTo(new RoutedRevision.Acknowledged(999_999_999_999_999_999L));
        for (String nonsense : List.of("", "-1", "+1", "1.0", "0x1", " 1", "all of them", "9".repeat(19))) {
            assertThat(routed(nonsense)).isEqualTo(new RoutedRevision.Unreadable(nonsense.strip()));
        }
        assertThat(routed("1\\n2")).isEqualTo(new RoutedRevision.Unreadable("1 2"));
        assertThat(routed("1".repeat(1000)))
                .isInstanceOfSatisfying(
                        RoutedRevision.Unreadable.class,
                        unreadable -> assertThat(unreadable.text()).hasSizeLessThanOrEqualTo(200));
    }

    private static RoutedRevision routed(String written) {
        return read(
                        SLICE.replace(
                                "name: llm-",
                                "annotations: {lightpath.dev/routed-revision: \"" + written + "\"}, name: llm-"),
                        JOB)
                .routed();
    }

    /** What agrees to another slice, or cannot be read, agrees to nothing. */
    @Test
    void readsWhatAJobAgreesTo() {
        assertThat(read(SLICE, JOB).agreement()).isEmpty();
        String asking = JOB.replace("priority: 7", "agreement: {waitSeconds: 300}");
        assertThat(read(SLICE, asking).agreement()).contains(Agreement.within(Duration.ofSeconds(300)));
        String name = read(SLICE, JOB).id().name();
        assertThat(agreed(asking, name + "/6")).containsExactly(6L);
        assertThat(agreed(asking, "other/3, " + name + "/9," + name + "/6")).containsExactly(6L, 9L);
        for (String nonsense : List.of(
                "", "6", name, name + "/", name + "/-1", name + "/6.0", "other/6", name + "/" + "9".repeat(16))) {
            assertThat(agreed(asking, nonsense)).as(nonsense).isEmpty();
        }
    }

    /** Beside the annotation: the first answer of either counts. */
    @Test
    void readsWhatAPodOfTheJobAgreedToByItsHook() {
        String name = read(SLICE, JOB).id().name();
        String asking = JOB.replace("priority: 7", "agreement: {waitSeconds: 300}");
        String told = asking.replace(
                "{attempt: 2}",
                "{attempt: 2, agreed: [{slice: " + name + ", revision: 4, pod: llm-0, at: now},"
                        + " {slice: other, revision: 5, pod: llm-0, at: now}]}");
        assertThat(read(SLICE, told).agreement().orElseThrow().agreed()).containsExactly(4L);
        assertThat(agreed(told, name + "/6")).containsExactly(4L, 6L);
    }

    private static SortedSet<Long> agreed(String job, String written) {
        return read(
                        SLICE,
                        job.replace(
                                "name: llm,",
                                "annotations: {lightpath.dev/agreed-revision: \"" + written + "\"}, name: llm,"))
                .agreement()
                .orElseThrow()
                .agreed();
    }

    @Test
    void isNotWantedOnceItsJobEndsPausesOrGoesOn() {
        String deleting = "deletionTimestamp: \"2026-03-03T00:00:00Z\", ";

        assertThat(read(SLICE.replace("name: llm-", deleting + "name: llm-"), JOB)
                        .wanted())
                .isFalse();
        assertThat(read(SLICE, JOB.replace("name: llm,", deleting + "name: llm,"))
                        .wanted())
                .isFalse();
        assertThat(read(SLICE, JOB.replace("priority: 7", "suspend: true")).wanted())
                .isFalse();
        assertThat(read(SLICE, JOB.replace("{attempt: 2}", "{attempt: 3}")).wanted())
                .isFalse();
        assertThat(read(SLICE, JOB.replace("uid: job-1", "uid: job-2")).wanted())
                .isFalse();
        assertThat(read(SLICE, null).wanted()).isFalse();
        for (String end : List.of("Complete", "Failed")) {
            String status = "{attempt: 2, conditions: [{type: " + end + ", status: \"True\"}]}";
            assertThat(read(SLICE, JOB.replace("{attempt: 2}", status)).wanted())
                    .isFalse();
        }
        String refused = "{attempt: 2, conditions: [{type: Accepted, status: \"False\", reason: %s}]}";
        for (String returned : List.of("WaitingForQuota", "WorkloadDeleted", "WorkloadTaken")) {
            assertThat(read(SLICE, JOB.replace("{attempt: 2}", refused.formatted(returned)))
                            .wanted())
                    .as(returned)
                    .isFalse();
        }
        assertThat(read(SLICE, JOB.replace("{attempt: 2}", refused.formatted("NamespaceNotAllowed")))
                        .wanted())
                .isTrue();
    }

    @Test
    void staysWantedWhenSomebodyDeletesItsRecord() {
        String going = SLICE.replace("name: llm-", "deletionTimestamp: \"2026-03-03T00:00:00Z\", name: llm-")
                + "status: {allocation: {format: 1, revision: 3, groups: [{index: 0, nodes: [a, b], positions: [0, 1]}]}}";
        assertThat(read(going, JOB).wanted()).isTrue();
        String forced = going.replace("name: llm-", "annotations: {lightpath.dev/force-release: now}, name: llm-");
        assertThat(read(forced, JOB).wanted()).isFalse();
    }

    /** Random jobs and slices: deletion changes nothing of a slice that holds light. */
    @Test
    void aSliceThatHoldsLightReadsTheSameOnceItIsDeleted() {
        long seed = Long.getLong("lightpath.seed", System.nanoTime());
        Random random = new Random(seed);
        for (int world = 0; world < 200; world++) {
            String job = JOB.replace("{attempt: 2}", "{attempt: " + (1 + random.nextInt(3)) + "}");
            job = random.nextInt(4) == 0 ? job.replace("priority: 7", "suspend: true") : job;
            job = random.nextInt(4) == 0 ? job.replace("uid: job-1", "uid: job-2") : job;
            String slice = SLICE
                    + "status: {allocation: {format: 1, revision: 3, groups: [{index: 0, nodes: [a], positions: [0]}]}}";
            slice = random.nextInt(4) == 0
                    ? slice.replace("name: llm-", "annotations: {lightpath.dev/force-release: now}, name: llm-")
                    : slice;
            String deleted = slice.replace("name: llm-", "deletionTimestamp: \"2026-03-03T00:00:00Z\", name: llm-");
            String owner = random.nextInt(8) == 0 ? null : job;
            assertThat(read(deleted, owner)).as("seed %d", seed).isEqualTo(read(slice, owner));
        }
    }

    @Test
    void eachSliceOfAJobOnTwoFabricsNamesTheOther() {
        String both = JOB.replace(
                "  scaleUp: {fabric: ring-a}",
                "  scaleUp: {fabric: ring-a}\n  scaleOut: {fabric: spine, rates: Joint, portTolerance: '1e-9'}");
        assertThat(read(SLICE, both).beside()).contains("spine");
        assertThat(read(SLICE, JOB).beside()).isEmpty();
        assertThat(read(SLICE, null).beside()).isEmpty();
    }

    @Test
    void knowsThatALaterAttemptTakesOver() {
        SliceIntent before = read(SLICE, JOB.replace("attempt: 2}", "attempt: 3}"));
        assertThat(before.wanted()).isFalse();
        assertThat(before.renewed()).isTrue();
        assertThat(read(SLICE, JOB).renewed()).isFalse();
    }

    @Test
    void knowsWhereUngatedPodsOfItsAttemptRun() {
        PodUse running = PodUse.of(pod("a", "n1", OURS).build());
        PodUse gated = PodUse.of(pod("b", "n2", OURS)
                .editSpec()
                .addNewSchedulingGate("lightpath.dev/circuits")
                .endSpec()
                .build());
        PodUse done = PodUse.of(pod("c", "n3", OURS)
                .editStatus()
                .withPhase("Succeeded")
                .endStatus()
                .build());
        PodUse earlier = PodUse.of(pod("d", "n4", Map.of("lightpath.dev/job", "llm", "lightpath.dev/attempt", "1"))
                .build());

        PodUse launcher = PodUse.of(pod("e", "n5", OURS)
                .editSpec()
                .withContainers(new ContainerBuilder().withName("launcher").build())
                .endSpec()
                .build());

        assertThat(read(SLICE, JOB, running, gated, done, earlier, launcher).workload())
                .isEqualTo(new Workload.Pods(
                        new TreeSet<>(List.of("n1", "n5")),
                        false,
                        new TreeMap<>(),
                        new TreeSet<>(List.of("n1", "n4"))));
    }

    @Test
    void knowsTheRanksThatItsPodsWereGiven() {
        PodUse ranked = PodUse.of(pod("a", "n5", OURS)
                .editMetadata()
                .addToAnnotations("lightpath.dev/rank", "3")
                .endMetadata()
                .build());
        PodUse nonsense = PodUse.of(pod("b", "n6", OURS)
                .editMetadata()
                .addToAnnotations("lightpath.dev/rank", "first")
                .endMetadata()
                .build());

        assertThat(read(SLICE, JOB, ranked, nonsense).workload())
                .isEqualTo(new Workload.Pods(
                        new TreeSet<>(List.of("n5", "n6")), false, new java.util.TreeMap<>(Map.of(3, "n5"))));
    }

    @Test
    void aPodHoldsTheGpusOfItsInitContainersToo() {
        PodUse pod = PodUse.of(pod("a", "n5", Map.of())
                .editSpec()
                .addNewInitContainer()
                .withName("warm-up")
                .withNewResources()
                .addToRequests("example.com/gpu", new io.fabric8.kubernetes.api.model.Quantity("1"))
                .endResources()
                .endInitContainer()
                .endSpec()
                .build());

        assertThat(pod.resources()).contains("example.com/gpu");
    }

    @Test
    void countsAPinnedPodWhereItWillRun() {
        assertThat(read(SLICE, JOB, PodUse.of(pinned("n9"))).workload())
                .isEqualTo(new Workload.Pods(new TreeSet<>(List.of("n9")), false, new TreeMap<>(), new TreeSet<>()));
    }

    private static Pod pinned(String node) {
        return pod("a", null, OURS)
                .editSpec()
                .withNewAffinity()
                .withNewNodeAffinity()
                .withNewRequiredDuringSchedulingIgnoredDuringExecution()
                .addNewNodeSelectorTerm()
                .addToMatchFields(new NodeSelectorRequirement("metadata.name", "In", List.of(node)))
                .endNodeSelectorTerm()
                .endRequiredDuringSchedulingIgnoredDuringExecution()
                .endNodeAffinity()
                .endAffinity()
                .endSpec()
                .build();
    }

    /** Anybody can make pods that are pinned and never run. */
    @Test
    void aPinnedPodHoldsDevicesOnlyWhereItWasLetGo() {
        PodUse bound = PodUse.of(pod("a", "n9", OURS).build());
        PodUse waiting = PodUse.of(pinned("n9"));
        PodUse letGo = PodUse.of(new PodBuilder(pinned("n9"))
                .editMetadata()
                .addToAnnotations("lightpath.dev/rank", "0")
                .endMetadata()
                .build());
        assertThat(bound.claimsDevices()).isTrue();
        assertThat(waiting.claimsDevices()).isFalse();
        assertThat(letGo.claimsDevices()).isTrue();
        assertThat(letGo.unproven().claimsDevices()).isFalse();
        assertThat(bound.unproven().claimsDevices()).isTrue();
        String lightOnly = JOB.replaceAll("  workload:.*\n", "");
        for (String job : List.of(JOB, lightOnly)) {
            assertThat(read(SLICE, job, waiting).workload().holding()).isEmpty();
            assertThat(read(SLICE, job, letGo).workload().holding()).containsExactly("n9");
            assertThat(read(SLICE, job, bound).workload().holding()).containsExactly("n9");
        }
        assertThat(read(SLICE, lightOnly, waiting).workload().usesLight()).isFalse();
        assertThat(read(SLICE, lightOnly, letGo.unproven()).workload().usesLight())
                .as("anybody can write a rank")
                .isFalse();
        assertThat(read(SLICE, lightOnly, letGo).workload().usesLight()).isTrue();
        assertThat(read(SLICE.replace("attempt: 2", "attempt: 3"), lightOnly, letGo)
                        .workload())
                .as("its slice may be gone by force: the node is not free for all that")
                .isEqualTo(new Workload.LightOnly(new TreeSet<>(List.of("n9"))));
    }

    @Test
    void restartsWhileAPodFailsOrTerminates() {
        PodUse failed = PodUse.of(pod("a", "n1", OURS)
                .editStatus()
                .withPhase("Failed")
                .endStatus()
                .build());
        PodUse terminating = PodUse.of(pod("b", "n2", OURS)
                .editMetadata()
                .withDeletionTimestamp("2026-03-03T00:00:00Z")
                .endMetadata()
                .build());

        assertThat(read(SLICE, JOB, failed).workload()).isEqualTo(new Workload.Pods(new TreeSet<>(), true));
        assertThat(read(SLICE, JOB, terminating).workload())
                .isEqualTo(new Workload.Pods(new TreeSet<>(List.of("n2")), true));
    }

    /** A Job keeps its failed pods, and a watch may never have told that a pod is gone. */
    @Test
    void aRestartIsOverForTheRanksWhosePodsRunAgain() {
        Pod ranked = pod("a", "n1", OURS)
                .editMetadata()
                .addToAnnotations("lightpath.dev/rank", "3")
                .endMetadata()
                .build();
        PodUse failed = PodUse.of(new PodBuilder(ranked)
                .editStatus()
                .withPhase("Failed")
                .endStatus()
                .build());
        PodUse terminating = PodUse.of(new PodBuilder(ranked)
                .editMetadata()
                .withDeletionTimestamp("2026-03-03T00:00:00Z")
                .endMetadata()
                .build());
        PodUse again = PodUse.of(
                new PodBuilder(ranked).editSpec().withNodeName("n2").endSpec().build());
        PodUse other = PodUse.of(pod("b", "n3", OURS)
                .editMetadata()
                .addToAnnotations("lightpath.dev/rank", "4")
                .endMetadata()
                .build());

        assertThat(read(SLICE, JOB, failed, again, other).workload())
                .isEqualTo(new Workload.Pods(
                        new TreeSet<>(List.of("n2", "n3")), false, new TreeMap<>(Map.of(3, "n2", 4, "n3"))));
        for (List<PodUse> order : List.of(List.of(terminating, again), List.of(again, terminating))) {
            assertThat(read(SLICE, JOB, order.toArray(PodUse[]::new)).workload())
                    .isEqualTo(new Workload.Pods(
                            new TreeSet<>(List.of("n1", "n2")), false, new TreeMap<>(Map.of(3, "n2"))));
        }
        assertThat(read(SLICE, JOB, terminating, other).workload())
                .as("nobody runs in its place yet")
                .isEqualTo(new Workload.Pods(
                        new TreeSet<>(List.of("n1", "n3")), true, new TreeMap<>(Map.of(3, "n1", 4, "n3"))));
    }

    @Test
    void aJobWithoutPodsIsLightOnly() {
        assertThat(read(SLICE, JOB.replaceAll("  workload:.*\n", "")).workload())
                .isEqualTo(new Workload.LightOnly());
        assertThat(read(
                                SLICE,
                                JOB.replaceAll("  workload:.*\n", ""),
                                PodUse.of(pod("a", "n1", OURS).build()))
                        .workload())
                .as("whose GPUs are taken all the same")
                .isEqualTo(new Workload.LightOnly(new TreeSet<>(List.of("n1"))));
    }

    /** What a job asks for may change while it has no place; the pods of before may have to end first. */
    @Test
    void podsThatWereLetGoUseTheirLightThoughTheJobAsksForNoneAnyMore() {
        String without = JOB.replaceAll("  workload:.*\n", "");
        PodUse ranked = PodUse.of(pod("a", "n1", OURS)
                .editMetadata()
                .addToAnnotations("lightpath.dev/rank", "0")
                .endMetadata()
                .build());
        PodUse stranger = PodUse.of(pod("b", "n2", OURS).build());
        assertThat(read(SLICE, without, ranked, stranger).workload())
                .isEqualTo(new Workload.Pods(
                        new TreeSet<>(List.of("n1")),
                        false,
                        new TreeMap<>(Map.of(0, "n1")),
                        new TreeSet<>(List.of("n1", "n2"))));
        assertThat(read(SLICE.replace("attempt: 2", "attempt: 3"), without, ranked)
                        .workload())
                .as("they are of another attempt")
                .isEqualTo(new Workload.LightOnly(new TreeSet<>(List.of("n1"))));
    }

    @Test
    void aSliceOfSwitchesIsNoClaimOnARing() {
        FabricSlice slice = yaml(FabricSlice.class, SLICE.replaceAll("scaleUp: \\{[^}]*}", "topology: {logical: {}}"));

        assertThat(SliceIntentReader.read(slice, null, List.of())).isEmpty();
    }
}
