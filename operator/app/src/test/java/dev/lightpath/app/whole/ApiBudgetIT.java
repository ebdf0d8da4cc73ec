package dev.lightpath.app.whole;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.slice.FabricSlice;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * What jobs and faults cost the API server, in requests of the operator by verb and object. The budgets stand in
 * {@code docs/scale.md}. Requests of several jobs are counted together, as many that come at once share some.
 */
@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ApiBudgetIT {
    private static final int JOBS = 20;
    private static final int FAULTS = 3;
    /** Two groups of two nodes each, and spares. */
    private static final int NODES = 4 * JOBS + 16;

    private static final String JOB =
            "{model: {preset: gpt-7b}, parallelism: {tensor: 8, data: 2}, scaleUp: {fabric: ring-a}}";

    /** A job that comes beside others, from apply to rest. Where light takes seconds, jobs are told of on their way. */
    private static final Map<String, Double> OF_A_JOB = Map.ofEntries(
            Map.entry("PATCH trainingjobs", 1.0),
            Map.entry("POST fabricslices", 1.0),
            Map.entry("PATCH fabricslices", 1.0),
            Map.entry("PATCH fabricslices/status", 4.5),
            Map.entry("PATCH trainingjobs/status", 3.0),
            Map.entry("POST events", 5.5),
            Map.entry("PATCH events", 1.0),
            Map.entry("PATCH opticalfabrics/status", 1.0),
            Map.entry("GET trainingjobs", 4.0),
            Map.entry("GET opticalfabrics", 5.0),
            Map.entry("GET fabricslices", 5.0));

    private static final double WRITES_OF_A_JOB = 16;

    /**
     * A node that fails alone, its repair, and the node's being well again; its neighbours tell of their spare nodes.
     */
    private static final Map<String, Double> OF_A_FAULT = Map.ofEntries(
            Map.entry("PATCH fabricslices/status", 15.0),
            Map.entry("PATCH trainingjobs/status", 10.0),
            Map.entry("POST events", 8.0),
            Map.entry("PATCH events", 4.0),
            Map.entry("PATCH opticalfabrics/status", 6.0),
            Map.entry("PATCH nodes", 8.0),
            Map.entry("PATCH nodes/status", 4.0),
            Map.entry("GET trainingjobs", 16.0),
            Map.entry("GET opticalfabrics", 16.0),
            Map.entry("GET fabricslices", 16.0));

    private static final double WRITES_OF_A_FAULT = 40;

    private static final int PODS = 16;
    private static final String ONE_POD = "GET pods by name";

    /**
     * A pod of a job of many, from its making to its run. What a watch showed too late is written twice and read once.
     */
    private static final Map<String, Double> OF_A_POD =
            Map.of("PATCH pods", 1.5, ONE_POD, 0.5, "GET pods", 0.5, "GET nodes", 0.0, "GET jobs", 1.0);

    /** The same of a workload that the job refers to: its pods are listed, and counted as they were listed. */
    private static final Map<String, Double> OF_A_REFERENCED_POD =
            Map.of("PATCH pods", 1.5, ONE_POD, 0.5, "GET pods", 1.5, "GET nodes", 0.0);

    /** Seconds after which an operator counts as one that never rests. */
    private static final int LONGEST_UNREST = 120;

    private static final Pattern PATH = Pattern.compile(
            "(\\S+) /apis?/.*?v1[a-z0-9]*/(?:namespaces/[^/]+/(?=[a-z]))?([a-z]+)(?:/[^/?]+(/[a-z]+)?)?.*");

    private final SortedMap<String, Integer> requests = new TreeMap<>();
    private Installation all;
    private WorkloadControllers controllers;

    @BeforeAll
    void install(ApiServer server, @TempDir Path folder) throws IOException {
        // lists that are made up for lost events come with time, not with jobs
        all = new Installation(server, folder, NODES, "", List.of("-Dlightpath.watch.trusted-for=PT1H"));
        controllers = new WorkloadControllers(all.client);
        controllers.install();
        all.start();
        all.apply("first", JOB);
        all.awaitReady("first");
        rest();
    }

    @AfterAll
    void uninstall() throws IOException {
        all.tap.count(request -> {});
        all.delete("first");
        IntStream.range(0, JOBS).forEach(job -> all.delete("job-" + job));
        all.awaitNothingLeft();
        controllers.uninstall();
        all.close();
    }

    @Test
    void jobsAndFaultsCostTheApiServerNoMoreThanTheirBudget() {
        all.tap.count(this::count);
        IntStream.range(1, JOBS).forEach(job -> all.apply("job-" + job, JOB));
        IntStream.range(1, JOBS).forEach(job -> all.awaitReady("job-" + job));
        rest();
        SortedMap<String, Integer> ofJobs = taken();
        System.err.println(JOBS - 1 + " jobs: " + ofJobs);

        for (int fault = 1; fault <= FAULTS; fault++) {
            FabricSlice slice = slice("job-" + fault);
            String node =
                    slice.getStatus().allocation().groups().getFirst().nodes().getFirst();
            all.mark(node, Map.of("lightpath.dev/faulty", "budget"));
            all.eventually("it is repaired", () -> {
                assertThat(slice(slice.getSpec().job().name())
                                .getStatus()
                                .allocation()
                                .revision())
                        .isGreaterThan(slice.getStatus().allocation().revision());
                assertThat(all.says(slice.getSpec().job().name(), "Ready")).isEqualTo("True Satisfied");
            });
            all.heal(node);
            rest();
        }
        SortedMap<String, Integer> ofFaults = taken();
        System.err.println(FAULTS + " faults: " + ofFaults);

        assertWithin(ofJobs, OF_A_JOB, JOBS - 1);
        assertThat(writes(ofJobs) / (JOBS - 1)).as("writes of a job").isLessThanOrEqualTo(WRITES_OF_A_JOB);
        assertWithin(ofFaults, OF_A_FAULT, FAULTS);
        assertThat(writes(ofFaults) / FAULTS).as("writes of a fault").isLessThanOrEqualTo(WRITES_OF_A_FAULT);
    }

    /** One write lets a pod go, and neither pods nor Nodes are read one by one for it. */
    @Test
    void podsCostTheApiServerNoMoreThanTheirBudget() {
        assertPodsCost(OF_A_POD, """
                {template: {spec: {containers: [{name: train, image: example/train,
                 resources: {limits: {nvidia.com/gpu: 4}}}]}}}""");
    }

    @Test
    void podsOfAReferencedWorkloadCostNoMoreThanTheirBudget() {
        controllers.make("mine", PODS);
        assertPodsCost(
                OF_A_REFERENCED_POD, "{ref: {apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, name: mine}}", "mine");
    }

    /** @param jobSets to be deleted with the job */
    private void assertPodsCost(Map<String, Double> budgets, String workload, String... jobSets) {
        all.tap.count(this::count);
        taken();
        all.apply(
                "pods",
                "{model: {preset: gpt-7b}, parallelism: {tensor: 8, data: " + PODS / 2
                        + "}, scaleUp: {fabric: ring-a}, workload: " + workload + "}");
        all.eventually("its pods run", () -> {
            controllers.work();
            assertThat(all.says("pods", "Ready")).isEqualTo("True Satisfied");
        });
        rest();
        SortedMap<String, Integer> ofPods = taken();
        System.err.println(PODS + " pods: " + ofPods);
        all.delete("pods");
        List.of(jobSets).forEach(controllers::delete);
        all.eventually("they are gone", () -> {
            controllers.work();
            assertThat(all.job("pods")).isNull();
        });
        rest();
        taken();

        assertThat(ofPods.get("PATCH pods")).isGreaterThanOrEqualTo(PODS);
        budgets.forEach((request, budget) -> assertThat((double) ofPods.getOrDefault(request, 0) / PODS)
                .as(request)
                .isLessThanOrEqualTo(budget));
    }

    private FabricSlice slice(String job) {
        return all.slices().stream()
                .filter(slice -> slice.getSpec().job().name().equals(job))
                .findFirst()
                .orElseThrow();
    }

    private void count(String request) {
        if (request.contains("/validatingadmissionpolic")) {
            return; // looked at by the clock
        }
        Matcher path = PATH.matcher(request);
        String name = request.matches("GET .*/pods/[^/?]+")
                ? ONE_POD
                : path.matches()
                        ? path.group(1) + " " + path.group(2) + (path.group(3) == null ? "" : path.group(3))
                        : request;
        synchronized (requests) {
            requests.merge(name, 1, Integer::sum);
        }
    }

    private SortedMap<String, Integer> taken() {
        synchronized (requests) {
            SortedMap<String, Integer> taken = new TreeMap<>(requests);
            requests.clear();
            return taken;
        }
    }

    /** Until nothing was written for some seconds: counts of spare nodes are told when they have lasted five. */
    private void rest() {
        int seen = -1;
        for (int same = 0, seconds = 0; same < 7; seconds++) {
            if (seconds == LONGEST_UNREST) {
                throw new AssertionError("it still writes after " + LONGEST_UNREST + " s: " + taken());
            }
            int now = all.tap.writes();
            same = now == seen ? same + 1 : 0;
            seen = now;
            try {
                TimeUnit.SECONDS.sleep(1);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    private static double writes(SortedMap<String, Integer> counted) {
        return counted.entrySet().stream()
                .filter(each -> !each.getKey().startsWith("GET "))
                .mapToInt(Map.Entry::getValue)
                .sum();
    }

    private static void assertWithin(SortedMap<String, Integer> counted, Map<String, Double> budget, int times) {
        assertThat(counted)
                .allSatisfy((request, count) -> assertThat((double) count / times)
                        .as(request)
                        .isLessThanOrEqualTo(budget.getOrDefault(request, 0.0)));
    }
}
