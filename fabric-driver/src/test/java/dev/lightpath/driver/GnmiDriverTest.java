package dev.lightpath.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.gnmi.proto.SetRequest;
import com.github.gnmi.proto.SubscribeRequest;
import com.github.gnmi.proto.SubscribeResponse;
import com.github.gnmi.proto.gNMIGrpc;
import com.google.protobuf.ByteString;
import dev.lightpath.driver.config.AdapterConfig;
import dev.lightpath.driver.config.AdapterConfig.GnmiDevice;
import dev.lightpath.driver.config.AdapterConfig.GnmiLogin;
import dev.lightpath.driver.config.AdapterConfig.GnmiTls;
import dev.lightpath.proto.driver.v1alpha1.Alarm;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.CircuitServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.DeviceSnapshot;
import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import dev.lightpath.proto.driver.v1alpha1.ItemResult;
import dev.lightpath.proto.driver.v1alpha1.ItemState;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.PortAdminState;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import dev.lightpath.proto.driver.v1alpha1.TelemetryServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.WatchRequest;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import gnmi_ext.GnmiExt.Extension;
import gnmi_ext.GnmiExt.MasterArbitration;
import gnmi_ext.GnmiExt.Uint128;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
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
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The gNMI adapter where the device, or the way to it, is not as it should be. */
@Order(2)
final class GnmiDriverTest extends ManagedTrial {
    private GnmiPlant plant(int side, String quirks) throws Exception {
        GnmiPlant plant = new GnmiPlant(directory, side, quirks);
        open.add(plant);
        return plant;
    }

    private static GnmiDevice changed(
            GnmiDevice of, int port, Optional<GnmiLogin> login, String size, OptionalLong electionId) {
        return new GnmiDevice(of.id(), "127.0.0.1:" + port, login, of.serverName(), size, "", electionId, of.poll());
    }

    private static GnmiDevice at(GnmiDevice of, int port) {
        return changed(of, port, of.login(), "", OptionalLong.empty());
    }

    private static GnmiDevice elected(GnmiDevice of, long number) {
        return changed(of, portOf(of), of.login(), "", OptionalLong.of(number));
    }

    private static Operation operation(ManagedChannel driver, ApplyCircuitsRequest.Builder request) {
        return apply(driver, request.build());
    }

    /** A client of its own, with user and password. */
    private gNMIGrpc.gNMIBlockingStub other(GnmiPlant plant) {
        return gNMIGrpc.newBlockingStub(channel(plant)).withDeadlineAfter(30, TimeUnit.SECONDS);
    }

    private Channel channel(GnmiPlant plant) {
        ManagedChannel channel = EmulatedPlant.channel(plant.port());
        open.add(channel::shutdownNow);
        Metadata shown = new Metadata();
        shown.put(Metadata.Key.of("username", Metadata.ASCII_STRING_MARSHALLER), "admin");
        shown.put(Metadata.Key.of("password", Metadata.ASCII_STRING_MARSHALLER), ManagedPlant.PASSWORD);
        return ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(shown));
    }

    @Test
    void aShutterStopsTheLightAndTheCircuitStays() throws Exception {
        GnmiPlant plant = plant(8, "");
        ManagedChannel driver = driver(plant.adapter());
        awaitPresent(driver);
        closesAndOpens(plant, driver, "1A", "2B");
    }

    @Test
    void aWrongPasswordIsOneLine() throws Exception {
        GnmiDevice right = plant(8, "").device();
        Path wrong = Files.writeString(directory.resolve("wrong"), "s3cr3t-but-wrong");
        leavesAloneAndSays(
                GnmiPlant.only(changed(
                        right, portOf(right), Optional.of(new GnmiLogin("admin", wrong)), "", OptionalLong.empty())),
                "the device takes no user 'admin' with this password: UNAUTHENTICATED");
    }

    private static int portOf(GnmiDevice device) {
        return Integer.parseInt(device.endpoint().substring(device.endpoint().lastIndexOf(':') + 1));
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

    @Test
    void manyCircuitsAreOneSet() throws Exception {
        GnmiPlant plant = plant(64, "");
        ManagedChannel driver = driver(plant.adapter());
        awaitPresent(driver);
        ApplyCircuitsRequest.Builder many = request("many");
        for (int i = 1; i <= 64; i++) {
            many.addConnects(Requests.key(i + "A->" + i + "B"));
        }
        assertThat(operation(driver, many).getOutcome()).isEqualTo(Outcome.OUTCOME_APPLIED);
        assertThat(plant.truth()).hasSize(64);
        assertThat(plant.front().sets()).isEqualTo(1);
    }

    /** What somebody else connected stays, though this switch would let a new circuit take its place. */
    @Test
    void aCircuitOfOthersIsNotReplaced() throws Exception {
        GnmiPlant plant = plant(8, "replaces");
        ManagedChannel driver = driver(plant.adapter());
        awaitPresent(driver);
        var unused = other(plant).set(GnmiSets.connect("1A", "1B"));
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> plant.truth().equals(List.of("1A->1B")));
        assertThatThrownBy(() -> CircuitServiceGrpc.newBlockingStub(driver)
                        .withDeadlineAfter(30, TimeUnit.SECONDS)
                        .applyCircuits(request("taken")
                                .addConnects(Requests.key("1A->2B"))
                                .build()))
                .hasMessageContaining("port '1A' is used by 1A->1B");
        assertThat(plant.truth()).containsExactly("1A->1B");
    }

    @Test
    void ofABatchThatTheDeviceMakesByHalfTheOtherHalfHasFailed() throws Exception {
        GnmiPlant plant = plant(8, "accepts-half");
        ManagedChannel driver = driver(plant.adapter());
        awaitPresent(driver);
        Operation half = operation(
                driver, request("half").addConnects(Requests.key("1A->1B")).addConnects(Requests.key("2A->2B")));
        assertThat(half.getOutcome()).isEqualTo(Outcome.OUTCOME_PARTIAL);
        assertThat(half.getItemsList())
                .extracting(ItemResult::getState)
                .containsExactly(ItemState.ITEM_STATE_CONNECTED, ItemState.ITEM_STATE_FAILED);
        assertThat(half.getItems(1).getReason()).isEqualTo(ItemReason.ITEM_REASON_READ_BACK_DIFFERS);
        assertThat(plant.truth()).containsExactly("1A->1B");
    }

    @Test
    void whatTheDeviceMadeInSpiteOfItsRefusalIsNotMadeAgain() throws Exception {
        GnmiPlant plant = plant(8, "refuses-half");
        ManagedChannel driver = driver(plant.adapter());
        awaitPresent(driver);
        long before = plant.moves();
        assertThat(operation(
                                driver,
                                request("spite")
                                        .addConnects(Requests.key("1A->1B"))
                                        .addConnects(Requests.key("2A->2B")))
                        .getOutcome())
                .isEqualTo(Outcome.OUTCOME_APPLIED);
        assertThat(plant.truth()).containsExactly("1A->1B", "2A->2B");
        assertThat(plant.moves() - before).isEqualTo(2);
    }

    @Test
    void acceptedIsNotTuned() throws Exception {
        GnmiPlant plant = plant(8, "never-tunes");
        ManagedChannel driver = driver(plant.adapter());
        awaitPresent(driver);
        Operation accepted = operation(driver, request("never").addConnects(Requests.key("1A->1B")));
        assertThat(accepted.getOutcome()).isNotEqualTo(Outcome.OUTCOME_APPLIED);
        assertThat(accepted.getItems(0).getState()).isEqualTo(ItemState.ITEM_STATE_TUNING);
        assertThat(accepted.getItems(0).getReason()).isEqualTo(ItemReason.ITEM_REASON_NOT_SETTLED);
        assertThat(operation(driver, request("gone").addDisconnects(Requests.key("1A->1B")))
                        .getOutcome())
                .isEqualTo(Outcome.OUTCOME_APPLIED);
    }

    @Test
    void aMasterWithAHigherNumberIsToldAndChangesAreRefused() throws Exception {
        GnmiPlant plant = plant(8, "");
        var unused = other(plant)
                .set(SetRequest.newBuilder()
                        .addExtension(Extension.newBuilder()
                                .setMasterArbitration(MasterArbitration.newBuilder()
                                        .setElectionId(Uint128.newBuilder().setLow(9))))
                        .build());
        GnmiDevice device = plant.device();
        ManagedChannel driver = driver(GnmiPlant.only(elected(device, 5)));
        awaitPresent(driver);
        String line = "the device has a master with a higher number than electionId 5";
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> !log(line).isEmpty());
        assertThat(log(line)).hasSize(1);
        Operation refused = operation(driver, request("late").addConnects(Requests.key("1A->1B")));
        assertThat(refused.getOutcome()).isEqualTo(Outcome.OUTCOME_REJECTED);
        assertThat(refused.getItems(0).getNativeText()).contains("election id 9 is the master's");
        assertThat(plant.truth()).isEmpty();
        closeDriver();
        ManagedChannel master = driver(GnmiPlant.only(elected(device, 10)));
        awaitPresent(master);
        assertThat(operation(master, request("now").addConnects(Requests.key("1A->1B")))
                        .getOutcome())
                .isEqualTo(Outcome.OUTCOME_APPLIED);
    }

    @Test
    void aDeviceWithoutArbitrationIsOneLineIfItIsAskedFor() throws Exception {
        GnmiPlant plant = plant(8, "no-arbitration");
        leavesAloneAndSays(
                GnmiPlant.only(elected(plant.device(), 5)),
                "the device takes no master arbitration, leave out `electionId` in driver.yaml: UNIMPLEMENTED");
    }

    @Test
    void aDeviceThatEndsTheSessionAtSeveralPathsIsAskedForOneAfterTheOther() throws Exception {
        GnmiPlant plant = plant(8, "ends-at-several");
        ManagedChannel driver = driver(plant.adapter());
        awaitPresent(driver);
        assertThat(operation(driver, request("single").addConnects(Requests.key("1A->1B")))
                        .getOutcome())
                .isEqualTo(Outcome.OUTCOME_APPLIED);
        assertThat(plant.truth()).containsExactly("1A->1B");
    }

    @Test
    void withoutAStreamTheDeviceIsAsked() throws Exception {
        GnmiPlant plant = plant(8, "one-stream");
        CountDownLatch taken = new CountDownLatch(1);
        StreamObserver<SubscribeRequest> held = gNMIGrpc.newStub(channel(plant)).subscribe(new StreamObserver<>() {
            @Override
            public void onNext(SubscribeResponse message) {
                taken.countDown();
            }

            @Override
            public void onError(Throwable over) {}

            @Override
            public void onCompleted() {}
        });
        held.onNext(SubscribeRequest.getDefaultInstance());
        assertThat(taken.await(30, TimeUnit.SECONDS)).isTrue();
        ManagedChannel driver = driver(plant.adapter());
        awaitPresent(driver);
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> !log("no notifications, asking every 1000 ms: RESOURCE_EXHAUSTED: there is another stream")
                        .isEmpty());
        assertThat(operation(driver, request("asked").addConnects(Requests.key("1A->1B")))
                        .getOutcome())
                .isEqualTo(Outcome.OUTCOME_APPLIED);
    }

    @Test
    void aStreamThatEndsAfterEachMessageChangesNothing() throws Exception {
        GnmiPlant plant = plant(8, "short-streams");
        ManagedChannel driver = driver(plant.adapter());
        awaitPresent(driver);
        assertThat(operation(driver, request("short").addConnects(Requests.key("1A->1B")))
                        .getOutcome())
                .isEqualTo(Outcome.OUTCOME_APPLIED);
        String line = "no notifications, asking every 1000 ms: the device ended the stream";
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> !log(line).isEmpty());
        assertThat(log(line)).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            sonic-ocs-states:sonic-ocs-states/OCS_PORT          | {"OCS_PORT_LIST":[{"simplex_port_id":"1A",        | the device's JSON cannot be read
            sonic-ocs-states:sonic-ocs-states/OCS_PORT          | {"OCS_PORT_LIST":[{"simplex_port_id":"Ethernet0"}]} | the table of ports names port 'Ethernet0', where a name such as 1A or 2-64B is expected
            sonic-ocs-states:sonic-ocs-states/OCS_PORT          | {"OCS_PORT_LIST":[{"simplex_port_id":"1A"}]}      | the device has size 1x0, where ports on both sides are expected
            sonic-ocs-states:sonic-ocs-states/OCS_PORT          | {}                                                | the device's tables of ports are empty or unknown
            """)
    void anAnswerThatCannotBeUsedIsOneLine(String path, String json, String line) throws Exception {
        try (ScriptedGnmi device = new ScriptedGnmi()) {
            device.says(path, json);
            leavesAloneAndSays(GnmiPlant.only(scripted(device)), line);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            sonic-ocs-states:sonic-ocs-states/OCS_CROSS_CONNECT | {"OCS_CROSS_CONNECT_LIST":[{"a_side":"1A","b_side":"7B"}]} | a cross-connect names port '7B', which is none of the 2 ports of the device
            sonic-ocs:sonic-ocs/OCS_CROSS_CONNECT               | {"OCS_CROSS_CONNECT_LIST":[17]}                   | an entry of OCS_CROSS_CONNECT_LIST is no JSON object
            """)
    void aTableOfCircuitsThatCannotBeUsedIsOneLineAndTheDeviceIsSilent(String path, String json, String line)
            throws Exception {
        try (ScriptedGnmi device = new ScriptedGnmi()) {
            device.says(path, json);
            var unused = driver(GnmiPlant.only(scripted(device)));
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> !log("device=ocs-1 " + line).isEmpty());
        }
    }

    private static GnmiDevice scripted(ScriptedGnmi device) {
        return scripted(device, "");
    }

    private static GnmiDevice scripted(ScriptedGnmi device, String yangRevision) {
        return new GnmiDevice(
                ManagedPlant.DEVICE,
                "127.0.0.1:" + device.port(),
                Optional.empty(),
                Optional.empty(),
                "",
                yangRevision,
                OptionalLong.empty(),
                Duration.ofSeconds(1));
    }

    @Test
    void aRevisionThatNobodyKnowsIsOneLineUnlessItIsNamed() throws Exception {
        try (ScriptedGnmi device = new ScriptedGnmi()) {
            for (String module : List.of("sonic-ocs", "sonic-ocs-states")) {
                device.has(module, "2031-01-01");
                leavesAloneAndSays(
                        GnmiPlant.only(scripted(device)),
                        "revision 2031-01-01 of module " + module + " is unknown, so the device is neither read nor"
                                + " changed; allowed are those up to 2024-11-21, and the one that `yangRevision`");
                closeDriver();
                device.has(module, "2024-11-20");
            }
            device.has("openconfig-platform", "2031-01-01");
            awaitPresent(driver(GnmiPlant.only(scripted(device))));
            closeDriver();
            device.has("sonic-ocs", "2031-01-01");
            awaitPresent(driver(GnmiPlant.only(scripted(device, "2031-01-01"))));
        }
    }

    @Test
    void aVersionThatIsNoRevisionIsToldOnceAndTheDeviceIsUsed() throws Exception {
        try (ScriptedGnmi device = new ScriptedGnmi()) {
            device.has("sonic-ocs", "1.0.2");
            awaitPresent(driver(GnmiPlant.only(scripted(device))));
            assertThat(log("module sonic-ocs has version '1.0.2', which is no revision of YANG: it is used like"
                            + " 2024-11-21, the newest known one"))
                    .hasSize(1);
        }
    }

    @Test
    void anAnswerThatIsTooLargeOrTooDeepIsOneLine() throws Exception {
        try (ScriptedGnmi device = new ScriptedGnmi()) {
            device.says(ScriptedGnmi.PORTS, "{\"a\":".repeat(100_000));
            leavesAloneAndSays(GnmiPlant.only(scripted(device)), "the device's JSON cannot be read");
            closeDriver();
            device.says(ScriptedGnmi.PORTS, ByteString.copyFrom(new byte[65 << 20]));
            leavesAloneAndSays(GnmiPlant.only(scripted(device)), "gRPC message exceeds maximum size");
        }
    }

    /** Its database starts again while it answers: that is no loss of every circuit. */
    @Test
    void tablesThatAreEmptyForAWhileAreSilenceAndNotADarkSwitch() throws Exception {
        try (ScriptedGnmi device = new ScriptedGnmi()) {
            device.says(ScriptedGnmi.CIRCUITS, """
                    {"OCS_CROSS_CONNECT_LIST":[{"a_side":"1A","b_side":"1B","a_side_status":"tuned","b_side_status":"tuned"}]}
                    """);
            ManagedChannel driver = driver(GnmiPlant.only(scripted(device)));
            awaitPresent(driver);
            device.says(ScriptedGnmi.PORTS, "{}");
            device.says(ScriptedGnmi.CIRCUITS, "{}");
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> !log("the device's tables of ports are empty").isEmpty());
            assertThat(shown(driver)).isEqualTo(1);
        }
    }

    /** Circuits that the driver shows, whether or not the device answers. */
    private static int shown(ManagedChannel driver) {
        return TelemetryServiceGrpc.newBlockingStub(driver)
                .withDeadlineAfter(30, TimeUnit.SECONDS)
                .watch(WatchRequest.getDefaultInstance())
                .next()
                .getSnapshot()
                .getCircuitsCount();
    }

    @Test
    void aTableWithoutEndIsOneLine() throws Exception {
        try (ScriptedGnmi device = new ScriptedGnmi()) {
            StringBuilder rows = new StringBuilder();
            for (int port = 0; port < 70_000; port++) {
                rows.append(port == 0 ? "" : ",")
                        .append("{\"simplex_port_id\":\"")
                        .append(port)
                        .append("A\"}");
            }
            device.says(ScriptedGnmi.PORTS, "{\"OCS_PORT_LIST\":[" + rows + "]}");
            leavesAloneAndSays(GnmiPlant.only(scripted(device)), "a table of the device has more than 65535 rows");
        }
    }

    @Test
    void aStatusThatNobodyKnowsIsAnAlarm() throws Exception {
        try (ScriptedGnmi device = new ScriptedGnmi()) {
            device.says(ScriptedGnmi.PORTS, """
                    {"OCS_PORT_LIST":[{"simplex_port_id":"1A","status":"melting"},{"simplex_port_id":"1B","status":"failed"}]}
                    """);
            device.says(ScriptedGnmi.CIRCUITS, """
                    {"OCS_CROSS_CONNECT_LIST":[{"a_side":"1A","b_side":"1B","a_side_status":"melting","b_side_status":"tuned"}]}
                    """);
            ManagedChannel driver = driver(GnmiPlant.only(scripted(device)));
            awaitPresent(driver);
            assertThat(alarms(driver))
                    .extracting(alarm -> alarm.getWhere() + " " + alarm.getKind() + " " + alarm.getNativeText())
                    .contains(
                            "1A ALARM_KIND_DEGRADED status 'melting' is unknown",
                            "1B ALARM_KIND_PORT_FAILED status failed");
        }
    }

    /** As the module sonic-ocs of sonic-molex has it: tables of states in the same module, with words of their own. */
    @Test
    void statesInTheTablesOfTheBranchOfMolexAreRead() throws Exception {
        try (ScriptedGnmi device = new ScriptedGnmi()) {
            device.knowsNot(ScriptedGnmi.PORTS);
            device.knowsNot(ScriptedGnmi.CIRCUITS);
            device.says(ScriptedGnmi.CONFIG_PORTS, """
                    {"sonic-ocs:OCS_PORT":{"OCS_PORT_LIST":[
                      {"simplex_port_id":"1A","config_status":"normal"},{"simplex_port_id":"1B","config_status":"normal"},
                      {"simplex_port_id":"2A","config_status":"powered_off"},{"simplex_port_id":"2B"},
                      {"simplex_port_id":"3A"},{"simplex_port_id":"3B"}]}}
                    """);
            device.says(ScriptedGnmi.CONFIG_PORTS + "_TABLE", """
                    {"sonic-ocs:OCS_PORT_TABLE":{"OCS_PORT_LIST":[
                      {"simplex_port_id":"1A","oper_status":"connected"},{"simplex_port_id":"1B","oper_status":"connected"},
                      {"simplex_port_id":"2A","oper_status":"powered_off"},{"simplex_port_id":"2B","oper_status":"blocked"},
                      {"simplex_port_id":"3A","oper_status":"failed"},{"simplex_port_id":"3B","oper_status":"tuning"}]}}
                    """);
            device.says(ScriptedGnmi.CONFIG_CIRCUITS, """
                    {"sonic-ocs:OCS_CROSS_CONNECT":{"OCS_CROSS_CONNECT_LIST":[
                      {"cross_connect_id":"1A-1B","a_side":"1A","b_side":"1B"},
                      {"cross_connect_id":"2A-2B","a_side":"2A","b_side":"2B"},
                      {"cross_connect_id":"3A-3B","a_side":"3A","b_side":"3B"}]}}
                    """);
            device.says(ScriptedGnmi.CONFIG_CIRCUITS + "_TABLE", """
                    {"sonic-ocs:OCS_CROSS_CONNECT_TABLE":{"OCS_CROSS_CONNECT_LIST":[
                      {"cross_connect_id":"1A-1B","status":"enabled","insertion_loss_dB":"1.62"},
                      {"cross_connect_id":"2A-2B","status":"disabled"},
                      {"cross_connect_id":"3A-3B","status":"invalid"}]}}
                    """);
            ManagedChannel driver = driver(GnmiPlant.only(scripted(device)));
            awaitPresent(driver);
            DeviceSnapshot shown = snapshot(driver);
            assertThat(shown.getCircuitsList())
                    .extracting(circuit -> circuit.getKey().getIngress() + " " + circuit.getState() + " "
                            + circuit.getMeasuredLossDb())
                    .containsExactly(
                            "1A CIRCUIT_STATE_CONNECTED 1.62",
                            "2A CIRCUIT_STATE_TUNING 0.0",
                            "3A CIRCUIT_STATE_FAILED 0.0");
            assertThat(shown.getPortsList())
                    .filteredOn(port -> port.getAdminState() == PortAdminState.PORT_ADMIN_STATE_OUT_OF_SERVICE)
                    .extracting(PortStatus::getPort)
                    .containsExactly("2A");
            assertThat(shown.getAlarmsList())
                    .extracting(alarm -> alarm.getWhere() + " " + alarm.getKind())
                    .containsExactly("3A ALARM_KIND_PORT_FAILED");
        }
    }

    private static List<Alarm> alarms(ManagedChannel driver) {
        try (Watching watching =
                Watching.start(TelemetryServiceGrpc.newStub(driver), WatchRequest.getDefaultInstance())) {
            watching.await(WatchResponse.EventCase.SNAPSHOT);
            return watching.messages().stream()
                    .filter(WatchResponse::hasSnapshot)
                    .flatMap(message -> message.getSnapshot().getAlarmsList().stream())
                    .toList();
        }
    }

    @Test
    void aSessionThatIsCutAnywhereInAChangeMovesNoCircuitTwice() throws Exception {
        GnmiPlant plant = plant(8, "");
        try (CutProxy proxy = new CutProxy(plant.port())) {
            movesNoCircuitTwice(
                    plant,
                    proxy,
                    driver(GnmiPlant.only(at(plant.device(), proxy.port()))),
                    4000,
                    Set.of(List.of(), List.of("1A->1B", "2A->2B")));
        }
    }
}
