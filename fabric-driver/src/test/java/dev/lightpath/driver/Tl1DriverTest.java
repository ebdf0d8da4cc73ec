package dev.lightpath.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.conformance.EmulatorFaults;
import dev.lightpath.conformance.bench.Fault;
import dev.lightpath.driver.config.AdapterConfig;
import dev.lightpath.driver.config.AdapterConfig.Tl1Device;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.CircuitServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Scanner;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The TL1 adapter where the device, or the way to it, is not as it should be. */
final class Tl1DriverTest extends ManagedTrial {
    private static final int SLOW_MILLIS = 15;
    /** A move then takes 0.3 to 0.7 s: longer than the driver takes to connect again. */
    private static final int SLOWNESS = 30;

    private Tl1Plant plant(String device, String quirks) throws Exception {
        Tl1Plant plant = new Tl1Plant(directory, device, quirks);
        open.add(plant);
        return plant;
    }

    private static AdapterConfig only(Tl1Device device) {
        return new AdapterConfig.Tl1(List.of(device));
    }

    private static Tl1Device changed(Tl1Device of, int port, Path password, String size) {
        return new Tl1Device(of.id(), of.host(), port, of.user(), password, of.dialect(), size, of.poll());
    }

    @Test
    void aWrongPasswordIsOneLine() throws Exception {
        Tl1Device right = plant("ports: 16", "").device();
        Path wrong = Files.writeString(directory.resolve("wrong"), "s3cr3t-but-wrong");
        leavesAloneAndSays(
                only(changed(right, right.port(), wrong, "")),
                "the device takes no user 'admin' with this password: DENY PICC /*Privilege, Illegal Command Code*/");
    }

    @Test
    void aDeviceThatRepeatsThePasswordBringsItIntoNoLog() throws Exception {
        Tl1Device right = plant("ports: 16", "quotes-input").device();
        Path wrong = Files.writeString(directory.resolve("wrong"), "s3cr3t-but-wrong");
        leavesAloneAndSays(
                only(changed(right, right.port(), wrong, "")), "Illegal Command Code: ACT-USER::admin:1::***");
    }

    /** Not only in a refusal: where the size of the switch is expected too. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SYSTEM:SIZE=WORD | '' | no size such as 48x48 or 48xCC, but '***'",
                "WORD | 16xCC | RTRV-PATCH answers '***' where two ports"
            })
    void aDeviceThatAnswersWithThePasswordBringsItIntoNoLog(String answer, String size, String line) throws Exception {
        Tl1Device right = plant("ports: 16", "").device();
        Path password = Files.writeString(directory.resolve("echoed"), "s3cr3t-and-echoed");
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.startVirtualThread(() -> answerAll(other, answer.replace("WORD", "s3cr3t-and-echoed")));
            var unused = driver(only(changed(right, other.getLocalPort(), password, size)));
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> !log(line).isEmpty());
            assertThat(log("s3cr3t")).isEmpty();
        }
    }

    /** Does whatever it is asked for. */
    private static void answerAll(ServerSocket server, String text) {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                Thread.startVirtualThread(() -> answerAll(client, text));
            } catch (IOException closing) {
                // it is over
            }
        }
    }

    private static void answerAll(Socket client, String text) {
        try (client;
                Scanner commands = new Scanner(client.getInputStream(), StandardCharsets.US_ASCII).useDelimiter(";")) {
            while (commands.hasNext()) {
                String tag = commands.next().split(":")[3];
                client.getOutputStream()
                        .write("\r\n   ocs 26-11-30 10:00:00\r\nM  %s COMPLD\r\n   \"%s\"\r\n;\r\n"
                                .formatted(tag, text)
                                .getBytes(StandardCharsets.US_ASCII));
            }
        } catch (IOException gone) {
            // the driver ended the session
        }
    }

    @Test
    void aPasswordThatWouldBeACommandIsNotSent() throws Exception {
        Tl1Device right = plant("ports: 16", "").device();
        Path wrong = Files.writeString(directory.resolve("wrong"), "s3cr3t;DLT-PATCH::1:2:;");
        leavesAloneAndSays(only(changed(right, right.port(), wrong, "")), "cannot be sent by TL1: allowed are");
    }

    @Test
    void aDeviceOfAnotherSizeIsOneLine() throws Exception {
        Tl1Device right = plant("ports: 16, twoSided: true", "").device();
        leavesAloneAndSays(
                only(changed(right, right.port(), right.passwordFile(), "16xCC")),
                "the device has size 8x8, but driver.yaml names size 16xCC");
    }

    @Test
    void aServerThatIsNoSwitchIsOneLine() throws Exception {
        Tl1Device right = plant("ports: 16", "").device();
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.startVirtualThread(() -> {
                while (!other.isClosed()) {
                    try (Socket client = other.accept()) {
                        client.getOutputStream().write(new byte[100_000]);
                    } catch (IOException closing) {
                        // tried again, or over
                    }
                }
            });
            leavesAloneAndSays(
                    only(changed(right, other.getLocalPort(), right.passwordFile(), "")), "the device speaks no TL1");
        }
    }

    @Test
    void aSwitchOfAnotherDialectIsOneLine() throws Exception {
        Tl1Device right = plant("ports: 16", "").device();
        leavesAloneAndSays(
                only(new Tl1Device(
                        right.id(),
                        right.host(),
                        right.port(),
                        right.user(),
                        right.passwordFile(),
                        AdapterConfig.Tl1Dialect.CALIENT,
                        "",
                        right.poll())),
                "the device does not know the commands of dialect calient (DENY ICNV");
    }

    @Test
    void aServerOfSshIsOneLine() throws Exception {
        Tl1Device right = plant("ports: 16", "").device();
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.startVirtualThread(() -> {
                while (!other.isClosed()) {
                    try (Socket client = other.accept()) {
                        client.getOutputStream().write("SSH-2.0-OpenSSH_9.6\r\n".getBytes(StandardCharsets.US_ASCII));
                        var unused = client.getInputStream().read();
                    } catch (IOException closing) {
                        // tried again, or over
                    }
                }
            });
            leavesAloneAndSays(
                    only(changed(right, other.getLocalPort(), right.passwordFile(), "")),
                    "the device speaks no TL1: it sent 'SSH-2.0-OpenSSH_9.6'");
        }
    }

    /** What somebody else connected stays, though this switch would let a new circuit take its place. */
    @Test
    void aCircuitOfOthersIsNotReplaced() throws Exception {
        Tl1Plant plant = plant("ports: 16", "replaces");
        ManagedChannel driver = driver(plant.adapter());
        awaitPresent(driver);
        try (Socket other = new Socket("127.0.0.1", plant.port())) {
            other.getOutputStream()
                    .write(("ACT-USER::admin:1::" + ManagedPlant.PASSWORD + ";ENT-PATCH::1,9:2:;")
                            .getBytes(StandardCharsets.US_ASCII));
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> plant.truth().equals(List.of("1->9")));
        }
        assertThatThrownBy(() -> CircuitServiceGrpc.newBlockingStub(driver)
                        .withDeadlineAfter(30, TimeUnit.SECONDS)
                        .applyCircuits(request("taken")
                                .addConnects(Requests.key("1->10"))
                                .build()))
                .hasMessageContaining("port '1' is used by 1->9");
        assertThat(plant.truth()).containsExactly("1->9");
    }

    @Test
    void aSwitchThatTakesOneSessionIsChangedByThatOne() throws Exception {
        Tl1Plant plant = plant("ports: 16", "one-session");
        ManagedChannel driver = driver(plant.adapter());
        awaitPresent(driver);
        Operation applied =
                apply(driver, request("one").addConnects(Requests.key("1->9")).build());
        assertThat(applied.getOutcome()).isEqualTo(Outcome.OUTCOME_APPLIED);
        assertThat(plant.truth()).containsExactly("1->9");
        assertThat(plant.moves()).isEqualTo(1);
        assertThat(log("no second session, it is not read while it moves: the device takes no user"))
                .hasSize(1);
    }

    @Test
    void aFabricWithoutChangesIsNotLoggedOut() throws Exception {
        outlastsIdleness(driver(plant("ports: 16", "logs-out").adapter()));
    }

    @Test
    void withoutMetersThereIsNoPower() throws Exception {
        ManagedChannel driver = driver(plant("ports: 16", "no-meters").adapter());
        awaitPresent(driver);
        Operation applied =
                apply(driver, request("dark").addConnects(Requests.key("1->9")).build());
        assertThat(applied.getOutcome()).isEqualTo(Outcome.OUTCOME_APPLIED);
    }

    /** The device lists a circuit when its mirrors stand still: what it does not show yet is not refused. */
    @Test
    void aChangeThatTheDeviceEndsAfterTheCutIsNotTakenForOneThatWasNeverMade() throws Exception {
        Tl1Plant plant = plant("ports: 16", "lists-when-done");
        try (CutProxy proxy = new CutProxy(plant.port());
                EmulatorFaults faults = new EmulatorFaults(
                        EmulatedPlant.channel(plant.emulatorPort()), ManagedPlant.DEVICE, SLOW_MILLIS)) {
            Tl1Device right = plant.device();
            ManagedChannel driver = driver(only(changed(right, proxy.port(), right.passwordFile(), "")));
            awaitPresent(driver);
            faults.inject(new Fault.SlowMoves(SLOWNESS * SLOW_MILLIS));
            ApplyCircuitsRequest request =
                    request("late").addConnects(Requests.key("1->9")).build();
            CompletableFuture<Operation> cut = CompletableFuture.supplyAsync(() -> apply(driver, request));
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> plant.moves() > 0);
            proxy.cut();
            assertThat(cut.get(60, TimeUnit.SECONDS).getOutcome()).isNotEqualTo(Outcome.OUTCOME_REJECTED);
            assertThat(settled(driver, "late")).isEqualTo(Outcome.OUTCOME_APPLIED);
            assertThat(plant.truth()).containsExactly("1->9");
        }
    }

    @Test
    void aSessionThatIsCutAnywhereInAChangeMovesNoCircuitTwice() throws Exception {
        Tl1Plant plant = plant("ports: 16", "blocks, terminal");
        try (CutProxy proxy = new CutProxy(plant.port())) {
            Tl1Device right = plant.device();
            movesNoCircuitTwice(
                    plant,
                    proxy,
                    driver(only(changed(right, proxy.port(), right.passwordFile(), ""))),
                    1500,
                    Set.of(List.of(), List.of("1->9"), List.of("1->9", "2->10")));
        }
    }
}
