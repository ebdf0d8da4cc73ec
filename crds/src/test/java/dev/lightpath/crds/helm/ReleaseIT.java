package dev.lightpath.crds.helm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.apiserver.ApiServer;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A release from its beginning to its end, by helm itself. */
class ReleaseIT {
    private static final String[] RELEASE = {"lightpath", "--namespace=lightpath-system"};

    @TempDir
    Path folder;

    @Test
    void isInstalledUpgradedRolledBackRemovedAndInstalledAgain()
            throws IOException, InterruptedException, GeneralSecurityException {
        Programs.prepare();
        try (ApiServer server = ApiServer.start();
                KubernetesClient client = server.client()) {
            Programs programs = new Programs(folder, server.kubeConfigYaml());

            helm(programs, "install", olderChart().toString(), "--create-namespace");
            assertThat(operator(client).getSpec().getReplicas()).isEqualTo(2);
            assertThat(definition(client)).doesNotContain("observedRevision").contains("observedEarlier");
            Map<String, Map<String, String>> secrets = secrets(client);
            assertServes(secrets, "lightpath-driver-tls", "lightpath-driver.lightpath-drivers.svc");
            assertServes(secrets, "lightpath-driver-client", "lightpath-operator");
            assertServes(secrets, "lightpath-driver-scraper", "lightpath-scraper");

            helm(programs, "upgrade", Programs.CHART.toString(), "--set=operator.replicas=3,drivers.row-b.image=");
            assertThat(operator(client).getSpec().getReplicas()).isEqualTo(3);
            assertThat(definition(client)).contains("observedRevision");
            assertThat(secrets(client)).containsAllEntriesOf(secrets);
            assertServes(secrets(client), "row-b-tls", "row-b.lightpath-drivers.svc");
            assertServes(secrets(client), "row-b-scraper", "lightpath-scraper");

            helm(programs, "rollback", "1");
            assertThat(operator(client).getSpec().getReplicas()).isEqualTo(2);
            assertThat(definition(client)).contains("observedEarlier");
            assertThat(secrets(client)).containsAllEntriesOf(secrets);

            helm(programs, "upgrade", Programs.CHART.toString());
            client.secrets()
                    .inNamespace("lightpath-system")
                    .withName("lightpath-ca")
                    .delete();
            helm(programs, "upgrade", Programs.CHART.toString());
            assertThat(secrets(client).get("lightpath-ca")).isNotEqualTo(secrets.get("lightpath-ca"));
            assertServes(secrets(client), "lightpath-driver-tls", "lightpath-driver.lightpath-drivers.svc");
            assertServes(secrets(client), "lightpath-driver-client", "lightpath-operator");

            programs.kubectl(
                            "patch",
                            "secret",
                            "lightpath-driver-tls",
                            "--namespace=lightpath-drivers",
                            "--type=merge",
                            "--patch={\"data\":{\"tls.crt\":\"bWluZQ==\"}}")
                    .expectSuccess();
            Map<String, Map<String, String>> own = secrets(client);
            helm(programs, "upgrade", Programs.CHART.toString(), "--set=certificates.source=Existing");
            own.remove("lightpath-ca");
            assertThat(secrets(client)).isEqualTo(own);

            helm(programs, "uninstall");
            assertThat(client.apps().deployments().inAnyNamespace().list().getItems())
                    .isEmpty();
            assertThat(client.apps().statefulSets().inAnyNamespace().list().getItems())
                    .isEmpty();
            assertThat(client.admissionRegistration()
                            .v1()
                            .validatingAdmissionPolicies()
                            .list()
                            .getItems())
                    .isEmpty();
            assertThat(secrets(client)).as("stay").isEqualTo(own);
            assertThat(definition(client)).as("stays, as its jobs do").contains("observedRevision");
            assertThat(client.persistentVolumeClaims()
                            .inNamespace("lightpath-drivers")
                            .list()
                            .getItems())
                    .as("stay, as epochs must")
                    .hasSize(2);

            helm(programs, "install", Programs.CHART.toString(), "--force-conflicts");
            assertThat(operator(client).getSpec().getReplicas()).isEqualTo(2);
            assertServes(secrets(client), "lightpath-driver-tls", "lightpath-driver.lightpath-drivers.svc");
        }
    }

    @Test
    void isMendedAndUpgradedAsThePagesSay() throws IOException, InterruptedException {
        Programs.prepare();
        try (ApiServer server = ApiServer.start();
                KubernetesClient client = server.client()) {
            Programs programs = new Programs(folder, server.kubeConfigYaml());
            String values = Files.writeString(folder.resolve("values.yaml"), "operator: {replicas: 3}")
                    .toString();
            helm(programs, "install", Programs.CHART.toString(), "--create-namespace", "--values=" + values);
            programs.kubectl(
                            "patch",
                            "validatingadmissionpolicy",
                            "lightpath-pods",
                            "--type=merge",
                            "--patch={\"spec\":{\"failurePolicy\":\"Ignore\"}}")
                    .expectSuccess();
            programs.kubectl("delete", "validatingadmissionpolicy", "lightpath-ledger")
                    .expectSuccess();

            programs.documented("runbooks/LightpathUnguarded.md", "upgrade lightpath", Programs.CHART)
                    .expectSuccess();
            var policies = client.admissionRegistration().v1().validatingAdmissionPolicies();
            assertThat(policies.withName("lightpath-pods").require().getSpec().getFailurePolicy())
                    .isEqualTo("Fail");
            assertThat(policies.withName("lightpath-ledger").get()).isNotNull();
            assertThat(operator(client).getSpec().getReplicas())
                    .as("values stay")
                    .isEqualTo(3);

            // what belongs to both from now on
            programs.kubectl(
                            "apply",
                            "--server-side",
                            "--force-conflicts",
                            "--kustomize=" + Programs.KUSTOMIZE.resolve("access"))
                    .expectSuccess();
            programs.documented("install.md", "upgrade lightpath", chartWithAnotherRule())
                    .expectSuccess();
            assertThat(client.rbac()
                            .clusterRoles()
                            .withName("lightpath-operator")
                            .require()
                            .getRules())
                    .anySatisfy(rule -> assertThat(rule.getResourceNames()).contains("another"));
        }
    }

    @Test
    void takesOverWhatKustomizeInstalled() throws IOException, InterruptedException {
        Programs.prepare();
        try (ApiServer server = ApiServer.start();
                KubernetesClient client = server.client()) {
            Programs programs = new Programs(folder, server.kubeConfigYaml());
            programs.kubectl("apply", "--server-side", "--kustomize=" + Programs.KUSTOMIZE.resolve("access"))
                    .expectSuccess();
            programs.kubectl("apply", "--server-side", "--kustomize=" + Programs.KUSTOMIZE.resolve("default"))
                    .expectSuccess();

            Files.writeString(folder.resolve("values.yaml"), "certificates: {source: Existing}");
            programs.documented("install.md", "--take-ownership", Programs.CHART)
                    .expectSuccess();
            programs.documented("install.md", "upgrade lightpath", chartWithAnotherRule(), "--set=image.tag=0.2.0")
                    .expectSuccess();
            assertThat(client.apps().deployments().inAnyNamespace().list().getItems())
                    .hasSize(2)
                    .allSatisfy(deployment -> assertThat(
                                    deployment.getSpec().getTemplate().getSpec().getContainers())
                            .singleElement()
                            .satisfies(container ->
                                    assertThat(container.getImage()).endsWith(":0.2.0")));
        }
    }

    private static void helm(Programs programs, String verb, String... rest) throws IOException, InterruptedException {
        programs.helm(Stream.of(Stream.of(verb), Stream.of(RELEASE), Stream.of(rest))
                        .flatMap(arguments -> arguments)
                        .toArray(String[]::new))
                .expectSuccess();
    }

    /** The chart as if FabricSlices had a field of another name then. */
    private Path olderChart() throws IOException {
        return chart(
                "older",
                "fabricslices.lightpath.dev-v1.yaml",
                text -> text.replace("observedRevision", "observedEarlier"));
    }

    private Path chartWithAnotherRule() throws IOException {
        return chart(
                "newer",
                "access/operator.yaml",
                text -> text.replaceFirst(
                        "\nrules:\n",
                        "\nrules:\n  - {apiGroups: [\"\"], resources: [configmaps], verbs: [get], resourceNames: [another]}\n"));
    }

    /** A copy of the chart in which one file differs. */
    private Path chart(String name, String changed, UnaryOperator<String> change) throws IOException {
        Path other = folder.resolve(name);
        try (Stream<Path> files = Files.walk(Programs.CHART, FileVisitOption.FOLLOW_LINKS)) {
            files.filter(Files::isRegularFile).forEach(file -> {
                try {
                    Path copy = other.resolve(Programs.CHART.relativize(file).toString());
                    Files.createDirectories(copy.getParent());
                    String text = Files.readString(file);
                    Files.writeString(copy, file.endsWith(changed) ? change.apply(text) : text);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
        return other;
    }

    private static Deployment operator(KubernetesClient client) {
        return client.apps()
                .deployments()
                .inNamespace("lightpath-system")
                .withName("lightpath-operator")
                .require();
    }

    private static String definition(KubernetesClient client) {
        return client.getKubernetesSerialization()
                .asJson(client.apiextensions()
                        .v1()
                        .customResourceDefinitions()
                        .withName("fabricslices.lightpath.dev")
                        .require()
                        .getSpec());
    }

    /** The data of those with certificates, by name. */
    private static Map<String, Map<String, String>> secrets(KubernetesClient client) {
        return client.secrets().inAnyNamespace().list().getItems().stream()
                .filter(secret -> secret.getType().equals("kubernetes.io/tls"))
                .collect(
                        Collectors.toMap((Secret secret) -> secret.getMetadata().getName(), Secret::getData));
    }

    /** Its key is of PKCS#8 and belongs to its certificate, which the authority signed for the name. */
    private static void assertServes(Map<String, Map<String, String>> secrets, String name, String host)
            throws GeneralSecurityException {
        Map<String, String> data = secrets.get(name);
        assertThat(data).as(name + " among " + secrets.keySet()).isNotNull();
        X509Certificate authority = certificate(data, "ca.crt");
        assertThat(authority).isEqualTo(certificate(secrets.get("lightpath-ca"), "tls.crt"));
        X509Certificate certificate = certificate(data, "tls.crt");
        certificate.verify(authority.getPublicKey());
        assertThat(certificate.getSubjectAlternativeNames()).contains(List.of(2, host));
        String pem = decoded(data, "tls.key").replaceAll("-----[A-Z ]+-----", "");
        PrivateKey key = KeyFactory.getInstance("EC")
                .generatePrivate(new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(pem)));
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        Signature writer = Signature.getInstance("SHA256withECDSA");
        writer.initSign(key);
        writer.update(text);
        Signature reader = Signature.getInstance("SHA256withECDSA");
        reader.initVerify(certificate);
        reader.update(text);
        assertThat(reader.verify(writer.sign())).isTrue();
    }

    private static X509Certificate certificate(Map<String, String> data, String key) throws GeneralSecurityException {
        return (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(decoded(data, key).getBytes(StandardCharsets.UTF_8)));
    }

    private static String decoded(Map<String, String> data, String key) {
        return new String(Base64.getDecoder().decode(data.get(key)), StandardCharsets.UTF_8);
    }
}
