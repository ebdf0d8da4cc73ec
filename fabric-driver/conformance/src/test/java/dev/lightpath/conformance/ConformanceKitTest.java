package dev.lightpath.conformance;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.conformance.requirement.Requirement;
import dev.lightpath.proto.driver.v1alpha1.GetCapabilitiesRequest;
import dev.lightpath.proto.driver.v1alpha1.GetCapabilitiesResponse;
import dev.lightpath.proto.driver.v1alpha1.IdentityServiceGrpc;
import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;

final class ConformanceKitTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int kit(String... arguments) {
        return ConformanceKit.commandLine(new PrintWriter(out), new PrintWriter(err))
                .execute(arguments);
    }

    private void assertOneLine(String line, String... arguments) {
        assertThat(kit(arguments)).isEqualTo(2);
        assertThat(err.toString()).hasLineCount(1).contains(line);
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void namesWhatIsMissing() {
        assertOneLine("--endpoint is missing", "--device", "d");
    }

    @Test
    void namesTheDeviceThatIsMissing() {
        assertOneLine("--device is missing", "--endpoint", "localhost:9440");
    }

    @Test
    void refusesAnEndpointWithoutAPort() {
        assertOneLine("--endpoint: 'localhost' is not host:port", "--endpoint", "localhost", "--device", "d");
    }

    @Test
    void refusesAPortThatThereIsNot() {
        for (String port : new String[] {"94400", "0"}) {
            err.getBuffer().setLength(0);
            assertOneLine(
                    "--endpoint: 'localhost:" + port + "' has no port from 1 to 65535",
                    "--endpoint",
                    "localhost:" + port,
                    "--device",
                    "d");
        }
    }

    /** Its pages, for example, are the driver's too. */
    @Test
    void saysWhichPortIsTheDriversWhereSomethingElseListens() throws Exception {
        try (ServerSocket pages = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
            Thread.startVirtualThread(() -> answerAll(pages));
            assertOneLine(
                    "the driver cannot be used: what listens there speaks no gRPC without TLS; --endpoint is `listen`",
                    "--endpoint",
                    "127.0.0.1:" + pages.getLocalPort(),
                    "--device",
                    "d",
                    "--slow-client-seconds",
                    "0");
        }
    }

    private static void answerAll(ServerSocket pages) {
        while (!pages.isClosed()) {
            try (Socket client = pages.accept()) {
                client.getOutputStream()
                        .write("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".getBytes(US_ASCII));
                client.getOutputStream().flush();
                client.shutdownOutput();
                client.getInputStream().readAllBytes();
            } catch (IOException closing) {
                // one client less
            }
        }
    }

    /** As the program of a device does. */
    @Test
    void saysWhichPortIsTheDriversWhereAnotherServiceIsServed() throws Exception {
        Server other = Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
                .build()
                .start();
        try {
            assertOneLine(
                    "and not the address of the device's program",
                    "--endpoint",
                    "127.0.0.1:" + other.getPort(),
                    "--device",
                    "d",
                    "--slow-client-seconds",
                    "0");
        } finally {
            other.shutdownNow();
        }
    }

    /** Else the driver would be accused of each fault that nobody injected. */
    @Test
    void refusesAnEmulatorThatIsNone() throws Exception {
        Server driver = Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
                .addService(new IdentityServiceGrpc.IdentityServiceImplBase() {
                    @Override
                    public void getCapabilities(
                            GetCapabilitiesRequest request, StreamObserver<GetCapabilitiesResponse> observer) {
                        observer.onNext(GetCapabilitiesResponse.getDefaultInstance());
                        observer.onCompleted();
                    }
                })
                .build()
                .start();
        try {
            String address = "127.0.0.1:" + driver.getPort();
            assertOneLine(
                    "--emulator " + address + " cannot be used: UNIMPLEMENTED",
                    "--endpoint",
                    address,
                    "--device",
                    "d",
                    "--emulator",
                    address,
                    "--slow-client-seconds",
                    "0");
        } finally {
            driver.shutdownNow();
        }
    }

    @Test
    void refusesAFaultCommandThatCannotMend() {
        assertOneLine(
                "--fault-command cannot be used: --fault-command mend ended with 7",
                "--endpoint",
                "127.0.0.1:1",
                "--device",
                "d",
                "--fault-command",
                "exit 7;",
                "--slow-client-seconds",
                "0");
    }

    @Test
    void refusesAPatternThatMatchesNothing() {
        assertOneLine(
                "no requirement is named 'ports/twise'", "--endpoint", "h:1", "--device", "d", "--only", "ports/twise");
    }

    @Test
    void refusesToJudgeNothing() {
        assertOneLine(
                "leave no requirement", "--endpoint", "h:1", "--device", "d", "--only", "crash", "--skip", "crash/*");
    }

    @Test
    void refusesHalfACertificate() {
        assertOneLine(
                "--tls-certificate and --tls-key go together",
                "--endpoint",
                "h:1",
                "--device",
                "d",
                "--tls-key",
                "some.key");
    }

    @Test
    void refusesAnUnknownOption() {
        assertOneLine("--devise", "--devise", "d");
    }

    @Test
    void refusesTwoWaysToHurtTheDevice() {
        assertOneLine(
                "exclude each other",
                "--endpoint",
                "h:1",
                "--device",
                "d",
                "--emulator",
                "h:2",
                "--fault-command",
                "true");
    }

    @Test
    void refusesChangesThatCannotOverrunTheBuffer() {
        assertOneLine(
                "--slow-client-changes 12000 cannot overrun --watch-buffer 20000",
                "--endpoint",
                "h:1",
                "--device",
                "d",
                "--watch-buffer",
                "20000",
                "--slow-client-changes",
                "12000");
    }

    @Test
    void makesMoreChangesForALargerBuffer() {
        assertOneLine(
                "the driver cannot be used", "--endpoint", "127.0.0.1:1", "--device", "d", "--watch-buffer", "20000");
    }

    @Test
    void listsEveryRequirementWithItsSection() {
        assertThat(kit("--list")).isZero();
        for (Requirement requirement : Requirements.all()) {
            assertThat(out.toString()).contains(requirement.name(), "[" + requirement.section() + "]");
        }
    }

    @Test
    void everyRequirementHasANameOfItsOwn() {
        assertThat(Requirements.all())
                .extracting(Requirement::name)
                .doesNotHaveDuplicates()
                .allMatch(n -> n.matches("[a-z-]+/[a-z-]+"));
    }
}
