package dev.lightpath.crds.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.apiserver.ApiServer;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Files of deploy/kubernetes/access on an API server, and what it answers to somebody whom they are about. */
final class Access implements AutoCloseable {
    /** Of a tenth of a second each. */
    private static final int MOST_TRIES = 1200;

    static final String OPERATOR = "system:serviceaccount:lightpath-system:lightpath-operator";
    private static final Path FOLDER = Path.of("../deploy/kubernetes/access");

    final KubernetesClient admin;
    private final String kubeConfig;
    private final List<HasMetadata> applied = new ArrayList<>();

    Access(ApiServer server, String... files) throws IOException {
        admin = server.client();
        kubeConfig = server.kubeConfigYaml();
        namespace("lightpath-system");
        for (String file : files) {
            applyFile(file);
        }
    }

    /** The objects of a file more, applied. */
    List<HasMetadata> applyFile(String file) throws IOException {
        try (InputStream yaml = new FileInputStream(FOLDER.resolve(file).toFile())) {
            List<HasMetadata> objects = admin.load(yaml).items();
            objects.forEach(this::apply);
            return objects;
        }
    }

    void namespace(String name) {
        ApiServer.namespace(admin, name);
    }

    /** What is taken back at the end. */
    void apply(HasMetadata object) {
        applied.add(admin.resource(object).serverSideApply());
    }

    void apply(String yaml) {
        apply(read(yaml));
    }

    /** Teaches the API server a kind of others, with objects of any content. */
    void define(String apiVersion, String kind, String plural, String scope) {
        String[] parts = apiVersion.split("/");
        String name = plural + "." + parts[0];
        apply("""
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: %s, annotations: {api-approved.kubernetes.io: unapproved}}
                spec:
                  group: %s
                  names: {kind: %s, plural: %s}
                  scope: %s
                  versions:
                    - name: %s
                      served: true
                      storage: true
                      subresources: {status: {}}
                      schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
                """.formatted(name, parts[0], kind, plural, scope, parts[1]));
        admin.apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName(name)
                .waitUntilCondition(
                        crd -> crd != null
                                && crd.getStatus() != null
                                && crd.getStatus().getConditions() != null
                                && crd.getStatus().getConditions().stream()
                                        .anyMatch(one -> one.getType().equals("Established")
                                                && one.getStatus().equals("True")),
                        120,
                        TimeUnit.SECONDS);
    }

    /** What begins with a brace would be taken for JSON. */
    static HasMetadata read(String yaml) {
        return Serialization.unmarshal("---\n" + yaml);
    }

    /** A client of somebody else, to be closed by the caller. */
    KubernetesClient as(String user) {
        Config config = Config.fromKubeconfig(kubeConfig);
        config.setImpersonateUsername(user);
        config.setImpersonateGroups("system:authenticated");
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    /** A policy holds a moment after it was written. */
    static void untilRefused(Supplier<String> probe, String words) throws InterruptedException {
        String answer = probe.get();
        for (int tries = 0; !answer.contains(words); tries++) {
            assertThat(tries).as("tries until it is in force; now: " + answer).isLessThan(MOST_TRIES);
            Thread.sleep(100);
            answer = probe.get();
        }
    }

    /** Roles hold a moment after they were written. */
    static void untilTaken(Supplier<String> probe) throws InterruptedException {
        String answer = probe.get();
        for (int tries = 0; !answer.isEmpty(); tries++) {
            assertThat(tries).as("tries until it is allowed; now: " + answer).isLessThan(MOST_TRIES);
            Thread.sleep(100);
            answer = probe.get();
        }
    }

    /** The words of the API server, empty when it takes it. */
    static String answer(Runnable act) {
        try {
            act.run();
            return "";
        } catch (KubernetesClientException e) {
            return String.valueOf(e.getMessage());
        }
    }

    @Override
    public void close() {
        admin.resourceList(applied).delete();
        admin.close();
    }
}
