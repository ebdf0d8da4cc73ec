package dev.lightpath.app.whole;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.ClassPriority;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.proto.emulator.v1alpha1.DeviceTruth;
import dev.lightpath.proto.emulator.v1alpha1.GetGroundTruthRequest;
import dev.lightpath.proto.emulator.v1alpha1.PortPair;
import dev.lightpath.proto.emulator.v1alpha1.SetConnectionsRequest;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClassBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OperatorIT {
    private static final int NODES = 16;
    /** A writer that comes again more often than that never leaves it quiet. */
    private static final Duration QUIET = Duration.ofSeconds(10);

    private static final String TWO_GROUPS_OF_TWO =
            "{model: {preset: gpt-7b}, parallelism: {tensor: 8, data: 2}, scaleUp: {fabric: ring-a}%s}";

    private Installation all;

    @BeforeAll
    void install(ApiServer server, @TempDir Path folder) throws IOException {
        all = new Installation(server, folder, NODES);
        all.start();
    }

    @AfterEach
    void nothingIsLeft() {
        all.client.resources(TrainingJob.class).inNamespace("default").delete();
        all.awaitNothingLeft();
    }

    @AfterAll
    void uninstall() throws IOException {
        all.close();
    }

    /** The next process knows nothing of a pause. */
    @Test
    void aJobWhoseOperatorIsKilledBeforeItsFirstStatusIsToldOfOnce() {
        AtomicBoolean killed = new AtomicBoolean();
        all.tap.listen(new WriteTap.Listener() {
            @Override
            public boolean before(int number, String what) {
                boolean first = what.contains("/trainingjobs/untold/status") && killed.compareAndSet(false, true);
                if (first) {
                    all.kill();
                }
                return !first;
            }

            @Override
            public void after(int number, String what) {}
        });
        try {
            all.apply("untold", light());
            all.awaitReady("untold");
            assertThat(killed).isTrue();
            all.eventually(
                    "its steps are told",
                    () -> assertThat(told("untold"))
                            .containsExactly("Accepted 1", "Placed 1", "Programmed 1", "Qualified 1", "Ready 1"));
        } finally {
            all.tap.listen(WriteTap.SILENT);
        }
    }

    /** Reasons of events of a job and how often they were told, as kubectl lists them. */
    private List<String> told(String job) {
        return all
                .client
                .v1()
                .events()
                .inNamespace("default")
                .withField("involvedObject.name", job)
                .list()
                .getItems()
                .stream()
                .sorted(Comparator.comparing(Event::getLastTimestamp)
                        .thenComparing(event -> event.getMetadata().getName()))
                .map(event -> event.getReason() + " " + event.getCount())
                .toList();
    }

    @Test
    void lightFollowsAJobThroughAFaultToItsEnd() {
        all.apply("llm", light());
        all.awaitReady("llm");
        all.assertLightAsRecorded();
        SortedMap<String, String> before = RingTruth.measured(all.chaos);
        FabricSlice placed = slice();
        String broken =
                placed.getStatus().allocation().groups().getFirst().nodes().getFirst();
        var untouched = placed.getStatus().allocation().groups().getLast();

        all.mark(broken, Map.of("lightpath.dev/faulty", "smoke"));

        all.eventually("the first group is repaired", () -> {
            assertThat(slice().getStatus().allocation().revision()).isGreaterThan(1);
            assertThat(nodes(slice())).doesNotContain(broken).hasSize(4);
            assertThat(all.says("llm", "Ready")).isEqualTo("True Satisfied");
            all.assertLightAsRecorded();
        });
        assertThat(slice().getStatus().allocation().groups()).contains(untouched);
        SortedMap<String, String> after = RingTruth.measured(all.chaos);
        untouched.nodes().forEach(node -> assertThat(bundles(after, node)).isEqualTo(bundles(before, node)));

        all.delete("llm");
        all.awaitNothingLeft();
        all.heal(broken);
    }

    /**
     * What no record names belongs to nobody here: a job of just its shape is given other nodes, and takes down its own
     * light only.
     */
    @Test
    void lightThatWasMadeByHandIsNotGivenToAJobOfItsShape() {
        SortedMap<String, List<PortPair>> dark = circuits();
        all.apply("shape", light());
        all.awaitReady("shape");
        List<String> foreign = nodes(slice("shape"));
        SortedMap<String, List<PortPair>> lit = circuits();
        all.delete("shape");
        all.awaitNothingLeft();
        foreign.forEach(node -> byHand(node, dark, lit));
        try {
            all.eventually("it burns", () -> assertThat(circuits()).isEqualTo(lit));
            int made = foreign.stream()
                    .mapToInt(node -> without(lit.get(node), dark.get(node)).size())
                    .sum();
            all.eventually("the operator sees it", () -> assertThat(foreign()).isEqualTo(made));
            all.apply("tenant", light());
            all.awaitReady("tenant");
            assertThat(nodes(slice("tenant"))).hasSize(4).doesNotContainAnyElementsOf(foreign);
            merge("tenant", "{\"spec\":{\"suspend\":true}}");
            all.eventually(
                    "only what was made by hand burns",
                    () -> assertThat(circuits()).isEqualTo(lit));
            all.delete("tenant");
            all.eventually("the job is gone", () -> assertThat(all.slices()).isEmpty());
            assertThat(circuits()).isEqualTo(lit);
        } finally {
            foreign.forEach(node -> byHand(node, lit, dark));
            all.delete("tenant");
            all.awaitNothingLeft();
        }
    }

    /** Of all nodes, as they really are. */
    private SortedMap<String, List<PortPair>> circuits() {
        SortedMap<String, List<PortPair>> circuits = new TreeMap<>();
        for (DeviceTruth device : all.chaos
                .getGroundTruth(GetGroundTruthRequest.getDefaultInstance())
                .getDevicesList()) {
            circuits.put(
                    device.getDeviceId(),
                    device.getCircuitsList().stream()
                            .map(circuit -> PortPair.newBuilder()
                                    .setIngress(circuit.getIngress())
                                    .setEgress(circuit.getEgress())
                                    .build())
                            .sorted(Comparator.comparing(PortPair::getIngress))
                            .toList());
        }
        return circuits;
    }

    private void byHand(
            String node, SortedMap<String, List<PortPair>> before, SortedMap<String, List<PortPair>> after) {
        all.devices.setConnections(SetConnectionsRequest.newBuilder()
                .setDeviceId(node)
                .addAllDisconnects(without(before.get(node), after.get(node)))
                .addAllConnects(without(after.get(node), before.get(node)))
                .build());
    }

    private static List<PortPair> without(List<PortPair> these, List<PortPair> those) {
        return these.stream().filter(pair -> !those.contains(pair)).toList();
    }

    /** Circuits that nobody planned, as the operator tells it. */
    private int foreign() {
        return all.client
                .resources(OpticalFabric.class)
                .withName("ring-a")
                .get()
                .getStatus()
                .circuits()
                .foreign();
    }

    /** Each job of {@link #light} wants 16 GPUs of 64. */
    @Test
    void aNamespaceHoldsNoMoreOfAFabricThanItsQuota() {
        try {
            quota("{\"gpusPerNamespace\": 16}");
            all.apply("first", light());
            all.awaitReady("first");
            all.apply("second", light());
            all.eventually(
                    "the second waits for GPUs",
                    () -> assertThat(said("second")).contains("namespace default may have 16 GPUs on fabric ring-a"));
            assertThat(all.says("second", "Placed")).isEqualTo("False QuotaExceeded");

            quota("{\"gpusPerNamespace\": null, \"jobsPerNamespace\": 1}");
            all.eventually(
                    "the second waits for a job to end",
                    () -> assertThat(said("second")).contains("namespace default may have 1 job on fabric ring-a"));
            assertThat(all.says("first", "Ready")).isEqualTo("True Satisfied");

            quota("{\"jobsPerNamespace\": 0, \"namespaces\": [{\"name\": \"default\", \"jobs\": 2}]}");
            all.awaitReady("second");
            all.assertLightAsRecorded();
        } finally {
            quota("null");
        }
    }

    private void quota(String quota) {
        policy("{\"quota\": " + quota + "}");
    }

    private void policy(String policy) {
        all.client
                .resources(OpticalFabric.class)
                .withName("ring-a")
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\": {\"policy\": " + policy + "}}");
    }

    private String said(String job) {
        return all.job(job).getStatus().conditions().stream()
                .filter(condition -> condition.getType().equals("Placed"))
                .map(condition -> condition.getMessage())
                .findFirst()
                .orElse("");
    }

    /** The framework would add it to each job, and again and again while its cache lags behind. */
    @Test
    void aJobForWhichNothingIsMadeGetsNoFinalizerAndIsGoneAtOnce() {
        var jobs = all.client.resources(TrainingJob.class).inNamespace("default");
        all.apply("refused", TWO_GROUPS_OF_TWO.formatted("").replace("ring-a", "ring-z"));
        all.eventually(
                "it is refused",
                () -> assertThat(all.says("refused", "Accepted")).isEqualTo("False FabricNotFound"));
        assertThat(all.job("refused").getMetadata().getFinalizers()).isEmpty();

        jobs.withName("refused").delete();
        assertThat(jobs.withName("refused").get()).isNull();
    }

    /**
     * The last words about the job are written seconds after it is ready, those about its spare nodes five seconds
     * later.
     */
    @Test
    void writesNothingWhenNothingHappens() {
        all.apply("llm", light());
        all.awaitReady("llm");
        Queue<String> writes = new ConcurrentLinkedQueue<>();
        AtomicLong lastNanos = new AtomicLong(System.nanoTime());
        all.tap.listen(new WriteTap.Listener() {
            @Override
            public boolean before(int number, String what) {
                lastNanos.set(System.nanoTime());
                writes.add(what);
                return true;
            }

            @Override
            public void after(int number, String what) {}
        });
        all.eventually(
                "nothing is written for a while",
                () -> assertThat(System.nanoTime() - lastNanos.get())
                        .as("nanoseconds since the last of %s", writes)
                        .isGreaterThan(QUIET.toNanos()));
        all.tap.listen(WriteTap.SILENT);
    }

    @Test
    void writersKeepToTheirFieldsAndNobodyWritesASpec() {
        long generation = all.apply("llm", light()).getMetadata().getGeneration();
        all.awaitReady("llm");
        assertThat(all.job("llm").getMetadata().getGeneration()).isEqualTo(generation);
        assertThat(managersOf(all.job("llm"), "f:conditions")).containsExactly("lightpath-status");
        all.eventually("the slice is told of by its two writers", () -> {
            FabricSlice slice = slice();
            assertThat(managersOf(slice, "f:allocation")).containsExactly("lightpath-ledger");
            assertThat(managersOf(slice, "f:conditions")).containsExactly("lightpath-status");
        });
    }

    @Test
    void suspendedJobsGiveTheirLightBackAndReturnInANewAttempt() {
        all.apply("llm", light());
        all.awaitReady("llm");
        suspend(true);
        all.eventually("all is dark", () -> {
            assertThat(all.says("llm", "Accepted")).isEqualTo("False Suspended");
            assertThat(all.slices()).isEmpty();
            all.assertLightAsRecorded();
        });
        suspend(false);
        all.awaitReady("llm");
        assertThat(slice().getSpec().job().attempt()).isEqualTo(2);
        all.assertLightAsRecorded();
    }

    /** The ring has room for four such jobs. The job that takes a place has its priority of a PriorityClass. */
    @Test
    void aJobOfHigherPriorityTakesThePlaceOfTheYoungestOfLowestPriorityIfTheFabricAllowsIt() {
        try {
            for (String job : List.of("kept", "older", "younger")) {
                all.apply(job, prioritized(job.equals("kept") ? 5 : 1));
                all.awaitReady(job);
            }
            all.apply(
                    "high",
                    TWO_GROUPS_OF_TWO.formatted(", priorityClassName: urgent").replace("data: 2", "data: 4"));
            all.eventually(
                    "it waits for its class",
                    () -> assertThat(all.says("high", "Accepted")).isEqualTo("False PriorityClassNotFound"));
            all.client
                    .resource(new PriorityClassBuilder()
                            .withNewMetadata()
                            .withName("urgent")
                            .endMetadata()
                            .withValue(5)
                            .build())
                    .create();
            all.eventually(
                    "it waits, as placed jobs stay",
                    () -> assertThat(all.says("high", "Placed")).isEqualTo("False InsufficientCapacity"));
            assertThat(all.says("younger", "Ready")).isEqualTo("True Satisfied");

            policy("{\"preemption\": \"LowerPriority\"}");
            all.awaitReady("high");
            assertThat(all.job("high").getStatus().classPriority()).isEqualTo(new ClassPriority("urgent", 5, true));
            all.eventually("the youngest waits again, and is told for whom", () -> {
                assertThat(all.says("younger", "Placed")).isEqualTo("False Preempted");
                assertThat(said("younger")).contains("job default/high of higher priority takes its place");
            });
            assertThat(all.says("kept", "Ready")).isEqualTo("True Satisfied");
            assertThat(all.says("older", "Ready")).isEqualTo("True Satisfied");
            assertThat(slice("older").getSpec().job().attempt()).isEqualTo(1);
            all.assertLightAsRecorded();

            all.delete("high");
            all.awaitReady("younger");
            assertThat(slice("younger").getSpec().job().attempt()).isEqualTo(2);
            assertThat(all.job("younger").getStatus().preempted()).isNull();
            all.assertLightAsRecorded();
        } finally {
            policy("{\"preemption\": \"Never\"}");
            all.client.scheduling().v1().priorityClasses().withName("urgent").delete();
        }
    }

    private static String prioritized(int priority) {
        return TWO_GROUPS_OF_TWO.formatted(", priority: " + priority);
    }

    @Test
    void aRecordThatSomebodyEmptiedIsWrittenAgainAndNoLightMoves() {
        all.apply("llm", light());
        all.awaitReady("llm");
        var recorded = slice().getStatus().allocation().groups();
        SortedMap<String, String> before = RingTruth.measured(all.chaos);

        emptyStatus();
        all.eventually("the record is written again as it was", () -> {
            assertThat(slice().getStatus().allocation()).isNotNull();
            assertThat(slice().getStatus().allocation().groups()).isEqualTo(recorded);
        });
        all.awaitReady("llm");
        assertThat(RingTruth.measured(all.chaos)).isEqualTo(before);

        all.client
                .resources(FabricSlice.class)
                .inNamespace("default")
                .withName(slice().getMetadata().getName())
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\": {\"labels\": {\"lightpath.dev/job\": null}}}");
        all.eventually(
                "the label is back, and the job has one slice",
                () -> assertThat(slice().getMetadata().getLabels()).containsEntry("lightpath.dev/job", "llm"));
        assertThat(RingTruth.measured(all.chaos)).isEqualTo(before);
    }

    @Test
    void aRecordLostWhileNobodyLookedIsReadOffTheLight() {
        all.apply("llm", light());
        all.awaitReady("llm");
        var nodes = new java.util.TreeSet<>(nodes(slice()));
        SortedMap<String, String> before = RingTruth.measured(all.chaos);
        all.eventually(
                "it is marked as recorded",
                () -> assertThat(slice().getMetadata().getAnnotations())
                        .containsEntry("lightpath.dev/recorded", "true"));

        all.kill();
        emptyStatus();
        all.start();

        all.eventually("the light is recognised", () -> {
            assertThat(slice().getStatus()).isNotNull();
            assertThat(slice().getStatus().allocation()).isNotNull();
            assertThat(slice().getStatus().allocation().origin().planner()).isEqualTo("inheritance");
        });
        all.awaitReady("llm");
        assertThat(nodes(slice())).containsExactlyInAnyOrderElementsOf(nodes);
        assertThat(RingTruth.measured(all.chaos)).isEqualTo(before);
        all.assertLightAsRecorded();
    }

    private void emptyStatus() {
        all.client
                .resources(FabricSlice.class)
                .inNamespace("default")
                .withName(slice().getMetadata().getName())
                .subresource("status")
                .patch(PatchContext.of(PatchType.JSON), "[{\"op\":\"remove\",\"path\":\"/status\"}]");
    }

    /** Writes of the framework's own kind hide a change that lands just before them; ours must not. */
    @Test
    void everyChangeOfASpecIsSeen() throws InterruptedException {
        int jobs = 30;
        for (int i = 0; i < jobs; i++) {
            all.apply("race-" + i, "{model: {preset: gpt-7b}, parallelism: {tensor: 4}, scaleUp: {fabric: nowhere}}");
        }
        try (var threads = Executors.newFixedThreadPool(8)) {
            for (int i = 0; i < jobs; i++) {
                String name = "race-" + i;
                threads.execute(() -> {
                    for (int change = 0; change < 10; change++) {
                        merge(name, "{\"spec\":{\"priority\":" + change + "}}");
                    }
                });
            }
        }
        all.eventually("every job was looked at after its last change", () -> {
            for (int i = 0; i < jobs; i++) {
                TrainingJob job = all.job("race-" + i);
                assertThat(job.getStatus()).isNotNull();
                assertThat(job.getStatus().observedGeneration())
                        .isEqualTo(job.getMetadata().getGeneration());
            }
        });
    }

    private static String light() {
        return TWO_GROUPS_OF_TWO.formatted("");
    }

    private void suspend(boolean suspended) {
        merge("llm", "{\"spec\":{\"suspend\":" + suspended + "}}");
    }

    private void merge(String job, String patch) {
        all.client
                .resources(TrainingJob.class)
                .inNamespace("default")
                .withName(job)
                .patch(PatchContext.of(PatchType.JSON_MERGE), patch);
    }

    private FabricSlice slice() {
        return slice("llm");
    }

    private FabricSlice slice(String job) {
        List<FabricSlice> slices = all.slices().stream()
                .filter(slice -> slice.getSpec().job().name().equals(job))
                .toList();
        assertThat(slices).hasSize(1);
        return slices.getFirst();
    }

    private static List<String> nodes(FabricSlice slice) {
        return slice.getStatus().allocation().groups().stream()
                .flatMap(group -> group.nodes().stream())
                .toList();
    }

    private static SortedMap<String, String> bundles(SortedMap<String, String> truth, String node) {
        SortedMap<String, String> bundles = new TreeMap<>(truth);
        bundles.keySet().removeIf(bundle -> !bundle.startsWith(node + "/"));
        return bundles;
    }

    private static List<String> managersOf(io.fabric8.kubernetes.api.model.HasMetadata object, String field) {
        return object.getMetadata().getManagedFields().stream()
                .filter(entry -> entry.getFieldsV1() != null
                        && entry.getFieldsV1().getAdditionalProperties().get("f:status") instanceof Map<?, ?> status
                        && status.containsKey(field))
                .map(entry -> entry.getManager())
                .toList();
    }
}
