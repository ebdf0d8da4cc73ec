package dev.lightpath.cli.cluster.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.cli.TestRun;
import dev.lightpath.cli.cluster.access.DriverUse;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On the Secrets that {@code lightpath certificates} makes. */
class CertificateCheckTest {
    private static final String CLIENT = "lightpath-system/lightpath-driver-client";
    private static final String SERVER = "lightpath-drivers/lightpath-driver-tls";
    private static final DriverUse USE = new DriverUse(
            "opticalfabric/ring-a",
            "lightpath-driver.lightpath-drivers.svc:9440",
            Optional.of("lightpath-driver-client"));

    private static final SortedMap<String, List<String>> NONE = Collections.emptySortedMap();

    private static Map<String, Optional<Secret>> made;
    private static Map<String, Optional<Secret>> ofAnotherAuthority;

    @BeforeAll
    static void make(@TempDir Path folder) {
        made = secrets(folder.resolve("one"));
        ofAnotherAuthority = secrets(folder.resolve("two"));
    }

    @Test
    void isContentWithWhatTheCommandMakes() {
        assertThat(found(made, Instant.now())).isEmpty();
    }

    @Test
    void tellsWhenOneExpiresSoonAndWhenItHas() {
        assertThat(found(made, Instant.now().plus(Duration.ofDays(350))))
                .extracting(Finding::level)
                .containsOnly(Level.warning);
        assertThat(found(made, Instant.now().plus(Duration.ofDays(400))))
                .extracting(Finding::level)
                .containsOnly(Level.wrong);
        assertThat(found(made, Instant.now().minus(Duration.ofDays(1))))
                .allSatisfy(finding -> assertThat(finding.what()).startsWith("is not valid before"));
    }

    /** Which a certificate made anew by it would not outlive. */
    @Test
    void tellsWhenTheAuthorityExpires() {
        assertThat(found(made, Instant.now().plus(Duration.ofDays(3640))))
                .extracting(Finding::what)
                .anyMatch(what -> what.startsWith("its authority (ca.crt) expires at"));
    }

    @Test
    void tellsWhichOneIsNotThere() {
        assertThat(found(with(CLIENT, Optional.empty()), Instant.now()))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.level()).isEqualTo(Level.wrong);
                    assertThat(finding.where()).isEqualTo("secret/" + CLIENT);
                    assertThat(finding.what()).isEqualTo("is not there, named by opticalfabric/ring-a");
                });
    }

    /** They share one, which has no node's name. */
    @Test
    void looksAtTheCertificateOfAgentsOnce() {
        List<DriverUse> agents = Stream.of("n0.example:9440", "n1.example:9440")
                .map(endpoint -> new DriverUse(
                        "opticalfabric/ring-a", endpoint, USE.secret(), Optional.of("lightpath-agent"), true))
                .toList();
        assertThat(CertificateCheck.serverSecret(agents.getFirst())).contains("lightpath-agents/lightpath-agent-tls");
        Map<String, Optional<Secret>> secrets = new HashMap<>(made);
        secrets.put("lightpath-agents/lightpath-agent-tls", made.get(SERVER));
        assertThat(CertificateCheck.of(agents, NONE, secrets, "lightpath-system", Instant.now())
                        .findings())
                .singleElement()
                .extracting(Finding::what)
                .asString()
                .contains("not for lightpath-agent, which opticalfabric/ring-a calls");
    }

    @Test
    void tellsThatADriverIsNotOfTheOperatorsAuthority() {
        assertThat(found(with(SERVER, ofAnotherAuthority.get(SERVER)), Instant.now()))
                .singleElement()
                .extracting(Finding::what)
                .isEqualTo("is not signed by the authority in ca.crt of Secret " + CLIENT);
    }

    @Test
    void tellsThatADriverIsCalledByAnotherName() {
        DriverUse elsewhere = new DriverUse("opticalfabric/ring-a", "row-b.lightpath-drivers.svc:9440", USE.secret());
        Map<String, Optional<Secret>> secrets = new HashMap<>(made);
        secrets.put("lightpath-drivers/row-b-tls", made.get(SERVER));
        assertThat(CertificateCheck.of(List.of(elsewhere), NONE, secrets, "lightpath-system", Instant.now())
                        .findings())
                .singleElement()
                .extracting(Finding::what)
                .asString()
                .contains("not for row-b.lightpath-drivers.svc");
    }

    @Test
    void tellsWhatIsNoCertificate() {
        Secret broken = Serialization.clone(made.get(CLIENT).orElseThrow());
        broken.getData().put("tls.crt", Base64.getEncoder().encodeToString("no".getBytes(StandardCharsets.UTF_8)));
        assertThat(found(with(CLIENT, Optional.of(broken)), Instant.now()))
                .singleElement()
                .extracting(Finding::what)
                .isEqualTo("tls.crt is no certificate in PEM");
        broken.getData().remove("tls.key");
        assertThat(found(with(CLIENT, Optional.of(broken)), Instant.now()))
                .singleElement()
                .extracting(Finding::what)
                .isEqualTo("has no tls.key");
    }

    @Test
    void warnsOfADriverWithoutTlsAndOfASecretThatMayNotBeRead() {
        Diagnosis one = ofPlaintext(List.of(), List.of(), List.of(ocs("ocs-1")));
        assertThat(one.result()).isEqualTo(Level.warning);
        assertThat(ofPlaintext(List.of(), List.of(), List.of(ocs("ocs-1"), ocs("ocs-2")))
                        .findings())
                .as("one line for one driver")
                .singleElement()
                .extracting(Finding::what)
                .isEqualTo("reaches its driver 127.0.0.1:9440 without TLS, and so does opticalswitch/ocs-2");
        assertThat(found(Map.of(), Instant.now())).extracting(Finding::level).containsOnly(Level.warning);
    }

    /** Each has an address of its own, and the first may not be there yet. */
    @Test
    void warnsOfAgentsWithoutTlsInOneLine() {
        OpticalFabric ring = Serialization.unmarshal("""
                apiVersion: lightpath.dev/v1alpha1
                kind: OpticalFabric
                metadata: {name: ring-a}
                spec:
                  ocsTrx: {shape: Ring, reach: 2, gpusPerNode: 4, positions: 4, driver: {endpoint: "{address}:9440"}}
                """, OpticalFabric.class);
        for (List<Node> nodes : List.of(List.<Node>of(), List.of(node(0), node(1)))) {
            assertThat(ofPlaintext(List.of(ring), nodes, List.of()).findings())
                    .singleElement()
                    .satisfies(finding -> {
                        assertThat(finding.where()).isEqualTo("opticalfabric/ring-a");
                        assertThat(finding.what()).isEqualTo("reaches its agents {address}:9440 without TLS");
                    });
        }
    }

    private static Diagnosis ofPlaintext(List<OpticalFabric> fabrics, List<Node> nodes, List<OpticalSwitch> switches) {
        return CertificateCheck.of(
                DriverUse.all(fabrics, switches, nodes, 8),
                DriverUse.withoutTls(fabrics, switches),
                Map.of(),
                "lightpath-system",
                Instant.now());
    }

    private static OpticalSwitch ocs(String name) {
        return Serialization.unmarshal("""
                apiVersion: lightpath.dev/v1alpha1
                kind: OpticalSwitch
                metadata: {name: %s}
                spec:
                  fabric: spine
                  driver: {endpoint: "127.0.0.1:9440", deviceId: %s}
                  wiring: {striped: {firstIngress: 1, portsPerPod: 1}}
                """.formatted(name, name), OpticalSwitch.class);
    }

    private static Node node(int position) {
        return Serialization.unmarshal("""
                apiVersion: v1
                kind: Node
                metadata: {name: n%d, labels: {lightpath.dev/ring-position: "%d"}}
                status: {addresses: [{type: InternalIP, address: 10.0.0.%d}]}
                """.formatted(position, position, position), Node.class);
    }

    private static List<Finding> found(Map<String, Optional<Secret>> secrets, Instant now) {
        return CertificateCheck.of(List.of(USE), NONE, secrets, "lightpath-system", now)
                .findings();
    }

    private static Map<String, Optional<Secret>> with(String name, Optional<Secret> secret) {
        Map<String, Optional<Secret>> changed = new HashMap<>(made);
        changed.put(name, secret);
        return changed;
    }

    /** As the API server returns them: with data in base 64. */
    static Map<String, Optional<Secret>> secrets(Path authority, String... more) {
        List<String> arguments = new ArrayList<>(List.of("certificates", "--authority", authority.toString()));
        arguments.addAll(List.of(more));
        TestRun run = TestRun.of(arguments.toArray(String[]::new));
        Map<String, Optional<Secret>> secrets = new HashMap<>();
        for (String document : run.out().split("(?m)^---$")) {
            Secret secret = Serialization.unmarshal(document, Secret.class);
            Map<String, String> data = new HashMap<>();
            secret.getStringData()
                    .forEach((key, text) ->
                            data.put(key, Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8))));
            secret.setData(data);
            secret.setStringData(null);
            secrets.put(
                    secret.getMetadata().getNamespace() + "/"
                            + secret.getMetadata().getName(),
                    Optional.of(secret));
        }
        return secrets;
    }
}
