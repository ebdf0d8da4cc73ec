package dev.lightpath.app.lead;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.driver.endpoint.DriverEndpoint;
import dev.lightpath.app.driver.endpoint.TlsMaterial;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.reading.RingIntentReader;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the operator reads of Secrets, as the identity and with the Role that are shipped. */
@ExtendWith(ApiServerExtension.class)
class DriverEndpointsIT {
    private static final String SYSTEM = "lightpath-system";
    private static final Path ACCESS = Path.of("..", "..", "deploy", "kubernetes", "access", "operator.yaml");

    /**
     * One fabric that names a Secret of somebody else, or one that nobody allowed yet, keeps no other from its driver.
     */
    @Test
    void aSecretThatTheRoleDoesNotNameIsWithheldAndOthersAreRead(ApiServer server) throws Exception {
        try (KubernetesClient admin = server.client()) {
            ApiServer.namespace(admin, SYSTEM);
            try (InputStream yaml = Files.newInputStream(ACCESS)) {
                admin.load(yaml).serverSideApply();
            }
            secret(admin, "lightpath-driver-client");
            secret(admin, "of-somebody-else");
            Config config = Config.fromKubeconfig(server.kubeConfigYaml());
            config.setImpersonateUsername("system:serviceaccount:lightpath-system:lightpath-operator");
            config.setImpersonateGroups("system:authenticated");
            try (KubernetesClient operator =
                    new KubernetesClientBuilder().withConfig(config).build()) {
                DriverEndpoints endpoints = new DriverEndpoints(operator, SYSTEM, new RingIntentReader("uid"));
                List<OpticalFabric> fabrics =
                        List.of(fabric("a", "lightpath-driver-client"), fabric("b", "of-somebody-else"));
                Awaitility.await("the Role is in force")
                        .atMost(Duration.ofSeconds(60))
                        .untilAsserted(() -> assertThat(
                                        material(endpoints.of(fabrics, List.of(), List.of(), List.of()), "a")
                                                .unread())
                                .isEmpty());

                List<DriverEndpoint> all = endpoints.of(fabrics, List.of(), List.of(), List.of());
                assertThat(material(all, "a").authorities()).isEqualTo("authority");
                assertThat(material(all, "a").serverName()).contains("a.example");
                assertThat(material(all, "b"))
                        .isEqualTo(TlsMaterial.withheld("Secret lightpath-system/of-somebody-else")
                                .named(Optional.of("b.example")));
            }
            admin.secrets()
                    .inNamespace(SYSTEM)
                    .withName("lightpath-driver-client")
                    .delete();
            admin.secrets().inNamespace(SYSTEM).withName("of-somebody-else").delete();
        }
    }

    private static TlsMaterial material(List<DriverEndpoint> all, String fabric) {
        return all.stream()
                .filter(endpoint -> endpoint.address().startsWith(fabric + "-driver"))
                .findFirst()
                .flatMap(DriverEndpoint::tls)
                .orElseThrow();
    }

    private static void secret(KubernetesClient admin, String name) {
        admin.resource(new SecretBuilder()
                        .withNewMetadata()
                        .withNamespace(SYSTEM)
                        .withName(name)
                        .endMetadata()
                        .addToStringData("ca.crt", "authority")
                        .build())
                .serverSideApply();
    }

    private static OpticalFabric fabric(String name, String secret) {
        return Serialization.unmarshal("""
                apiVersion: lightpath.dev/v1alpha1
                kind: OpticalFabric
                metadata: {name: ring-%1$s}
                spec:
                  ocsTrx: {positions: 8, reach: 3, shape: Ring, gpusPerNode: 4,
                    driver: {endpoint: "%1$s-driver:9440", tls: {secretName: %2$s, serverName: %1$s.example}}}
                """.formatted(name, secret), OpticalFabric.class);
    }
}
