package dev.lightpath.app.whole;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.FabricSlice;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.stream.Collectors;

/**
 * An {@link Installation} with the switches of {@link TwoFabrics} and nothing of the ring in use, the controllers of
 * pods, and one job, {@link #JOB}.
 */
final class JobOnSwitches implements AutoCloseable {
    static final String JOB = "llm";

    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    final Installation all;
    final WorkloadControllers controllers;
    private final TwoFabrics fabrics;

    /** With the operator. */
    static JobOnSwitches started(ApiServer server, Path folder) throws IOException {
        JobOnSwitches scene = new JobOnSwitches(server, folder);
        try {
            scene.all.start();
            return scene;
        } catch (RuntimeException | AssertionError e) {
            // no test has it yet that would close it
            scene.close();
            throw e;
        }
    }

    /** The operator is started by the test. */
    JobOnSwitches(ApiServer server, Path folder) throws IOException {
        all = new Installation(server, folder, TwoFabrics.NODES, TwoFabrics.scenario());
        controllers = new WorkloadControllers(all.client);
        controllers.install();
        fabrics = new TwoFabrics(all);
        fabrics.describe();
    }

    /** Applies the job. */
    void apply(String spec) {
        all.apply(JOB, spec);
    }

    /** Every pod of the job, of which there are some, has a node, and light is as the job's conditions say. */
    void awaitRunning() {
        all.eventually("its pods run in its light", () -> {
            controllers.work();
            assertThat(says("Ready")).isEqualTo("True Satisfied");
            assertThat(pods()).isNotEmpty().allMatch(pod -> pod.getSpec().getNodeName() != null);
        });
    }

    /** A JSON merge patch of the job. */
    void patch(String change) {
        all.client
                .resources(TrainingJob.class)
                .inNamespace("default")
                .withName(JOB)
                .patch(MERGE, change);
    }

    void annotate(String annotation, String value) {
        patch("{\"metadata\":{\"annotations\":{\"" + annotation + "\":\"" + value + "\"}}}");
    }

    /** Of the switches. */
    OpticalFabric fabric() {
        return fabricResource().get();
    }

    private Resource<OpticalFabric> fabricResource() {
        return all.client.resources(OpticalFabric.class).withName(TwoFabrics.FABRIC);
    }

    /** A JSON merge patch of the fabric of switches. */
    void patchFabric(String change) {
        fabricResource().patch(MERGE, change);
    }

    void drain(String opticalSwitch, boolean drained) {
        all.client
                .resources(OpticalSwitch.class)
                .withName(opticalSwitch)
                .patch(MERGE, "{\"spec\":{\"drained\":" + drained + "}}");
    }

    /** See {@link TwoFabrics#failPort}. */
    void failPort(String circuit) {
        fabrics.failPort(circuit);
    }

    TrainingJob job() {
        return all.job(JOB);
    }

    /** Status and reason of a condition of the job, empty before there is one. */
    String says(String type) {
        return all.says(JOB, type);
    }

    /** Message of a condition of the job, empty before there is one. */
    String message(String type) {
        return job().getStatus().conditions().stream()
                .filter(condition -> condition.getType().equals(type))
                .map(Condition::getMessage)
                .findFirst()
                .orElse("");
    }

    FabricSlice slice() {
        return fabrics.slice(JOB);
    }

    Allocation record() {
        return slice().getStatus().allocation();
    }

    /** Of its record, as switch/ingress-egress. */
    SortedSet<String> recorded() {
        return fabrics.recorded(JOB);
    }

    /** The same of what light does. */
    SortedSet<String> lit() {
        return fabrics.lit();
    }

    /** A switch that the job has light on. */
    String opticalSwitch() {
        String circuit = recorded().first();
        return circuit.substring(0, circuit.indexOf('/'));
    }

    /** The light is that of the record, and nothing of it is on that switch. */
    void assertLeft(String opticalSwitch) {
        assertThat(lit()).isEqualTo(recorded()).noneMatch(circuit -> circuit.startsWith(opticalSwitch + "/"));
    }

    List<Pod> pods() {
        return controllers.podsOf(JOB);
    }

    Set<String> uids() {
        return pods().stream().map(pod -> pod.getMetadata().getUid()).collect(Collectors.toSet());
    }

    @Override
    public void close() throws IOException {
        try (Installation ending = all) {
            all.kill();
            fabrics.remove();
            controllers.uninstall();
        }
    }
}
