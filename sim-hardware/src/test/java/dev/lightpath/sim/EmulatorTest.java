package dev.lightpath.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.util.JsonFormat;
import dev.lightpath.proto.emulator.v1alpha1.AdvanceClockRequest;
import dev.lightpath.proto.emulator.v1alpha1.ChaosServiceGrpc;
import dev.lightpath.proto.emulator.v1alpha1.ChaosServiceGrpc.ChaosServiceBlockingStub;
import dev.lightpath.proto.emulator.v1alpha1.ClearFaultsRequest;
import dev.lightpath.proto.emulator.v1alpha1.ConnectionState;
import dev.lightpath.proto.emulator.v1alpha1.DeviceServiceGrpc;
import dev.lightpath.proto.emulator.v1alpha1.DeviceServiceGrpc.DeviceServiceBlockingStub;
import dev.lightpath.proto.emulator.v1alpha1.FaultKind;
import dev.lightpath.proto.emulator.v1alpha1.GetConnectionsRequest;
import dev.lightpath.proto.emulator.v1alpha1.GetDeviceRequest;
import dev.lightpath.proto.emulator.v1alpha1.GetDeviceResponse;
import dev.lightpath.proto.emulator.v1alpha1.GetEventLogRequest;
import dev.lightpath.proto.emulator.v1alpha1.GetGroundTruthRequest;
import dev.lightpath.proto.emulator.v1alpha1.GetGroundTruthResponse;
import dev.lightpath.proto.emulator.v1alpha1.GetPortsRequest;
import dev.lightpath.proto.emulator.v1alpha1.InjectFaultRequest;
import dev.lightpath.proto.emulator.v1alpha1.LightChange;
import dev.lightpath.proto.emulator.v1alpha1.ListDevicesRequest;
import dev.lightpath.proto.emulator.v1alpha1.ListDevicesResponse;
import dev.lightpath.proto.emulator.v1alpha1.ListFactoryLossRequest;
import dev.lightpath.proto.emulator.v1alpha1.LoadScenarioRequest;
import dev.lightpath.proto.emulator.v1alpha1.MoveError;
import dev.lightpath.proto.emulator.v1alpha1.PortPair;
import dev.lightpath.proto.emulator.v1alpha1.PortReading;
import dev.lightpath.proto.emulator.v1alpha1.ReplyWhen;
import dev.lightpath.proto.emulator.v1alpha1.SetConnectionsRequest;
import dev.lightpath.proto.emulator.v1alpha1.SetConnectionsResponse;
import dev.lightpath.proto.emulator.v1alpha1.SnapshotRequest;
import dev.lightpath.proto.emulator.v1alpha1.WatchRequest;
import dev.lightpath.proto.emulator.v1alpha1.WatchResponse;
import dev.lightpath.proto.emulator.v1alpha1.WatchResponse.MessageCase;
import dev.lightpath.sim.scenario.Scenario;
import dev.lightpath.sim.scenario.ScenarioException;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EmulatorTest {
    private static final String YAML = """
            listen: 127.0.0.1:0
            http: 127.0.0.1:0
            seed: 5
            clock: virtual
            ring: {nodes: 8, reach: 3}
            devices:
              - {id: ocs-3, kind: switch, ports: 8, twoSided: true, rack: r1}
            """;

    private Emulator emulator;
    private ManagedChannel channel;
    private DeviceServiceBlockingStub devices;
    private ChaosServiceBlockingStub chaos;

    @BeforeEach
    void start() {
        emulator = Emulator.start(Scenario.parse("test.yaml", YAML));
        channel = NettyChannelBuilder.forAddress("127.0.0.1", emulator.port())
                .usePlaintext()
                .build();
        devices = DeviceServiceGrpc.newBlockingStub(channel);
        chaos = ChaosServiceGrpc.newBlockingStub(channel);
    }

    @AfterEach
    void stop() {
        channel.shutdownNow();
        emulator.close();
    }

    @Test
    void listsDevicesPageByPage() {
        List<String> ids = new ArrayList<>();
        String token = "";
        do {
            ListDevicesResponse page = devices.listDevices(ListDevicesRequest.newBuilder()
                    .setPageSize(4)
                    .setPageToken(token)
                    .build());
            page.getDevicesList().forEach(device -> ids.add(device.getDeviceId()));
            token = page.getNextPageToken();
        } while (!token.isEmpty());
        assertThat(ids).containsExactly("n0", "n1", "n2", "n3", "n4", "n5", "n6", "n7", "ocs-3");
    }

    @Test
    void describesADeviceAsItsChassisShowsIt() {
        GetDeviceResponse node = device("n0");
        assertThat(node.getModulesList()).hasSize(3);
        assertThat(node.getPortsList()).hasSize(12);
        assertThat(node.getPorts(2).getName()).isEqualTo("b0.path1");
        assertThat(node.getPorts(2).getFarEndLabel()).isEqualTo("n7/b1.path1");
        assertThat(node.getAbilities().getTypicalSwitchTime().getNanos()).isEqualTo(70_000);
        assertThat(device("ocs-3").getDevice().getRack()).isEqualTo("r1");
        assertThat(devices.listFactoryLoss(ListFactoryLossRequest.newBuilder()
                                .setDeviceId("ocs-3")
                                .setPageSize(10)
                                .setPageToken("10")
                                .build())
                        .getEntriesList())
                .hasSize(6)
                .allSatisfy(loss -> assertThat(loss.getLossDb()).isBetween(1.0, 3.5));
    }

    @Test
    void movesLightAndTellsTheTruthAboutIt() throws Exception {
        SetConnectionsResponse accepted = devices.setConnections(connect("ocs-3", "1", "5"));
        assertThat(accepted.getConnects(0).getState()).isEqualTo(ConnectionState.CONNECTION_STATE_TUNING);
        assertThat(truth("ocs-3").getDevices(0).getCircuitsList()).isEmpty();
        advance(100);
        assertThat(truth("ocs-3").getDevices(0).getCircuits(0).getEgress()).isEqualTo("5");
        assertThat(devices.setConnections(connect("ocs-3", "2", "5"))
                        .getConnects(0)
                        .getError())
                .isEqualTo(MoveError.MOVE_ERROR_PORT_IN_USE);
        assertThat(chaos.getEventLog(GetEventLogRequest.newBuilder()
                                .addDeviceIds("ocs-3")
                                .build())
                        .getEventsList())
                .singleElement()
                .satisfies(event -> assertThat(event.getChange()).isEqualTo(LightChange.LIGHT_CHANGE_LIT));
        String web = get("/ground-truth").body();
        GetGroundTruthResponse.Builder same = GetGroundTruthResponse.newBuilder();
        JsonFormat.parser().merge(web, same);
        assertThat(same.build()).isEqualTo(chaos.getGroundTruth(GetGroundTruthRequest.getDefaultInstance()));
        assertThat(web).contains("{\"deviceId\":\"ocs-3\",\"circuits\":[{\"ingress\":\"1\",\"egress\":\"5\"}]}");
    }

    @Test
    void aConnectorTellsWhatItThrowsBack() {
        PortReading before = reading("n0", "b0.path1");
        assertThat(before.getReturnLossDb()).isBetween(38.0, 54.0);
        assertThat(reading("n0", "b0.common").hasReturnLossDb()).isFalse();
        inject(InjectFaultRequest.newBuilder()
                .setDeviceId("n0")
                .setPath("b0.path1")
                .setKind(FaultKind.FAULT_KIND_FIBRE_CUT));
        assertThat(reading("n0", "b0.path1").getReturnLossDb()).isEqualTo(14.7);
    }

    private PortReading reading(String device, String port) {
        return devices.getPorts(GetPortsRequest.newBuilder().setDeviceId(device).build()).getPortsList().stream()
                .filter(each -> each.getPort().equals(port))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void answersByHttp() throws Exception {
        assertThat(get("/health").statusCode()).isEqualTo(200);
        assertThat(get("/metrics").body()).contains("lightpath_emulator_circuits_lit 24.0");
        assertThat(get("/nothing").statusCode()).isEqualTo(404);
    }

    @Test
    void requestsThatNeverEndHoldUpNoOther() throws Exception {
        List<Socket> halves = new ArrayList<>();
        try {
            for (int i = 0; i < 8; i++) {
                Socket half = new Socket("127.0.0.1", emulator.httpPort());
                halves.add(half);
                half.getOutputStream().write("GET /health HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII));
            }
            assertThat(get("/health").statusCode()).isEqualTo(200);
        } finally {
            for (Socket half : halves) {
                half.close();
            }
        }
    }

    @Test
    void watchesSnapshotsThenSyncedThenEvents() {
        Recorder recorder = watch(WatchRequest.getDefaultInstance(), 1000);
        await().atMost(Duration.ofSeconds(60)).until(() -> recorder.count(MessageCase.SYNCED) == 1);
        assertThat(recorder.count(MessageCase.SNAPSHOT)).isEqualTo(9);
        devices.setConnections(connect("n0", "b0.common", "b0.path1"));
        advance(50);
        await().atMost(Duration.ofSeconds(60))
                .until(() -> recorder.messages.stream()
                        .anyMatch(message -> message.getEvent()
                                .getPort()
                                .getLockState()
                                .name()
                                .equals("LOCK_STATE_LOSS_OF_SIGNAL")));
        List<Long> seqs = recorder.messages.stream()
                .filter(message -> message.getEvent().getDeviceId().equals("n0"))
                .map(message -> message.getEvent().getSeq())
                .toList();
        for (int i = 0; i < seqs.size(); i++) {
            assertThat(seqs.get(i)).isEqualTo(i + 1L);
        }
        for (int i = 0; i < recorder.messages.size(); i++) {
            assertThat(recorder.messages.get(i).getStreamSeq()).isEqualTo(i + 1L);
        }
    }

    @Test
    void aSlowReaderGetsSnapshotsInPlaceOfWhatItMissed() {
        Recorder recorder = watch(WatchRequest.newBuilder().addDeviceIds("n0").build(), 0);
        SetConnectionsRequest.Builder busy =
                SetConnectionsRequest.newBuilder().setDeviceId("n0").setReplyWhen(ReplyWhen.REPLY_WHEN_ACCEPTED);
        for (int move = 0; move < 32; move++) {
            busy.addConnects(PortPair.newBuilder().setIngress("b0.common").setEgress("b0.path1"));
            busy.addConnects(PortPair.newBuilder().setIngress("b0.common").setEgress("b0.path2"));
        }
        for (int round = 0; round < 200; round++) {
            devices.setConnections(busy.build());
        }
        advance(100);
        recorder.request(100_000);
        await().atMost(Duration.ofSeconds(60))
                .until(() -> recorder.last().getDropped() > 0 && recorder.last().hasSynced());
        List<WatchResponse> snapshots =
                recorder.messages.stream().filter(WatchResponse::hasSnapshot).toList();
        assertThat(snapshots.getLast().getSnapshot().getConnectionsList())
                .hasSize(3)
                .allSatisfy(connection ->
                        assertThat(connection.getState()).isEqualTo(ConnectionState.CONNECTION_STATE_TUNED));
    }

    @Test
    void aDeviceWithoutPowerIsUnavailableAndComesBackAsAnotherRun() {
        String boot = device("n0").getBootId();
        Recorder recorder = watch(WatchRequest.newBuilder().addDeviceIds("n0").build(), 1000);
        await().atMost(Duration.ofSeconds(60)).until(() -> recorder.count(MessageCase.SYNCED) == 1);
        inject(InjectFaultRequest.newBuilder()
                .setDeviceId("n0")
                .setKind(FaultKind.FAULT_KIND_POWER_LOSS)
                .setDurationMillis(500));
        assertFails(Status.Code.UNAVAILABLE, () -> device("n0"));
        assertThat(chaos.snapshot(SnapshotRequest.getDefaultInstance()).getUnpoweredDevices())
                .isEqualTo(1);
        await().atMost(Duration.ofSeconds(60))
                .until(() -> recorder.last().getEvent().hasSilent());
        advance(501);
        assertThat(device("n0").getBootId()).isNotEqualTo(boot);
        assertThat(device("n0").getPowerCycles()).isEqualTo(1);
        await().atMost(Duration.ofSeconds(60)).until(() -> recorder.count(MessageCase.SYNCED) == 2);
        assertThat(recorder.messages.stream()
                        .filter(WatchResponse::hasSnapshot)
                        .toList()
                        .getLast()
                        .getSnapshot()
                        .getBootId())
                .isNotEqualTo(boot);
    }

    @Test
    void callsFailAsTheFaultSays() {
        inject(InjectFaultRequest.newBuilder().setDeviceId("n0").setKind(FaultKind.FAULT_KIND_CALL_REFUSED));
        assertFails(Status.Code.UNAVAILABLE, () -> device("n0"));
        assertThat(device("n1").getDevice().getDeviceId()).isEqualTo("n1");
        clear();
        inject(InjectFaultRequest.newBuilder().setKind(FaultKind.FAULT_KIND_CALL_HALF_OPEN));
        assertFails(
                Status.Code.DEADLINE_EXCEEDED,
                () -> impatient().setConnections(connect("n0", "b0.common", "b0.path1")));
        clear();
        assertThat(truth("n0").getDevices(0).getCircuits(0).getEgress()).isEqualTo("b0.loop");
        inject(InjectFaultRequest.newBuilder().setKind(FaultKind.FAULT_KIND_CALL_DROP));
        assertFails(
                Status.Code.DEADLINE_EXCEEDED,
                () -> impatient().setConnections(connect("n0", "b0.common", "b0.path1")));
        clear();
        advance(1);
        assertThat(truth("n0").getDevices(0).getCircuits(0).getEgress()).isEqualTo("b0.path1");
        inject(InjectFaultRequest.newBuilder()
                .setKind(FaultKind.FAULT_KIND_CALL_DELAY)
                .setValue(4000));
        assertFails(
                Status.Code.DEADLINE_EXCEEDED,
                () -> impatient()
                        .getPorts(GetPortsRequest.newBuilder().setDeviceId("n0").build()));
        clear();
        inject(InjectFaultRequest.newBuilder().setKind(FaultKind.FAULT_KIND_CALL_DUPLICATE));
        SetConnectionsResponse twice = devices.setConnections(SetConnectionsRequest.newBuilder()
                .setDeviceId("n0")
                .addDisconnects(PortPair.newBuilder().setIngress("b0.common").setEgress("b0.path1"))
                .build());
        assertThat(twice.getDisconnects(0).getError()).isEqualTo(MoveError.MOVE_ERROR_NOT_CONNECTED);
    }

    @Test
    void aCallThatWaitedIsRefusedAsOneThatDidNot() {
        inject(InjectFaultRequest.newBuilder()
                .setKind(FaultKind.FAULT_KIND_CALL_DELAY)
                .setValue(1));
        assertFails(
                Status.Code.INVALID_ARGUMENT,
                () -> devices.withDeadlineAfter(60, TimeUnit.SECONDS)
                        .listFactoryLoss(ListFactoryLossRequest.newBuilder()
                                .setDeviceId("ocs-3")
                                .setPageToken("nonsense")
                                .build()));
    }

    @Test
    void aDropOfTheTimelineEndsStreams() {
        Recorder recorder = watch(WatchRequest.getDefaultInstance(), 10_000);
        await().atMost(Duration.ofSeconds(60)).until(() -> recorder.count(MessageCase.SYNCED) == 1);
        var unused = chaos.loadScenario(LoadScenarioRequest.newBuilder()
                .setYaml("timeline: [{at: 1s, inject: CALL_DROP}]")
                .build());
        advance(1001);
        await().atMost(Duration.ofSeconds(60)).until(() -> recorder.ended);
    }

    @Test
    void aHalfOpenStreamIsSilentAndThenCatchesUp() {
        Recorder recorder = watch(WatchRequest.getDefaultInstance(), 10_000);
        await().atMost(Duration.ofSeconds(60)).until(() -> recorder.count(MessageCase.SYNCED) == 1);
        inject(InjectFaultRequest.newBuilder().setKind(FaultKind.FAULT_KIND_CALL_HALF_OPEN));
        int before = recorder.messages.size();
        inject(InjectFaultRequest.newBuilder()
                .setDeviceId("n0")
                .setKind(FaultKind.FAULT_KIND_PORT_FAILED)
                .setModule("b1"));
        assertThat(recorder.messages).hasSize(before);
        chaos.clearFaults(ClearFaultsRequest.newBuilder()
                .setKind(FaultKind.FAULT_KIND_CALL_HALF_OPEN)
                .build());
        await().atMost(Duration.ofSeconds(60))
                .until(() -> recorder.messages.size() > before
                        && recorder.messages.stream()
                                .skip(before)
                                .anyMatch(message -> message.getSnapshot().getAlarmsCount() == 1));
    }

    @Test
    void refusesNonsense() {
        assertFails(Status.Code.NOT_FOUND, () -> device("n99"));
        assertFails(
                Status.Code.INVALID_ARGUMENT,
                () -> inject(InjectFaultRequest.newBuilder().setDeviceId("n0")));
        assertFails(
                Status.Code.INVALID_ARGUMENT,
                () -> inject(InjectFaultRequest.newBuilder().setDeviceId("n0").setKindValue(999)));
        assertFails(
                Status.Code.INVALID_ARGUMENT,
                () -> chaos.loadScenario(LoadScenarioRequest.newBuilder()
                        .setYaml("- {at: soon, clear: all}")
                        .build()));
        assertThat(chaos.loadScenario(LoadScenarioRequest.newBuilder()
                                .setYaml("timeline: [{at: 1s, inject: FAN, device: n0}]")
                                .build())
                        .getEntries())
                .isEqualTo(1);
        Scenario taken = Scenario.parse("test.yaml", YAML.replaceFirst("127.0.0.1:0", "127.0.0.1:" + emulator.port()));
        assertThatThrownBy(() -> Emulator.start(taken))
                .isInstanceOf(ScenarioException.class)
                .hasMessageStartingWith("listen: cannot listen at 127.0.0.1:" + emulator.port());
    }

    @Test
    void timesBeyondEveryClockAreTakenForEverOrRefused() {
        inject(InjectFaultRequest.newBuilder()
                .setDeviceId("n0")
                .setKind(FaultKind.FAULT_KIND_FAN)
                .setDurationMillis(Long.MAX_VALUE));
        inject(InjectFaultRequest.newBuilder()
                .setDeviceId("n0")
                .setKind(FaultKind.FAULT_KIND_INTERMITTENT)
                .setPath("b0.path1")
                .setValue(1e300));
        assertFails(Status.Code.INVALID_ARGUMENT, () -> advance(Long.MAX_VALUE));
        assertFails(
                Status.Code.INVALID_ARGUMENT,
                () -> chaos.advanceClock(AdvanceClockRequest.newBuilder()
                        .setMicros(Long.MAX_VALUE)
                        .build()));
        advance(1000);
        assertThat(chaos.withDeadlineAfter(60, TimeUnit.SECONDS)
                        .snapshot(SnapshotRequest.getDefaultInstance())
                        .getFaultsCount())
                .isEqualTo(2);
    }

    @Test
    void everyKindOfFaultOnTheWireIsKnownToTheHardware() {
        for (FaultKind kind : FaultKind.values()) {
            if (kind != FaultKind.UNRECOGNIZED && kind != FaultKind.FAULT_KIND_UNSPECIFIED) {
                boolean calls = kind.name().startsWith("FAULT_KIND_CALL_");
                InjectFaultRequest.Builder request =
                        InjectFaultRequest.newBuilder().setDeviceId("n2").setKind(kind);
                try {
                    inject(request);
                } catch (StatusRuntimeException e) {
                    assertThat(calls).isFalse();
                    inject(request.setPath("b0.path1"));
                }
            }
        }
        int kinds = FaultKind.values().length - 2;
        assertThat(chaos.snapshot(SnapshotRequest.getDefaultInstance()).getFaultsList())
                .hasSize(kinds - 1);
        assertThat(chaos.clearFaults(ClearFaultsRequest.getDefaultInstance()).getCleared())
                .isEqualTo(kinds - 1);
        advance(1000);
        assertThat(devices.getConnections(GetConnectionsRequest.newBuilder()
                                .setDeviceId("n2")
                                .build())
                        .getConnectionsList())
                .hasSize(3);
    }

    private Recorder watch(WatchRequest request, int wanted) {
        Recorder recorder = new Recorder(wanted);
        DeviceServiceGrpc.newStub(channel).watch(request, recorder);
        return recorder;
    }

    private GetDeviceResponse device(String id) {
        return devices.getDevice(GetDeviceRequest.newBuilder().setDeviceId(id).build());
    }

    private GetGroundTruthResponse truth(String id) {
        return chaos.getGroundTruth(
                GetGroundTruthRequest.newBuilder().addDeviceIds(id).build());
    }

    private void inject(InjectFaultRequest.Builder request) {
        assertThat(chaos.injectFault(request.build()).getFaultId()).isNotEmpty();
    }

    private void clear() {
        chaos.clearFaults(ClearFaultsRequest.getDefaultInstance());
    }

    private void advance(long millis) {
        chaos.advanceClock(AdvanceClockRequest.newBuilder().setMillis(millis).build());
    }

    /** Patient enough for a call to arrive on a busy machine. */
    private DeviceServiceBlockingStub impatient() {
        return devices.withDeadlineAfter(1500, TimeUnit.MILLISECONDS);
    }

    private HttpResponse<String> get(String path) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            URI uri = URI.create("http://127.0.0.1:" + emulator.httpPort() + path);
            HttpRequest request =
                    HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(30)).build();
            return client.send(request, HttpResponse.BodyHandlers.ofString());
        }
    }

    private static SetConnectionsRequest connect(String device, String ingress, String egress) {
        return SetConnectionsRequest.newBuilder()
                .setDeviceId(device)
                .addConnects(PortPair.newBuilder().setIngress(ingress).setEgress(egress))
                .setReplyWhen(ReplyWhen.REPLY_WHEN_ACCEPTED)
                .build();
    }

    private static void assertFails(Status.Code code, Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        StatusRuntimeException.class,
                        e -> assertThat(e.getStatus().getCode()).isEqualTo(code));
    }

    /** Keeps every message; asks for so many of them. */
    private static final class Recorder implements ClientResponseObserver<WatchRequest, WatchResponse> {
        final List<WatchResponse> messages = new CopyOnWriteArrayList<>();
        private final int wanted;
        volatile boolean ended;
        private @Nullable ClientCallStreamObserver<WatchRequest> call;

        Recorder(int wanted) {
            this.wanted = wanted;
        }

        @Override
        public void beforeStart(ClientCallStreamObserver<WatchRequest> stream) {
            call = stream;
            stream.disableAutoRequestWithInitial(wanted);
        }

        void request(int more) {
            Objects.requireNonNull(call).request(more);
        }

        long count(MessageCase kind) {
            return messages.stream()
                    .filter(message -> message.getMessageCase() == kind)
                    .count();
        }

        WatchResponse last() {
            return messages.isEmpty() ? WatchResponse.getDefaultInstance() : messages.getLast();
        }

        @Override
        public void onNext(WatchResponse message) {
            messages.add(message);
        }

        @Override
        public void onError(Throwable error) {
            ended = true;
        }

        @Override
        public void onCompleted() {}
    }
}
