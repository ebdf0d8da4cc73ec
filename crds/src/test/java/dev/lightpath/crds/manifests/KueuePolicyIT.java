package dev.lightpath.crds.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the operator's own identity may write of Kueue's objects: its answers. */
@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KueuePolicyIT {
    private static final String HOME = "held-queue";
    private static final String API = "kueue.x-k8s.io/v1beta2";
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);
    private static final PatchContext TRIED = new PatchContext.Builder()
            .withPatchType(PatchType.JSON_MERGE)
            .withDryRun(List.of("All"))
            .build();
    private static final String ANSWER =
            "{\"status\":{\"admissionChecks\":[{\"name\":\"light\",\"state\":\"Ready\"}]}}";
    private static final String ACTIVE = "{\"status\":{\"conditions\":[{\"type\":\"Active\",\"status\":\"True\"}]}}";

    /** What each rule says, so that a test knows which of them refused. */
    private static final String STATUS = "of the status of a Workload the operator answers the AdmissionChecks";

    private static final String REST = "of a Workload the operator writes spec.active and the annotation";

    private final Access access;
    private final KubernetesClient operator;

    KueuePolicyIT(ApiServer server) throws IOException {
        access = new Access(server, "operator.yaml", "operator-policy.yaml");
        operator = access.as(Access.OPERATOR);
    }

    @BeforeAll
    void prepare() throws InterruptedException {
        access.namespace(HOME);
        access.define(API, "Workload", "workloads", "Namespaced");
        access.define(API, "AdmissionCheck", "admissionchecks", "Cluster");
        access.apply("{apiVersion: " + API + ", kind: Workload, metadata: {name: held, namespace: " + HOME
                + "}, spec: {queueName: ours, podSets: [{name: workers, count: 2}]}}");
        access.apply("{apiVersion: " + API + ", kind: AdmissionCheck, metadata: {name: light},"
                + " spec: {controllerName: lightpath.dev/light}}");
        access.apply("{apiVersion: " + API + ", kind: AdmissionCheck, metadata: {name: nodes},"
                + " spec: {controllerName: example.com/nodes}}");
        access.admin
                .genericKubernetesResources(API, "Workload")
                .inNamespace(HOME)
                .withName("held")
                .subresource("status")
                .patch(MERGE, """
                        {"status":{"conditions":[{"type":"QuotaReserved","status":"True"}],"admission":{"clusterQueue":"a"},
                         "admissionChecks":[{"name":"light","state":"Pending"}]}}""");
        Access.untilTaken(() -> workload(ANSWER));
        Access.untilTaken(() -> check("light"));
        Access.untilRefused(() -> workload("{\"status\":{\"admission\":null}}"), STATUS);
    }

    @AfterAll
    void takeBack() {
        operator.close();
        access.close();
    }

    @Test
    void ofAWorkloadItAnswersChecksAndChangesNothingElse() {
        assertThat(workload(ANSWER)).isEmpty();
        assertThat(workload("{\"status\":{\"admission\":{\"clusterQueue\":\"b\"}}}"))
                .contains(STATUS);
        assertThat(workload("{\"status\":{\"conditions\":[{\"type\":\"Admitted\",\"status\":\"True\"}]}}"))
                .contains(STATUS);
        assertThat(workload("{\"status\":{\"requeueState\":{\"count\":9}}}")).contains(STATUS);
        assertThat(workload("{\"status\":{\"admissionChecks\":[]}}")).contains(STATUS);
        assertThat(workload("{\"status\":{\"admissionChecks\":[{\"name\":\"nodes\",\"state\":\"Ready\"}]}}"))
                .contains(STATUS);
        assertThat(
                        spec(
                                "{\"spec\":{\"active\":false},\"metadata\":{\"annotations\":{\"lightpath.dev/no-place\":\"x\"}}}"))
                .isEmpty();
        assertThat(spec("{\"spec\":{\"queueName\":\"theirs\"}}")).contains(REST);
        assertThat(spec("{\"spec\":{\"podSets\":[]}}")).contains(REST);
        assertThat(spec("{\"metadata\":{\"labels\":{\"a\":\"b\"}}}")).contains(REST);
        assertThat(spec("{\"spec\":{\"maximumExecutionTimeSeconds\":1}}")).contains(REST);
        assertThat(spec("{\"spec\":{\"priorityClassRef\":{\"name\":\"high\"}}}"))
                .contains(REST);
        assertThat(spec("{\"metadata\":{\"annotations\":{\"example.com/note\":\"x\"}}}"))
                .contains(REST);
        assertThat(spec("{\"metadata\":{\"finalizers\":[\"example.com/stay\"]}}"))
                .contains(REST);
        assertThat(
                        spec(
                                "{\"metadata\":{\"ownerReferences\":[{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"name\":\"a\",\"uid\":\"b\"}]}}"))
                .contains(REST);
    }

    @Test
    void ofAdmissionChecksItWritesItsOwn() {
        assertThat(check("light")).isEmpty();
        assertThat(check("nodes")).contains("whose controller is lightpath.dev/light");
    }

    private String workload(String patch) {
        return Access.answer(() -> operator.genericKubernetesResources(API, "Workload")
                .inNamespace(HOME)
                .withName("held")
                .subresource("status")
                .patch(TRIED, patch));
    }

    private String spec(String patch) {
        return Access.answer(() -> operator.genericKubernetesResources(API, "Workload")
                .inNamespace(HOME)
                .withName("held")
                .patch(TRIED, patch));
    }

    private String check(String name) {
        return Access.answer(() -> operator.genericKubernetesResources(API, "AdmissionCheck")
                .withName(name)
                .subresource("status")
                .patch(TRIED, ACTIVE));
    }
}
