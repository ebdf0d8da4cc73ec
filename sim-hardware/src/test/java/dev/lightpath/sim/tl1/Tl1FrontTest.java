package dev.lightpath.sim.tl1;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.proto.emulator.v1alpha1.ChaosServiceGrpc;
import dev.lightpath.proto.emulator.v1alpha1.ChaosServiceGrpc.ChaosServiceBlockingStub;
import dev.lightpath.proto.emulator.v1alpha1.DeviceServiceGrpc;
import dev.lightpath.proto.emulator.v1alpha1.DeviceServiceGrpc.DeviceServiceBlockingStub;
import dev.lightpath.proto.emulator.v1alpha1.FaultKind;
import dev.lightpath.proto.emulator.v1alpha1.GetPortsRequest;
import dev.lightpath.proto.emulator.v1alpha1.InjectFaultRequest;
import dev.lightpath.sim.Emulator;
import dev.lightpath.sim.scenario.Scenario;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

final class Tl1FrontTest {
    /** A controller that was away hears what is wrong now, and one that has not logged in takes it from nobody. */
    @Test
    void anAlarmThatBeganBeforeTheSessionIsTold() throws Exception {
        try (Emulator emulator = Emulator.start(Scenario.parse("test.yaml", """
                listen: 127.0.0.1:0
                devices:
                  - {id: ocs-1, kind: switch, preset: mems, ports: 16}
                  - {id: hosts, kind: endpoints, ports: 2}
                fibres:
                  - {from: hosts/1, to: ocs-1/1}
                tl1:
                  - {device: ocs-1, listen: "127.0.0.1:0", user: admin, password: "pass-1"}
                """))) {
            losesLight(emulator);
            try (Socket stranger = new Socket("127.0.0.1", emulator.tl1("ocs-1").port());
                    Socket socket =
                            new Socket("127.0.0.1", emulator.tl1("ocs-1").port())) {
                Thread.sleep(200); // in which the stranger could be told
                assertThat(stranger.getInputStream().available()).isZero();
                socket.setSoTimeout(20_000);
                socket.getOutputStream().write("ACT-USER::admin:1::pass-1;".getBytes(StandardCharsets.US_ASCII));
                BufferedReader said =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
                assertThat(said.lines()
                                .filter(line -> line.contains("REPT ALM PORT"))
                                .findFirst())
                        .hasValueSatisfying(line -> assertThat(line).startsWith("*C "));
            }
        }
    }

    private static void losesLight(Emulator emulator) {
        ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", emulator.port())
                .usePlaintext()
                .build();
        try {
            DeviceServiceBlockingStub devices =
                    DeviceServiceGrpc.newBlockingStub(channel).withDeadlineAfter(60, TimeUnit.SECONDS);
            ChaosServiceBlockingStub chaos =
                    ChaosServiceGrpc.newBlockingStub(channel).withDeadlineAfter(60, TimeUnit.SECONDS);
            var unused = chaos.injectFault(InjectFaultRequest.newBuilder()
                    .setDeviceId("ocs-1")
                    .setKind(FaultKind.FAULT_KIND_DIRTY_CONNECTOR)
                    .setPort("1")
                    .setValue(15)
                    .build());
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> devices.getPorts(GetPortsRequest.newBuilder()
                                            .setDeviceId("ocs-1")
                                            .build())
                                    .getAlarmsCount()
                            > 0);
        } finally {
            channel.shutdownNow();
        }
    }
}
