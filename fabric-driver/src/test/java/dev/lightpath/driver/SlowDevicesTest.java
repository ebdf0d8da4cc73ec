package dev.lightpath.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.driver.adapter.AdapterListener;
import dev.lightpath.driver.adapter.DeviceDescription;
import dev.lightpath.driver.adapter.DeviceReading;
import dev.lightpath.driver.adapter.NativeCircuit;
import dev.lightpath.driver.emulator.EmulatorAdapter;
import dev.lightpath.proto.driver.v1alpha1.Alarm;
import dev.lightpath.proto.driver.v1alpha1.Availability;
import dev.lightpath.proto.driver.v1alpha1.Device;
import dev.lightpath.proto.driver.v1alpha1.Environment;
import dev.lightpath.proto.driver.v1alpha1.ListDevicesRequest;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import dev.lightpath.proto.driver.v1alpha1.WatchRequest;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse.EventCase;
import dev.lightpath.proto.emulator.v1alpha1.ChaosServiceGrpc;
import dev.lightpath.proto.emulator.v1alpha1.ClearFaultsRequest;
import dev.lightpath.proto.emulator.v1alpha1.FaultKind;
import dev.lightpath.proto.emulator.v1alpha1.InjectFaultRequest;
import dev.lightpath.sim.Emulator;
import dev.lightpath.sim.scenario.Scenario;
import io.grpc.ManagedChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Devices that answer calls late are nobody else's delay, and are silent until they say what they are. */
final class SlowDevicesTest {
    /** Of this test alone: the log is the whole process's. */
    private static final List<String> SLOW = List.of("late-0", "late-1", "late-2");

    private static final String SCENARIO = """
            listen: 127.0.0.1:0
            seed: 7
            ring: {nodes: 8, reach: 3}
            devices:
              - {id: late-0, kind: switch, ports: 16, preset: mems}
              - {id: late-1, kind: switch, ports: 16, preset: mems}
              - {id: late-2, kind: switch, ports: 16, preset: mems}
            """;
    private static final int HEARTBEATS = 6;

    @Test
    void startedDriverTellsOfAllOthersAndOfEachSlowDeviceOnce(@TempDir Path directory) throws Exception {
        try (HeardLog log = new HeardLog("dev.lightpath.driver.server.PresenceLog");
                EmulatedPlant plant = EmulatedPlant.of(directory, SCENARIO, 8 + SLOW.size())) {
            SLOW.forEach(device -> plant.inject(late(device)));
            plant.restartDriver();
            WatchRequest everySecond = WatchRequest.newBuilder()
                    .setHeartbeatInterval(
                            com.google.protobuf.Duration.newBuilder().setSeconds(1))
                    .build();
            try (Watching watching = Watching.start(plant.telemetry(), everySecond)) {
                await().untilAsserted(() -> assertThat(devices(plant))
                        .filteredOn(device -> !SLOW.contains(device.getDeviceId()))
                        .hasSize(8)
                        .allSatisfy(device ->
                                assertThat(device.getAvailability()).isEqualTo(Availability.AVAILABILITY_PRESENT)));
                await().until(() -> watching.messages().stream()
                                .filter(message -> message.getEventCase() == EventCase.HEARTBEAT)
                                .count()
                        >= HEARTBEATS);
                assertThat(watching.messages()).noneMatch(SlowDevicesTest::saysASlowDeviceIsPresent);
            }
            for (String device : SLOW) {
                assertThat(log.lines("device=" + device + " "))
                        .singleElement()
                        .asString()
                        .contains("does not answer");
            }
            assertThat(devices(plant))
                    .filteredOn(device -> SLOW.contains(device.getDeviceId()))
                    .allSatisfy(
                            device -> assertThat(device.getAvailability()).isEqualTo(Availability.AVAILABILITY_SILENT));

            plant.clearFaults();

            await().untilAsserted(() -> assertThat(devices(plant))
                    .allSatisfy(device ->
                            assertThat(device.getAvailability()).isEqualTo(Availability.AVAILABILITY_PRESENT)));
        }
    }

    @Test
    void anyNumberOfSlowDevicesDelaysNoOther() throws Exception {
        List<String> slow = IntStream.range(0, 30).mapToObj(n -> "n" + n).toList();
        List<String> quick = IntStream.range(30, 40).mapToObj(n -> "n" + n).toList();
        try (Emulator emulator = Emulator.start(Scenario.parse("slow.yaml", """
                listen: 127.0.0.1:0
                seed: 7
                ring: {nodes: 40, reach: 3}
                """))) {
            ManagedChannel channel = EmulatedPlant.channel(emulator.port());
            try (EmulatorAdapter adapter = new EmulatorAdapter("127.0.0.1:" + emulator.port())) {
                var chaos = ChaosServiceGrpc.newBlockingStub(channel);
                slow.forEach(device -> {
                    var unused = chaos.injectFault(late(device).build());
                });
                Told told = new Told();

                var all = adapter.start(told);

                await().until(() ->
                        quick.stream().allMatch(device -> told.of(device).contains("present " + device)));
                await().until(all::isDone);
                for (String device : slow) {
                    assertThat(told.of(device)).containsExactly("silent " + device);
                }

                var unused = chaos.clearFaults(ClearFaultsRequest.getDefaultInstance());

                for (String device : slow) {
                    await().until(() -> told.of(device).contains("present " + device));
                    assertThat(told.of(device))
                            .startsWith("silent " + device, "described " + device, "present " + device);
                }
            } finally {
                channel.shutdownNow();
            }
        }
    }

    private static InjectFaultRequest.Builder late(String device) {
        return InjectFaultRequest.newBuilder()
                .setDeviceId(device)
                .setKind(FaultKind.FAULT_KIND_CALL_DELAY)
                .setValue(30_000);
    }

    private static boolean saysASlowDeviceIsPresent(WatchResponse message) {
        return switch (message.getEventCase()) {
            case SNAPSHOT ->
                SLOW.contains(message.getSnapshot().getDeviceId())
                        && message.getSnapshot().getAvailability() == Availability.AVAILABILITY_PRESENT;
            case AVAILABILITY_CHANGED ->
                SLOW.contains(message.getAvailabilityChanged().getDeviceId())
                        && message.getAvailabilityChanged().getAvailability() == Availability.AVAILABILITY_PRESENT;
            default -> false;
        };
    }

    private static List<Device> devices(EmulatedPlant plant) {
        return plant.inventory()
                .listDevices(ListDevicesRequest.getDefaultInstance())
                .getDevicesList();
    }

    private static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofSeconds(60));
    }

    /** What an adapter tells of whether devices answer, in order. */
    private static final class Told implements AdapterListener {
        private final List<String> lines = new CopyOnWriteArrayList<>();

        List<String> of(String device) {
            return lines.stream().filter(line -> line.endsWith(" " + device)).toList();
        }

        @Override
        public void described(DeviceDescription description) {
            lines.add("described " + description.deviceId());
        }

        @Override
        public void removed(String deviceId) {
            lines.add("removed " + deviceId);
        }

        @Override
        public void present(String deviceId, DeviceReading reading) {
            lines.add("present " + deviceId);
        }

        @Override
        public void silent(String deviceId, String detail) {
            lines.add("silent " + deviceId);
        }

        @Override
        public void circuits(String deviceId, List<NativeCircuit> circuits) {}

        @Override
        public void ports(String deviceId, List<PortStatus> ports) {}

        @Override
        public void alarms(String deviceId, List<Alarm> alarms) {}

        @Override
        public void environment(String deviceId, Environment environment) {}

        @Override
        public void powerCycled(String deviceId) {}
    }
}
