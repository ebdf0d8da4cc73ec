package dev.lightpath.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.gnmi.proto.gNMIGrpc;
import dev.lightpath.driver.config.AdapterConfig;
import dev.lightpath.driver.config.AdapterConfig.GnmiDevice;
import dev.lightpath.driver.config.AdapterConfig.GnmiLogin;
import dev.lightpath.driver.config.AdapterConfig.GnmiTls;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** The gNMI adapter where a device does not let it in, or is another one. */
@Order(2)
final class GnmiLoginTest extends GnmiTrial {
    @Test
    void aWrongPasswordIsOneLine() throws Exception {
        GnmiDevice right = plant(8, "").device();
        Path wrong = Files.writeString(directory.resolve("wrong"), "s3cr3t-but-wrong");
        leavesAloneAndSays(
                GnmiPlant.only(changed(
                        right, portOf(right), Optional.of(new GnmiLogin("admin", wrong)), "", OptionalLong.empty())),
                "the device takes no user 'admin' with this password: UNAUTHENTICATED");
    }

    @Test
    void aPasswordThatCannotBeSentIsOneLine() throws Exception {
        GnmiDevice right = plant(8, "").device();
        Path wrong = Files.writeString(directory.resolve("wrong"), "s3cr3t\u00e4");
        leavesAloneAndSays(
                GnmiPlant.only(changed(
                        right, portOf(right), Optional.of(new GnmiLogin("admin", wrong)), "", OptionalLong.empty())),
                "cannot be sent by gNMI: allowed are 1 to 256 characters of ASCII");
    }

    @Test
    void aDeviceThatRepeatsThePasswordBringsItIntoNoLog() throws Exception {
        Metadata.Key<String> shown = Metadata.Key.of("password", Metadata.ASCII_STRING_MARSHALLER);
        Server device = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(new gNMIGrpc.gNMIImplBase() {})
                .intercept(new ServerInterceptor() {
                    @Override
                    public <Q, A> ServerCall.Listener<Q> interceptCall(
                            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
                        call.close(
                                Status.INTERNAL.withDescription("no database for admin/" + headers.get(shown)),
                                new Metadata());
                        return new ServerCall.Listener<>() {};
                    }
                })
                .build()
                .start();
        open.add(device::shutdownNow);
        Path right = Files.writeString(directory.resolve("right"), "s3cr3t-and-right");
        leavesAloneAndSays(
                GnmiPlant.only(changed(
                        plant(8, "").device(),
                        device.getPort(),
                        Optional.of(new GnmiLogin("admin", right)),
                        "",
                        OptionalLong.empty())),
                "INTERNAL: no database for admin/***");
    }

    @Test
    void theFinestLogDoesNotHaveThePasswordEither() throws Exception {
        String grpc = "io.grpc.netty.shaded.io.grpc.netty";
        Logger logger = Logger.getLogger(grpc);
        awaitPresent(driver(plant(8, "").adapter()));
        // other tests hear all logs meanwhile, and the server's has the password
        logger.setUseParentHandlers(false);
        logger.setLevel(Level.ALL);
        try (HeardLog client = new HeardLog(grpc + ".NettyClientHandler");
                HeardLog server = new HeardLog(grpc + ".NettyServerHandler")) {
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> !server.lines(ManagedPlant.PASSWORD).isEmpty());
            assertThat(client.lines(ManagedPlant.PASSWORD)).isEmpty();
        } finally {
            logger.setLevel(null);
            logger.setUseParentHandlers(true);
        }
    }

    @Test
    void aDeviceOfAnotherSizeIsOneLine() throws Exception {
        GnmiDevice right = plant(8, "").device();
        leavesAloneAndSays(
                GnmiPlant.only(changed(right, portOf(right), right.login(), "16x16", OptionalLong.empty())),
                "the device has size 8x8, but driver.yaml names size 16x16");
    }

    @Test
    void aPortOnWhichNobodyListensIsOneLine() throws Exception {
        GnmiDevice right = plant(8, "").device();
        int port = QuietPort.find();
        leavesAloneAndSays(
                GnmiPlant.only(at(right, port)), "UNAVAILABLE: cannot connect: Connection refused: /127.0.0.1:" + port);
    }

    @Test
    void aServerThatIsNoSwitchIsOneLine() throws Exception {
        GnmiDevice right = plant(8, "").device();
        try (ServerSocket none = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.startVirtualThread(() -> {
                while (!none.isClosed()) {
                    try (Socket client = none.accept()) {
                        client.getOutputStream().write(new byte[100_000]);
                    } catch (IOException closing) {
                        // tried again, or over
                    }
                }
            });
            leavesAloneAndSays(
                    GnmiPlant.only(at(right, none.getLocalPort())),
                    "INTERNAL: the device speaks no gRPC without TLS: it may want tls, or be no gRPC server");
        }
    }

    @Test
    void aCertificateOfAnotherAuthorityOrNameIsOneLine() throws Exception {
        Certificates ours = new Certificates(Files.createDirectories(directory.resolve("ours")));
        Certificates theirs = new Certificates(Files.createDirectories(directory.resolve("theirs")));
        ours.issue("switch", "dns:ocs-1.example");
        GnmiPlant plant = new GnmiPlant(
                directory,
                8,
                "",
                ", certificate: \"%s\", key: \"%s\"".formatted(ours.path("switch.crt"), ours.path("switch.key")));
        open.add(plant);
        leavesAloneAndSays(
                tls(plant.device(), theirs.path("ca.crt"), "ocs-1.example"),
                "io exception: Path does not chain with any of the trust anchors");
        closeDriver();
        leavesAloneAndSays(tls(plant.device(), ours.path("ca.crt"), "ocs-2.example"), "ocs-2.example");
        closeDriver();
        ManagedChannel driver = driver(tls(plant.device(), ours.path("ca.crt"), "ocs-1.example"));
        awaitPresent(driver);
        assertThat(operation(driver, request("tls").addConnects(Requests.key("1A->2B")))
                        .getOutcome())
                .isEqualTo(Outcome.OUTCOME_APPLIED);
    }

    @Test
    void aDeviceThatSpeaksNoTlsIsOneLine() throws Exception {
        Certificates ours = new Certificates(Files.createDirectories(directory.resolve("ours")));
        ours.issue("switch", "dns:ocs-1.example");
        leavesAloneAndSays(
                tls(plant(8, "").device(), ours.path("ca.crt"), "ocs-1.example"),
                "UNAVAILABLE: the device speaks no TLS, and driver.yaml has tls for it");
    }

    @Test
    void anExpiredCertificateIsOneLine() throws Exception {
        Certificates certificates = new Certificates(Files.createDirectories(directory.resolve("ca")));
        certificates.issueExpired("switch", "dns:ocs-1.example");
        GnmiPlant plant = new GnmiPlant(
                directory,
                8,
                "",
                ", certificate: \"%s\", key: \"%s\""
                        .formatted(certificates.path("switch.crt"), certificates.path("switch.key")));
        open.add(plant);
        leavesAloneAndSays(
                tls(plant.device(), certificates.path("ca.crt"), "ocs-1.example"),
                "the device's certificate has expired: NotAfter: ");
    }

    private static AdapterConfig tls(GnmiDevice of, Path ca, String name) {
        return new AdapterConfig.GnmiSonicOcs(
                Optional.of(new GnmiTls(ca, Optional.empty(), Optional.empty())),
                List.of(new GnmiDevice(
                        of.id(),
                        of.endpoint(),
                        of.login(),
                        Optional.of(name),
                        of.size(),
                        "",
                        of.electionId(),
                        of.poll())));
    }
}
