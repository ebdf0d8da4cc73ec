package dev.lightpath.app.driver;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.driver.endpoint.DriverEndpoint;
import dev.lightpath.app.driver.endpoint.TlsMaterial;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.DriverState.Contact;
import io.grpc.TlsServerCredentials;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Mutual TLS with a driver. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DriverTlsTest {
    private static final String ROLE = "cluster/ring-a";

    private final DriverFleet fleet =
            new DriverFleet(() -> 1, FleetTimings.standard(), InstantSource.system(), new Random(1));
    private TestIdentity ours;
    private TestIdentity theirs;
    private ScriptedDriver driver;

    @BeforeAll
    void startSecuredDriver(@TempDir Path folder) throws Exception {
        ours = TestIdentity.make(folder, "operator");
        theirs = TestIdentity.make(folder, "driver");
        driver = new ScriptedDriver(TlsServerCredentials.newBuilder()
                .keyManager(stream(theirs.certificate()), stream(theirs.privateKey()))
                .trustManager(stream(ours.certificate()))
                .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE)
                .build());
        driver.light("n1", "b0.common", "b0.loop");
    }

    @AfterEach
    void forget() {
        fleet.connect(List.of());
    }

    @AfterAll
    void stop() throws InterruptedException {
        fleet.close();
        driver.close();
    }

    @Test
    void driverAndOperatorThatTrustEachOtherAreSynced() {
        connect(new TlsMaterial(
                "Secret lightpath-system/tls", theirs.certificate(), ours.certificate(), ours.privateKey()));

        await().until(() -> state().contact() == Contact.SYNCED);
        assertThat(state().devices()).containsOnlyKeys("n1");
    }

    @Test
    void driverThatOursDoNotTrustFailsAuthenticationUntilTheMaterialIsReplaced() {
        connect(new TlsMaterial(
                "Secret lightpath-system/tls", ours.certificate(), ours.certificate(), ours.privateKey()));
        await().until(() -> state().contact() == Contact.AUTHENTICATION_FAILED);
        assertThat(state().problem()).isPresent();

        connect(new TlsMaterial(
                "Secret lightpath-system/tls", theirs.certificate(), ours.certificate(), ours.privateKey()));
        await().until(() -> state().contact() == Contact.SYNCED);
    }

    @Test
    void materialThatIsNoPemSaysSo() {
        connect(new TlsMaterial(
                "Secret lightpath-system/tls", "no certificate", ours.certificate(), ours.privateKey()));

        assertThat(state().contact()).isEqualTo(Contact.AUTHENTICATION_FAILED);
        assertThat(state().problem().orElse("")).contains("ca.crt").contains("PEM");
    }

    @Test
    void materialThatTheOperatorMayNotReadSaysHowToAllowIt() {
        connect(TlsMaterial.withheld("Secret lightpath-system/tls"));

        assertThat(state().contact()).isEqualTo(Contact.AUTHENTICATION_FAILED);
        assertThat(state().problem().orElse(""))
                .isEqualTo("Secret lightpath-system/tls may not be read by the operator: allow it by a Role with its"
                        + " name (docs/operating.md, Certificates)");
    }

    @Test
    void aDriversCertificateThatExpiredIsNamed(@TempDir Path folder) throws Exception {
        TestIdentity authority = TestIdentity.authority(folder, "ca");
        TestIdentity expired = TestIdentity.expired(folder, "ca", "driver");
        try (ScriptedDriver late = secured(expired, authority)) {
            connect(late, material(authority, TestIdentity.signed(folder, "ca", "operator")));
            await().until(() -> state(late).contact() == Contact.AUTHENTICATION_FAILED);
            assertThat(state(late).problem().orElse(""))
                    .startsWith("the driver's certificate has expired (NotAfter: ")
                    .endsWith("): renew it (docs/operating.md, Certificates)");
        }
    }

    @Test
    void ourCertificateThatExpiredIsNamedAndTheNextOneIsTaken(@TempDir Path folder) throws Exception {
        TestIdentity authority = TestIdentity.authority(folder, "ca");
        TestIdentity expired = TestIdentity.expired(folder, "ca", "operator");
        try (ScriptedDriver strict = secured(TestIdentity.signed(folder, "ca", "driver"), authority)) {
            connect(strict, material(authority, expired));
            await().until(() -> state(strict).contact() == Contact.AUTHENTICATION_FAILED);
            assertThat(state(strict).problem().orElse(""))
                    .startsWith("Secret lightpath-system/tls: the certificate (tls.crt) expired at ")
                    .endsWith(": renew it (docs/operating.md, Certificates)");

            connect(strict, material(authority, TestIdentity.signed(folder, "ca", "renewed")));
            await().until(() -> state(strict).contact() == Contact.SYNCED);
        }
    }

    private static ScriptedDriver secured(TestIdentity driver, TestIdentity authority) throws Exception {
        return new ScriptedDriver(TlsServerCredentials.newBuilder()
                .keyManager(stream(driver.certificate()), stream(driver.privateKey()))
                .trustManager(stream(authority.certificate()))
                .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE)
                .build());
    }

    private static TlsMaterial material(TestIdentity authority, TestIdentity ours) {
        return new TlsMaterial(
                "Secret lightpath-system/tls", authority.certificate(), ours.certificate(), ours.privateKey());
    }

    @Test
    void privateKeyIsNeverPrinted() {
        assertThat(DriverEndpoint.secured(
                                "driver:9440", ROLE, new TlsMaterial("Secret lightpath-system/tls", "a", "b", "secret"))
                        .toString())
                .doesNotContain("secret");
    }

    private void connect(TlsMaterial tls) {
        connect(driver, tls);
    }

    private void connect(ScriptedDriver to, TlsMaterial tls) {
        fleet.connect(List.of(DriverEndpoint.secured(to.address(), ROLE, tls)));
    }

    private DriverState state() {
        return state(driver);
    }

    private DriverState state(ScriptedDriver of) {
        return requireNonNull(fleet.states().get(of.address()));
    }

    private static InputStream stream(String pem) {
        return new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII));
    }

    private static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofSeconds(60));
    }
}
