package dev.lightpath.crds.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ApiServerExtension.class)
class LeftoversIT {
    private static final String DEFINITION = """
            {apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: things.left.dev},
             spec: {group: left.dev, scope: Cluster, names: {plural: things, singular: thing, kind: Thing},
              versions: [{name: v1, served: true, storage: true,
               schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]}}
            """;

    private static final List<String> OBJECTS = List.of("""
            {apiVersion: v1, kind: Namespace, metadata: {name: left}}
            """, """
            {apiVersion: v1, kind: ConfigMap, metadata: {name: kept, namespace: left, finalizers: [left.dev/for-ever]}}
            """, """
            {apiVersion: v1, kind: Node, metadata: {name: n0}}
            """, """
            {apiVersion: v1, kind: Pod, metadata: {name: p0, namespace: default},
             spec: {nodeName: n0, containers: [{name: c, image: i}]}}
            """, """
            {apiVersion: coordination.k8s.io/v1, kind: Lease, metadata: {name: held, namespace: left}}
            """, """
            {apiVersion: lightpath.dev/v1alpha1, kind: TrainingJob,
             metadata: {name: llm, namespace: left, finalizers: [lightpath.dev/light]},
             spec: {model: {preset: gpt-7b}, parallelism: {tensor: 4}, scaleUp: {fabric: nowhere}}}
            """, """
            {apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: left}, rules: []}
            """, """
            {apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: left}, value: 1}
            """, DEFINITION, """
            {apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicy, metadata: {name: left},
             spec: {matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [DELETE],
              resources: [configmaps]}]}, validations: [{expression: "false", message: no deletion}]}}
            """, """
            {apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicyBinding,
             metadata: {name: left}, spec: {policyName: left, validationActions: [Deny]}}
            """);

    @Test
    void nothingThatATestMadeIsLeft(ApiServer server) throws InterruptedException {
        try (KubernetesClient client = server.client()) {
            Leftovers leftovers = new Leftovers(client);
            List<String> before = leftovers.names();
            List<String> made = new ArrayList<>();
            for (String object : OBJECTS) {
                var created = client.resource("---\n" + object).create();
                made.add(created.getKind() + "/" + created.getMetadata().getNamespace() + "/"
                        + created.getMetadata().getName());
            }
            awaitRefusal(client);
            assertThat(leftovers.names()).containsAll(made);

            leftovers.remove();

            assertThat(leftovers.names()).isEqualTo(before).isEmpty();
            assertThat(client.namespaces().withName("left").get()).isNull();
            for (String object : OBJECTS.subList(0, 5)) {
                assertThat(client.resource("---\n" + object).create())
                        .as(object)
                        .isNotNull();
            }
            leftovers.remove();
            assertThat(leftovers.names()).isEmpty();
        }
    }

    @Test
    void aDeletedPolicyRefusesNothingOnceTheProbeSaysSo(ApiServer server) throws InterruptedException {
        try (KubernetesClient client = server.client()) {
            client.resource("""
                    ---
                    {apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicy, metadata: {name: left},
                     spec: {matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1],
                      operations: [CREATE, DELETE], resources: [configmaps]}]},
                      validations: [{expression: "false", message: no deletion}]}}
                    """).create();
            client.resource("---\n" + OBJECTS.getFirst()).create();
            client.resource("---\n" + OBJECTS.get(1)).create();
            client.resource("---\n" + OBJECTS.getLast()).create();
            awaitRefusal(client);

            client.resource("---\n" + OBJECTS.getLast()).delete();
            new PolicyProbe(client).awaitPoliciesAsWritten();

            client.resource("---\n" + OBJECTS.get(1)).delete();
            new Leftovers(client).remove();
            assertThat(new Leftovers(client).names()).isEmpty();
        }
    }

    @Test
    void eventsOfEveryNamespaceGo(ApiServer server) {
        try (KubernetesClient client = server.client()) {
            client.resource("---\n" + OBJECTS.getFirst()).create();
            for (String namespace : List.of("left", "default")) {
                client.resource("""
                        ---
                        {apiVersion: v1, kind: Event, metadata: {name: told, namespace: %1$s}, reason: Told,
                         type: Normal, involvedObject: {kind: ConfigMap, namespace: %1$s, name: any}}
                        """.formatted(namespace)).create();
            }

            new Leftovers(client).remove();

            assertThat(client.v1().events().inAnyNamespace().list().getItems())
                    .extracting(event -> event.getMetadata().getNamespace())
                    .doesNotContain("left", "default");
        }
    }

    @Test
    void anObjectWithAFinalizerDoesNotHoldItsDefinition(ApiServer server) {
        try (KubernetesClient client = server.client()) {
            client.resource("---\n" + DEFINITION).create();
            client.apiextensions()
                    .v1()
                    .customResourceDefinitions()
                    .withName("things.left.dev")
                    .waitUntilCondition(ApiServer::isEstablished, 2, TimeUnit.MINUTES);
            client.resource("""
                    ---
                    {apiVersion: left.dev/v1, kind: Thing, metadata: {name: kept, finalizers: [left.dev/for-ever]}}
                    """).create();

            Leftovers leftovers = new Leftovers(client);
            leftovers.remove();

            assertThat(leftovers.names()).isEmpty();
        }
    }

    /** A policy counts a moment after it was written. */
    private static void awaitRefusal(KubernetesClient client) throws InterruptedException {
        String refused = "";
        for (int tries = 0; !refused.contains("no deletion") && tries < 300; tries++) {
            Thread.sleep(200);
            try {
                client.configMaps()
                        .inNamespace("left")
                        .withName("kept")
                        .dryRun()
                        .delete();
            } catch (KubernetesClientException e) {
                refused = String.valueOf(e.getMessage());
            }
        }
        assertThat(refused).contains("no deletion");
    }
}
