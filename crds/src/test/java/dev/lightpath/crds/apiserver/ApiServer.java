package dev.lightpath.crds.apiserver;

import io.fabric8.kubeapitest.KubeAPIServer;
import io.fabric8.kubeapitest.KubeAPIServerConfigBuilder;
import io.fabric8.kubeapitest.KubeAPITestException;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * A kube-apiserver and an etcd on loopback (5 to 20 s to start). There are no nodes, no controllers and no garbage
 * collector: namespaces never go away by themselves.
 */
public final class ApiServer implements AutoCloseable {

    private static final List<String> DEFINITIONS =
            List.of("opticalfabrics", "opticalswitches", "trainingjobs", "fabricslices");
    private static final int STARTUP_MILLIS = 120_000;
    private static final int STARTS = 3;
    /** On a busy machine objects that are thousands of levels deep take longer than the usual 10 s. */
    private static final int REQUEST_MILLIS = 60_000;

    private final KubeAPIServer server;

    private ApiServer(KubeAPIServer server) {
        this.server = server;
    }

    /** Starts one with nothing in it. Its ports were found free and given up before: another process may take one. */
    public static ApiServer start() {
        for (int tries = 1; ; tries++) {
            try {
                return startOnce();
            } catch (KubeAPITestException e) {
                if (tries == STARTS) {
                    throw e;
                }
                System.err.println("an API server did not start, another is tried: " + e.getMessage());
            }
        }
    }

    private static ApiServer startOnce() {
        ControlPlaneBinaries binaries = ControlPlaneBinaries.ofCheckout();
        var server = new KubeAPIServer(KubeAPIServerConfigBuilder.anAPIServerConfig()
                .withTestDir(binaries.home().toString())
                .withApiServerVersion(binaries.version())
                .withOfflineMode(true)
                .withUpdateKubeConfig(false)
                .withWaitForEtcdHealthCheckOnStartup(true)
                .withStartupTimeout(STARTUP_MILLIS)
                .build());
        try {
            server.start();
        } catch (KubeAPITestException e) {
            server.stop();
            throw e;
        }
        return new ApiServer(server);
    }

    /** Starts one with the four resources of Lightpath. */
    public static ApiServer startWithResources() {
        ApiServer started = start();
        try {
            started.createResources();
            return started;
        } catch (RuntimeException e) {
            started.close();
            throw e;
        }
    }

    private void createResources() {
        try (KubernetesClient client = client()) {
            for (String plural : DEFINITIONS) {
                client.resource(definition(client, plural)).create();
            }
            awaitEstablished(client);
        }
    }

    /** Takes away what tests made, and what they changed of the four resources. */
    void clear() {
        try (KubernetesClient client = client()) {
            new Leftovers(client).remove();
            for (String plural : DEFINITIONS) {
                CustomResourceDefinition served = named(client, plural).get();
                if (served == null || served.getMetadata().getGeneration() != 1) {
                    client.resource(definition(client, plural)).createOr(NonDeletingOperation::update);
                }
            }
            awaitEstablished(client);
        }
    }

    private static void awaitEstablished(KubernetesClient client) {
        for (String plural : DEFINITIONS) {
            named(client, plural).waitUntilCondition(ApiServer::isEstablished, 2, TimeUnit.MINUTES);
        }
    }

    private static Resource<CustomResourceDefinition> named(KubernetesClient client, String plural) {
        return client.apiextensions().v1().customResourceDefinitions().withName(plural + ".lightpath.dev");
    }

    private static CustomResourceDefinition definition(KubernetesClient client, String plural) {
        String file = "/META-INF/kubernetes/" + plural + ".lightpath.dev-v1.yaml";
        try (InputStream yaml = Objects.requireNonNull(ApiServer.class.getResourceAsStream(file), file)) {
            return client.getKubernetesSerialization().unmarshal(yaml, CustomResourceDefinition.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Whether a definition (null: none) is served. A new one has no conditions, which the API server writes as null.
     */
    public static boolean isEstablished(CustomResourceDefinition definition) {
        return definition != null
                && definition.getStatus() != null
                && definition.getStatus().getConditions() != null
                && definition.getStatus().getConditions().stream()
                        .anyMatch(condition -> condition.getType().equals("Established")
                                && condition.getStatus().equals("True"));
    }

    /** A kubeconfig of its administrator. */
    public String kubeConfigYaml() {
        return server.getKubeConfigYaml();
    }

    /** A client of its administrator, to be closed by the caller. */
    public KubernetesClient client() {
        Config config = Config.fromKubeconfig(kubeConfigYaml());
        config.setRequestTimeout(REQUEST_MILLIS);
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    /** A namespace of this name. */
    public static Namespace namespace(KubernetesClient client, String name) {
        return client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .serverSideApply();
    }

    @Override
    public void close() {
        server.stop();
    }
}
