package dev.lightpath.app.job.effects;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.lightpath.app.conditions.EventWriter;
import dev.lightpath.app.driver.TestIdentity;
import dev.lightpath.app.job.facts.SliceFacts;
import dev.lightpath.app.job.plan.JobStep;
import dev.lightpath.app.job.plan.StepsTaken;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.job.TrainingJob;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicy;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicyBinding;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Steps that policies and webhooks of others refuse. */
@ExtendWith(ApiServerExtension.class)
final class RefusedStepsIT {
    private StepScene scene;

    @BeforeEach
    void start(ApiServer server) {
        scene = new StepScene(server);
    }

    @AfterEach
    void stop() {
        scene.close();
    }

    /** Else one pod that hangs would keep the others from ending, as often as their job is looked at. */
    @Test
    void podsEndThoughTheApiServerRefusesToTakeAwayOneThatHangs() {
        TrainingJob job = scene.makeJob("hanging", "default");
        List<Pod> pods = Stream.of("p0", "p1", "hangs")
                .map(name -> scene.client
                        .resource(StepScene.read("""
                                apiVersion: v1
                                kind: Pod
                                metadata: {name: %s, namespace: default}
                                spec: {containers: [{name: train, image: example/train}]}
                                """.formatted(name), Pod.class))
                        .create())
                .toList();
        ValidatingAdmissionPolicy policy = StepScene.read("""
                        metadata: {name: steps-keep}
                        spec:
                          matchConstraints:
                            resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [DELETE], resources: [pods]}]
                          matchConditions: [{name: one, expression: "oldObject.metadata.name == 'hangs'"}]
                          validations: [{expression: "false", message: pods that hang are looked into}]
                        """, ValidatingAdmissionPolicy.class);
        ValidatingAdmissionPolicyBinding binding = scene.binding();
        try {
            scene.client.resource(policy).create();
            scene.client.resource(binding).create();
            scene.await(pods.getLast(), true);
            List<JobStep> steps = List.of(
                    new JobStep.DeletePod("p0"), new JobStep.DeletePod("p1"), new JobStep.ForceDeletePod("hangs"));

            StepsTaken taken = scene.executor.carryOut(job, steps, List::of, () -> true);

            assertThat(taken.refusal()).hasValueSatisfying(refusal -> {
                assertThat(refusal.step()).isEqualTo(steps.getLast());
                assertThat(refusal.words()).contains("pods that hang are looked into");
            });

            assertThat(scene.client.pods().inNamespace("default").list().getItems())
                    .extracting(pod -> pod.getMetadata().getName())
                    .containsExactly("hangs");
        } finally {
            scene.client.resource(binding).delete();
            scene.client.resource(policy).delete();
            scene.await(pods.getLast(), false);
        }
    }

    /** Policies choose the code of their answer. */
    @ParameterizedTest
    @ValueSource(strings = {"Forbidden", "Invalid", "RequestEntityTooLarge"})
    void aDeletionThatAPolicyRefusesIsTold(String reason) {
        TrainingJob job = scene.makeJob("kept-" + reason.toLowerCase(Locale.ROOT), "default");
        ValidatingAdmissionPolicy policy = policy(reason, job);
        ValidatingAdmissionPolicyBinding binding = scene.binding();
        try {
            scene.client.resource(policy).create();
            scene.client.resource(binding).create();
            scene.await(job, true);
            refused(job, "jobs of a run stay for a year");
        } finally {
            scene.client.resource(binding).delete();
            scene.client.resource(policy).delete();
            scene.await(job, false);
        }
    }

    private ValidatingAdmissionPolicy policy(String reason, TrainingJob job) {
        return StepScene.read("""
                        metadata: {name: steps-keep}
                        spec:
                          matchConstraints:
                            resourceRules:
                              - apiGroups: [lightpath.dev]
                                apiVersions: ["*"]
                                operations: [DELETE]
                                resources: [trainingjobs]
                          matchConditions: [{name: one, expression: "oldObject.metadata.name == '%s'"}]
                          validations: [{expression: "false", reason: %s, message: jobs of a run stay for a year}]
                        """.formatted(job.getMetadata().getName(), reason), ValidatingAdmissionPolicy.class);
    }

    /**
     * Policies choose the code of their answer; that which they give by themselves is also that of a patch that came
     * too late.
     */
    @ParameterizedTest
    @ValueSource(strings = {"Forbidden", "Invalid"})
    void whatAPolicyDoesNotAllowOfPodsIsToldAndTheRestIsDone(String reason) {
        TrainingJob job = scene.makeJob("pods-" + reason.toLowerCase(Locale.ROOT), "default");
        List<JobStep> steps = new ArrayList<>(scene.gated());
        ValidatingAdmissionPolicy policy = StepScene.read("""
                        metadata: {name: steps-keep}
                        spec:
                          matchConstraints:
                            resourceRules:
                              - {apiGroups: [""], apiVersions: [v1], operations: [UPDATE, DELETE], resources: [pods]}
                          matchConditions: [{name: some, expression: "oldObject.metadata.name.startsWith('many-')"}]
                          validations: [{expression: "false", reason: %s, message: pods are as they are}]
                        """.formatted(reason), ValidatingAdmissionPolicy.class);
        ValidatingAdmissionPolicyBinding binding = scene.binding();
        Pod first =
                scene.client.pods().inNamespace("default").withName("many-0").get();
        StepExecutor lit = new StepExecutor(
                scene.client,
                (of, names) -> List.of(SliceFacts.of(scene.light(1, "True"), none -> null)),
                pod -> {},
                new EventWriter(scene.client, InstantSource.system()));
        try {
            scene.client.resource(policy).create();
            scene.client.resource(binding).create();
            scene.await(first, true);
            for (JobStep step : List.of(
                    new JobStep.Free("many-1"),
                    steps.getFirst(),
                    new JobStep.TellLight("many-1", "{}"),
                    new JobStep.DeletePod("many-1"),
                    new JobStep.DeleteUnbound("many-0", first.getMetadata().getResourceVersion()),
                    new JobStep.ForceDeletePod("many-1"))) {
                TrainingJob now = scene.client.resource(job).get();
                StepsTaken taken = lit.carryOut(
                        now, List.of(step, new JobStep.AddFinalizer()), scene.showing(Map.of()), () -> true);
                assertThat(taken.done()).contains(new JobStep.AddFinalizer());
                assertThat(taken.current()).as("nothing is newer").isTrue();
                assertThat(taken.refusal()).as(step.toString()).hasValueSatisfying(refusal -> {
                    assertThat(refusal.step()).isEqualTo(step);
                    assertThat(refusal.words()).contains("pods are as they are");
                });
            }
            JobStep gone = new JobStep.TellLight("many-none", "{}");
            StepsTaken both = lit.carryOut(
                    scene.client.resource(job).get(),
                    List.of(gone, new JobStep.TellLight("many-1", "{}"), steps.getFirst()),
                    scene.showing(Map.of()),
                    () -> true);
            assertThat(both.refusal())
                    .as("what keeps a pod from running goes first")
                    .hasValueSatisfying(refusal -> assertThat(refusal.step()).isEqualTo(steps.getFirst()));
            StepsTaken late = lit.carryOut(
                    scene.client.resource(job).get(),
                    List.of(steps.getFirst()),
                    scene.showing(Map.of(
                            "many-0",
                            new PodBuilder(first)
                                    .editMetadata()
                                    .withResourceVersion("1")
                                    .endMetadata()
                                    .build())),
                    () -> true);
            assertThat(late.refusal()).as("what was shown is old").isPresent();
        } finally {
            scene.client.resource(binding).delete();
            scene.client.resource(policy).delete();
            scene.await(first, false);
        }
    }

    /** An answer "conflict" to a job that nobody changed is no news of it. */
    @Test
    void aDeletionThatAWebhookRefusesAsConflictIsTold(@TempDir Path folder) throws Exception {
        TrainingJob job = scene.makeJob("kept-conflict", "default");
        TestIdentity identity = TestIdentity.make(folder, "webhook");
        HttpsServer server = conflicting(folder.resolve("webhook.p12"));
        ValidatingWebhookConfiguration webhook = StepScene.read(
                """
                        metadata: {name: steps-keep}
                        webhooks:
                          - name: keep.example.com
                            admissionReviewVersions: [v1]
                            sideEffects: None
                            clientConfig:
                              url: https://localhost:%d/
                              caBundle: %s
                            rules:
                              - {apiGroups: [lightpath.dev], apiVersions: ["*"], operations: [DELETE], resources: [trainingjobs]}
                            matchConditions: [{name: one, expression: "oldObject.metadata.name == 'kept-conflict'"}]
                        """.formatted(
                                server.getAddress().getPort(),
                                Base64.getEncoder()
                                        .encodeToString(identity.certificate().getBytes(StandardCharsets.US_ASCII))),
                ValidatingWebhookConfiguration.class);
        try {
            scene.client.resource(webhook).create();
            scene.await(job, true);
            refused(job, "jobs of a run stay for a year");

            scene.client.resource(job).edit(now -> {
                now.getMetadata().setLabels(Map.of("run", "another"));
                return now;
            });
            StepsTaken taken = scene.executor.carryOut(job, List.of(new JobStep.DeleteJob()), List::of, () -> true);
            assertThat(taken.current()).as("somebody changed it since").isFalse();
            assertThat(taken.refusal()).isEmpty();
        } finally {
            scene.client.resource(webhook).delete();
            scene.await(job, false);
            server.stop(0);
        }
    }

    private static HttpsServer conflicting(Path keys) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(keys.toFile(), "changeit".toCharArray());
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(store, "changeit".toCharArray());
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(managers.getKeyManagers(), null, null);
        HttpsServer server = HttpsServer.create(new InetSocketAddress("localhost", 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(tls));
        server.createContext("/", exchange -> {
            JsonNode review = new ObjectMapper().readTree(exchange.getRequestBody());
            byte[] answer = """
                    {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "response": {"uid": "%s",
                     "allowed": false, "status": {"code": 409, "message": "jobs of a run stay for a year"}}}
                    """.formatted(review.at("/request/uid").asText()).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
        return server;
    }

    private void refused(TrainingJob job, String why) {
        StepsTaken taken = scene.executor.carryOut(
                scene.client.resource(job).get(), List.of(new JobStep.DeleteJob()), List::of, () -> true);
        assertThat(taken.done()).isEmpty();
        assertThat(taken.current()).isTrue();
        assertThat(taken.refusal())
                .hasValueSatisfying(refusal -> assertThat(refusal.words()).contains(why));
    }
}
