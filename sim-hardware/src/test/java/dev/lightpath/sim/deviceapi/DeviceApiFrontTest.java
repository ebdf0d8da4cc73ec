package dev.lightpath.sim.deviceapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.proto.device.v1alpha1.Circuit;
import dev.lightpath.proto.device.v1alpha1.DeviceServiceGrpc;
import dev.lightpath.proto.device.v1alpha1.ListFactoryLossRequest;
import dev.lightpath.proto.device.v1alpha1.MoveAnswer;
import dev.lightpath.proto.device.v1alpha1.MoveItem;
import dev.lightpath.proto.device.v1alpha1.MoveRequest;
import dev.lightpath.proto.device.v1alpha1.ProbeRequest;
import dev.lightpath.proto.device.v1alpha1.ReadRequest;
import dev.lightpath.proto.device.v1alpha1.SetShutterRequest;
import dev.lightpath.proto.device.v1alpha1.WatchRequest;
import dev.lightpath.proto.device.v1alpha1.WatchResponse;
import dev.lightpath.proto.device.v1alpha1.WatchResponse.EventCase;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import dev.lightpath.proto.emulator.v1alpha1.ChaosServiceGrpc;
import dev.lightpath.proto.emulator.v1alpha1.ClearFaultsRequest;
import dev.lightpath.proto.emulator.v1alpha1.FaultKind;
import dev.lightpath.proto.emulator.v1alpha1.InjectFaultRequest;
import dev.lightpath.sim.Emulator;
import dev.lightpath.sim.scenario.Scenario;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class DeviceApiFrontTest {
    private Emulator emulator;
    private ManagedChannel program;
    private ManagedChannel own;

    @BeforeEach
    void start() {
        emulator = Emulator.start(Scenario.parse("test.yaml", """
                listen: 127.0.0.1:0
                ring: {nodes: 4, reach: 2}
                presets:
                  small: {extends: mems, maxBatch: 4}
                devices:
                  - {id: ocs-1, kind: switch, preset: small, ports: 8}
                  - {id: ocs-2, kind: switch, preset: small, ports: 8}
                deviceApi:
                  - {devices: [ocs-1, n1], listen: "127.0.0.1:0", quirks: [waits]}
                """));
        program = channel(emulator.deviceApi("n1").port());
        own = channel(emulator.port());
    }

    private static ManagedChannel channel(int port) {
        return NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
    }

    @AfterEach
    void stop() {
        program.shutdownNow();
        own.shutdownNow();
        emulator.close();
    }

    private DeviceServiceGrpc.DeviceServiceBlockingStub calls() {
        return DeviceServiceGrpc.newBlockingStub(program).withDeadlineAfter(30, TimeUnit.SECONDS);
    }

    private static CircuitKey key(String ingress, String egress) {
        return CircuitKey.newBuilder().setIngress(ingress).setEgress(egress).build();
    }

    private static MoveItem connect(String ingress, String egress) {
        return MoveItem.newBuilder().setConnect(key(ingress, egress)).build();
    }

    private static MoveItem disconnect(String ingress, String egress) {
        return MoveItem.newBuilder().setDisconnect(key(ingress, egress)).build();
    }

    private List<MoveAnswer> move(MoveItem... moves) {
        return calls().move(MoveRequest.newBuilder()
                        .setDeviceId("ocs-1")
                        .addAllMoves(List.of(moves))
                        .build())
                .getAnswersList();
    }

    private List<CircuitKey> circuits() {
        return calls().read(ReadRequest.newBuilder().setDeviceId("ocs-1").build()).getCircuitsList().stream()
                .map(Circuit::getKey)
                .toList();
    }

    private void inject(FaultKind kind) {
        var unused = ChaosServiceGrpc.newBlockingStub(own)
                .withDeadlineAfter(30, TimeUnit.SECONDS)
                .injectFault(InjectFaultRequest.newBuilder()
                        .setDeviceId("ocs-1")
                        .setKind(kind)
                        .build());
    }

    private static WatchResponse next(Iterator<WatchResponse> stream, String device, EventCase kind) {
        while (true) {
            WatchResponse message = stream.next();
            if (message.getDeviceId().equals(device) && message.getEventCase() == kind) {
                return message;
            }
        }
    }

    @Test
    void devicesHadNoPowerBeforeTheEmulatorWasStartedAgain() {
        String before = powerOnId();
        assertThat(powerOnId()).isNotEmpty().isEqualTo(before);
        stop();
        start();
        assertThat(powerOnId()).isNotEmpty().isNotEqualTo(before);
    }

    private String powerOnId() {
        return next(calls().watch(WatchRequest.getDefaultInstance()), "ocs-1", EventCase.READING)
                .getReading()
                .getPowerOnId();
    }

    @Test
    void aStreamDescribesEachOfItsDevicesAndThenSaysHowItIs() {
        Iterator<WatchResponse> stream = calls().watch(WatchRequest.getDefaultInstance());
        List<String> told = new ArrayList<>();
        WatchResponse message;
        do {
            message = stream.next();
            told.add(message.getDeviceId() + " " + message.getEventCase());
        } while (!message.hasSynced());
        assertThat(told)
                .containsExactly("n1 DESCRIPTION", "n1 READING", "ocs-1 DESCRIPTION", "ocs-1 READING", " SYNCED");
    }

    @Test
    void whatHappensIsToldAsItIsThen() {
        Iterator<WatchResponse> stream = calls().watch(WatchRequest.getDefaultInstance());
        String before = next(stream, "ocs-1", EventCase.READING).getReading().getPowerOnId();
        assertThat(move(connect("1", "2"))).containsExactly(MoveAnswer.getDefaultInstance());
        assertThat(next(stream, "ocs-1", EventCase.CIRCUITS)
                        .getCircuits()
                        .getCircuits(0)
                        .getKey())
                .isEqualTo(key("1", "2"));
        inject(FaultKind.FAULT_KIND_FAN);
        assertThat(next(stream, "ocs-1", EventCase.ALARMS)
                        .getAlarms()
                        .getAlarms(0)
                        .getNativeText())
                .isEqualTo("fan failed");
        inject(FaultKind.FAULT_KIND_POWER_LOSS);
        assertThat(next(stream, "ocs-1", EventCase.SILENCE).getSilence().getDetail())
                .isEqualTo("the device does not answer its program");
        var unused = ChaosServiceGrpc.newBlockingStub(own)
                .clearFaults(
                        ClearFaultsRequest.newBuilder().setDeviceId("ocs-1").build());
        var reading = next(stream, "ocs-1", EventCase.READING).getReading();
        assertThat(reading.getCircuitsList()).isEmpty();
        assertThat(reading.getPowerOnId()).isNotEqualTo(before);
    }

    @Test
    void movesAreDoneInTheOrderOfTheRequest() {
        assertThat(move(connect("1", "2"), disconnect("1", "2"), connect("2", "3"), connect("2", "4")))
                .extracting(MoveAnswer::getRefused)
                .containsExactly(
                        ItemReason.ITEM_REASON_UNSPECIFIED,
                        ItemReason.ITEM_REASON_UNSPECIFIED,
                        ItemReason.ITEM_REASON_UNSPECIFIED,
                        ItemReason.ITEM_REASON_PORT_IN_USE);
        assertThat(circuits()).containsExactly(key("2", "3"));
    }

    @Test
    void whatIsThereIsMadeAndWhatIsNotThereIsBroken() {
        assertThat(move(connect("1", "2"))).containsOnly(MoveAnswer.getDefaultInstance());
        assertThat(move(connect("1", "2"), disconnect("5", "6"))).containsOnly(MoveAnswer.getDefaultInstance());
        assertThat(circuits()).containsExactly(key("1", "2"));
    }

    @Test
    void aPortThatIsNotThereAndTooManyMovesAreRefusedInWords() {
        assertThat(move(connect("1", "99")))
                .containsExactly(MoveAnswer.newBuilder()
                        .setRefused(ItemReason.ITEM_REASON_NO_SUCH_PORT)
                        .setNativeText("no port 99; ports are 1..8")
                        .build());
        assertThat(move(
                        connect("1", "2"),
                        disconnect("1", "2"),
                        connect("1", "2"),
                        disconnect("1", "2"),
                        connect("1", "2")))
                .hasSize(5)
                .containsOnly(MoveAnswer.newBuilder()
                        .setRefused(ItemReason.ITEM_REASON_DEVICE_REFUSED)
                        .setNativeText("5 moves, at most 4")
                        .build());
        assertThat(circuits()).isEmpty();
    }

    @Test
    void aCallThatIsWrongIsRefusedInOneLine() {
        assertThatThrownBy(() -> calls().probe(
                                ProbeRequest.newBuilder().setDeviceId("ocs-2").build()))
                .hasMessage("NOT_FOUND: this program has no device 'ocs-2'");
        assertThatThrownBy(() -> move(MoveItem.getDefaultInstance()))
                .hasMessage("INVALID_ARGUMENT: a move is neither disconnect nor connect");
        assertThatThrownBy(() -> calls().setShutter(SetShutterRequest.newBuilder()
                        .setDeviceId("n1")
                        .setPort("b0.path1")
                        .build()))
                .hasMessage("UNIMPLEMENTED: n1 has no shutters");
        assertThatThrownBy(() -> calls().setShutter(SetShutterRequest.newBuilder()
                        .setDeviceId("ocs-1")
                        .setPort("9")
                        .build()))
                .hasMessage("NOT_FOUND: ocs-1 has no port '9'");
        inject(FaultKind.FAULT_KIND_UNREACHABLE);
        assertThatThrownBy(() -> move(connect("1", "2"))).hasMessage("UNAVAILABLE: ocs-1 does not answer its program");
    }

    @Test
    void theFactoryKnowsTheLossOfEachPath() {
        assertThat(calls().listFactoryLoss(ListFactoryLossRequest.newBuilder()
                                .setDeviceId("ocs-1")
                                .build())
                        .getEntriesList())
                .hasSize(8 * 7)
                .allSatisfy(entry -> assertThat(entry.getLossDb()).isBetween(1.0, 3.5));
    }
}
