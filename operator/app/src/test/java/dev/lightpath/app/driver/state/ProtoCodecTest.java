package dev.lightpath.app.driver.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.DeviceChange;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.DeviceState.Presence;
import dev.lightpath.planner.light.FarEnd;
import dev.lightpath.planner.light.PortLight.Lock;
import dev.lightpath.planner.light.Stage;
import dev.lightpath.planner.light.StageId;
import dev.lightpath.proto.driver.v1alpha1.Alarm;
import dev.lightpath.proto.driver.v1alpha1.AlarmKind;
import dev.lightpath.proto.driver.v1alpha1.AlarmSeverity;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.Availability;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.CircuitState;
import dev.lightpath.proto.driver.v1alpha1.ConflictPolicy;
import dev.lightpath.proto.driver.v1alpha1.DeviceSnapshot;
import dev.lightpath.proto.driver.v1alpha1.LockState;
import dev.lightpath.proto.driver.v1alpha1.PortOperState;
import dev.lightpath.proto.driver.v1alpha1.PortRef;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import java.util.List;
import java.util.OptionalDouble;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ProtoCodecTest {
    private static final String ROLE = "cluster/ring-a";

    @Test
    void readsCircuitsAndWhatPortsReceive() {
        DeviceState state = decode(snapshot()
                        .addCircuits(circuit("b0.common", "b0.path1", CircuitState.CIRCUIT_STATE_CONNECTED)
                                .setMeasuredLossDb(1.6)
                                .setFactoryLossDb(1.5))
                        .addPorts(port("b0.path1")
                                .setLockState(LockState.LOCK_STATE_LOCKED)
                                .setReceivePowerDbm(-3.5)
                                .setPreFecBitErrorRatio(1e-6)
                                .setHeardNeighbour(
                                        PortRef.newBuilder().setDeviceId("n2").setPort("b1.path1")))
                        .addPorts(port("b0.path2").setLockState(LockState.LOCK_STATE_LOSS_OF_SIGNAL))
                        .addPorts(port("b0.common"))
                        .setObservedDigest("sha256:1"))
                .state();

        assertThat(state.presence()).isEqualTo(Presence.PRESENT);
        assertThat(state.circuits().circuits()).containsExactly(new Circuit("b0.common", "b0.path1"));
        assertThat(state.digest()).isEqualTo("sha256:1");
        assertThat(state.moving()).isEmpty();
        assertThat(state.failedPorts()).isEmpty();
        assertThat(state.light()).containsOnlyKeys("b0.path1", "b0.path2");
        assertThat(state.lightAt("b0.path1").lock()).isEqualTo(Lock.UP);
        assertThat(state.lightAt("b0.path1").heard()).contains(new FarEnd("n2", "b1.path1"));
        assertThat(state.lightAt("b0.path1").receivedPowerDbm()).isEqualTo(OptionalDouble.of(-3.5));
        assertThat(state.lightAt("b0.path1").bitErrorRatio()).isEqualTo(OptionalDouble.of(1e-6));
        assertThat(state.lossDb()).containsEntry("b0.path1", 1.6);
        assertThat(state.factoryLossDb()).containsEntry("b0.path1", 1.5);
        assertThat(state.lightAt("b0.path2").lock()).isEqualTo(Lock.NO_LIGHT);
    }

    @Test
    void aShareOfBitsThatIsNoneIsNotBelieved() {
        for (double share : new double[] {-1e-9, 1.1, Double.NaN}) {
            DeviceState state = decode(snapshot()
                            .addPorts(port("1")
                                    .setLockState(LockState.LOCK_STATE_LOCKED)
                                    .setPreFecBitErrorRatio(share)))
                    .state();
            assertThat(state.lightAt("1").bitErrorRatio()).isEmpty();
        }
    }

    @Test
    void portsOfACircuitThatIsBeingMadeAreMoving() {
        DeviceState state = decode(snapshot().addCircuits(circuit("1", "17", CircuitState.CIRCUIT_STATE_TUNING)))
                .state();

        assertThat(state.moving()).containsExactly("1", "17");
        assertThat(state.circuits().contains(new Circuit("1", "17"))).isTrue();
    }

    @Test
    void circuitTheDeviceGaveUpOnFailsItsEgressAndStaysInPlace() {
        DeviceState state = decode(snapshot().addCircuits(circuit("1", "17", CircuitState.CIRCUIT_STATE_FAILED)))
                .state();

        assertThat(state.failedPorts()).containsExactly(java.util.Map.entry("17", ProtoCodec.NOT_SETTLED));
        assertThat(state.circuits().contains(new Circuit("1", "17"))).isTrue();
    }

    @Test
    void portInTwoCircuitsIsAProblemAndItsCircuitsDoNotCount() {
        ProtoCodec.Decoded decoded = decode(snapshot()
                .addCircuits(circuit("1", "17", CircuitState.CIRCUIT_STATE_CONNECTED))
                .addCircuits(circuit("2", "17", CircuitState.CIRCUIT_STATE_CONNECTED))
                .addCircuits(circuit("3", "18", CircuitState.CIRCUIT_STATE_CONNECTED)));

        assertThat(decoded.state().circuits().circuits()).containsExactly(new Circuit("3", "18"));
        assertThat(decoded.state().failedPorts()).containsEntry("17", DeviceState.REPORTED_TWICE);
        assertThat(decoded.state().failedPorts()).doesNotContainKeys("1", "2", "3", "18");
        assertThat(decoded.problem().orElse("")).contains("1->17").contains("2->17");
    }

    @Test
    void portListedTwiceCountsAsFailed() {
        ProtoCodec.Decoded decoded = decode(snapshot().addPorts(port("5")).addPorts(port("5")));

        assertThat(decoded.state().failedPorts()).containsEntry("5", DeviceState.REPORTED_TWICE);
        assertThat(decoded.problem()).contains("port 5 is listed twice");
    }

    @Test
    void alarmAboutAModuleFailsThePortsOfThatModuleOnly() {
        DeviceState state = decode(snapshot()
                        .addPorts(port("b1.common"))
                        .addPorts(port("b1.path1"))
                        .addPorts(port("b10.common"))
                        .addAlarms(alarm(AlarmKind.ALARM_KIND_STUCK, "b1", AlarmSeverity.ALARM_SEVERITY_CRITICAL)))
                .state();

        assertThat(state.failedPorts()).containsOnlyKeys("b1.common", "b1.path1");
        assertThat(state.failedPorts().values()).containsOnly("Stuck");
    }

    @Test
    void readBackThatDiffersDoesNotCondemnTheWholeDevice() {
        DeviceState state = decode(snapshot()
                        .addPorts(port("7"))
                        .addPorts(port("8"))
                        .addAlarms(alarm(
                                AlarmKind.ALARM_KIND_READ_BACK_DIFFERS, "", AlarmSeverity.ALARM_SEVERITY_CRITICAL))
                        .addAlarms(alarm(
                                AlarmKind.ALARM_KIND_READ_BACK_DIFFERS, "8", AlarmSeverity.ALARM_SEVERITY_CRITICAL)))
                .state();

        assertThat(state.failedPorts()).containsExactly(java.util.Map.entry("8", "ReadBackDiffers"));
    }

    @Test
    void failedPortIsFailedWithOrWithoutAnAlarm() {
        DeviceState state = decode(snapshot().addPorts(port("7").setOperState(PortOperState.PORT_OPER_STATE_FAILED)))
                .state();

        assertThat(state.failedPorts()).containsExactly(java.util.Map.entry("7", "PortFailed"));
    }

    @Test
    void missingLightAndWarningsAreNoFailureOfThePort() {
        DeviceState state = decode(snapshot()
                        .addPorts(port("7"))
                        .addAlarms(
                                alarm(AlarmKind.ALARM_KIND_LOSS_OF_SIGNAL, "7", AlarmSeverity.ALARM_SEVERITY_CRITICAL))
                        .addAlarms(alarm(AlarmKind.ALARM_KIND_FAN, "", AlarmSeverity.ALARM_SEVERITY_WARNING)))
                .state();

        assertThat(state.failedPorts()).isEmpty();
    }

    @Test
    void lightThatEntersTooWeaklyIsAFailureOfThePort() {
        DeviceState state = decode(snapshot()
                        .addPorts(port("7"))
                        .addPorts(port("8"))
                        .addAlarms(alarm(AlarmKind.ALARM_KIND_LOW_POWER, "7", AlarmSeverity.ALARM_SEVERITY_WARNING)))
                .state();

        assertThat(state.failedPorts()).containsExactly(java.util.Map.entry("7", "LowPower"));
    }

    @Test
    void anAlarmAboutTheWholeDeviceIsOneFailureAndNotOneAPort() {
        DeviceState state = decode(snapshot()
                        .addPorts(port("7"))
                        .addPorts(port("8"))
                        .addAlarms(alarm(AlarmKind.ALARM_KIND_TEMPERATURE, "", AlarmSeverity.ALARM_SEVERITY_CRITICAL)))
                .state();

        assertThat(state.failedPorts()).containsExactly(java.util.Map.entry("", "Temperature"));
    }

    @Test
    void deviceHeldByAnotherRoleIsForeign() {
        assertThat(decode(snapshot().setHoldingRole("cluster/other")).state().presence())
                .isEqualTo(Presence.FOREIGN);
        assertThat(decode(snapshot().setHoldingRole(ROLE)).state().presence()).isEqualTo(Presence.PRESENT);
    }

    @Test
    void silentDeviceKeepsWhatWasLastKnown() {
        DeviceState state = decode(snapshot()
                        .setAvailability(Availability.AVAILABILITY_SILENT)
                        .addCircuits(circuit("1", "17", CircuitState.CIRCUIT_STATE_CONNECTED)))
                .state();

        assertThat(state.presence()).isEqualTo(Presence.SILENT);
        assertThat(state.circuits().contains(new Circuit("1", "17"))).isTrue();
    }

    @Test
    void silentDeviceSaysWhyInOneLine() {
        DeviceSnapshot.Builder silent = snapshot()
                .setAvailability(Availability.AVAILABILITY_SILENT)
                .addAlarms(alarm(AlarmKind.ALARM_KIND_DEVICE_SILENT, "", AlarmSeverity.ALARM_SEVERITY_CRITICAL)
                        .setNativeText("the host key\n is another one"));

        assertThat(decode(silent).state().silence()).contains("the host key is another one");
        assertThat(decode(silent.setAvailability(Availability.AVAILABILITY_PRESENT))
                        .state()
                        .silence())
                .isEmpty();
    }

    @Test
    void digestIsThatOfTheContract() {
        assertThat(ProtoCodec.digest(List.of()))
                .isEqualTo("sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        // printf '1>17\n2>18\n' | sha256sum
        assertThat(ProtoCodec.digest(List.of(key("2", "18"), key("1", "17"))))
                .isEqualTo("sha256:737719adba9bf537a057853891da8e90d2dd027f2b97e3f7c8e4e25312a1d9e3");
    }

    @Test
    void requestCarriesTheEpochTheStageWasPlannedUnderAndTheDigestItWasPlannedOn() {
        DeviceId device = new DeviceId("driver:9440", "n1");
        DeviceChange change = new DeviceChange(
                device,
                "sha256:1",
                new TreeSet<>(List.of(new Circuit("b0.common", "b0.loop"))),
                new TreeSet<>(List.of(new Circuit("b0.common", "b0.path1"))));
        ApplyCircuitsRequest request = ProtoCodec.request(
                new Stage(new StageId(4, 9), ROLE, Stage.Cause.PLACE, List.of(change)), change, "pod-1");

        assertThat(request.getDeviceId()).isEqualTo("n1");
        assertThat(request.getFencing().getRole()).isEqualTo(ROLE);
        assertThat(request.getFencing().getEpoch()).isEqualTo(4);
        assertThat(request.getFencing().getHolder()).isEqualTo("pod-1");
        assertThat(request.getOperationId()).matches("stage-4-9-[0-9a-f]{8}");
        assertThat(ProtoCodec.operationId(new StageId(4, 9), "pod-2"))
                .as("of another process that was given the same epoch")
                .startsWith("stage-4-9-")
                .isNotEqualTo(request.getOperationId());
        assertThat(request.getExpectedObservedDigest()).isEqualTo("sha256:1");
        assertThat(request.getConflictPolicy()).isEqualTo(ConflictPolicy.CONFLICT_POLICY_SAFE);
        assertThat(request.getDisconnectsList()).containsExactly(key("b0.common", "b0.loop"));
        assertThat(request.getConnectsList()).containsExactly(key("b0.common", "b0.path1"));
    }

    private static ProtoCodec.Decoded decode(DeviceSnapshot.Builder snapshot) {
        DeviceFacts facts = new DeviceFacts(new Room(false));
        facts.replace(snapshot.build());
        return ProtoCodec.device(facts, new TreeSet<>(List.of(ROLE)), java.util.Optional.empty(), circuits -> circuits);
    }

    private static DeviceSnapshot.Builder snapshot() {
        return DeviceSnapshot.newBuilder().setDeviceId("n1").setAvailability(Availability.AVAILABILITY_PRESENT);
    }

    private static dev.lightpath.proto.driver.v1alpha1.Circuit.Builder circuit(
            String ingress, String egress, CircuitState state) {
        return dev.lightpath.proto.driver.v1alpha1.Circuit.newBuilder()
                .setKey(key(ingress, egress))
                .setState(state);
    }

    private static CircuitKey key(String ingress, String egress) {
        return CircuitKey.newBuilder().setIngress(ingress).setEgress(egress).build();
    }

    private static PortStatus.Builder port(String name) {
        return PortStatus.newBuilder().setPort(name).setOperState(PortOperState.PORT_OPER_STATE_OK);
    }

    private static Alarm.Builder alarm(AlarmKind kind, String where, AlarmSeverity severity) {
        return Alarm.newBuilder().setKind(kind).setWhere(where).setSeverity(severity);
    }
}
