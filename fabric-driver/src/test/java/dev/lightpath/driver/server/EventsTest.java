package dev.lightpath.driver.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.driver.adapter.DeviceDescription;
import dev.lightpath.driver.contract.view.DeviceView;
import dev.lightpath.driver.contract.view.ScopeFilter;
import dev.lightpath.driver.contract.view.ViewChange;
import dev.lightpath.proto.driver.v1alpha1.Alarm;
import dev.lightpath.proto.driver.v1alpha1.AlarmChanged;
import dev.lightpath.proto.driver.v1alpha1.AlarmKind;
import dev.lightpath.proto.driver.v1alpha1.AlarmSeverity;
import dev.lightpath.proto.driver.v1alpha1.Attenuation;
import dev.lightpath.proto.driver.v1alpha1.Availability;
import dev.lightpath.proto.driver.v1alpha1.Capabilities;
import dev.lightpath.proto.driver.v1alpha1.Device;
import dev.lightpath.proto.driver.v1alpha1.DeviceInventory;
import dev.lightpath.proto.driver.v1alpha1.Environment;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import dev.lightpath.proto.driver.v1alpha1.WatchRequest;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class EventsTest {
    private static final DeviceDescription SWITCH = new DeviceDescription(
            Device.newBuilder().setDeviceId("ocs-1").build(),
            Capabilities.getDefaultInstance(),
            DeviceInventory.getDefaultInstance());

    private final Events events = new Events(
            WatchScope.of(WatchRequest.newBuilder().setReceivePowerStepDb(0).build(), device -> true));

    private static DeviceView with(PortStatus port) {
        return view(Map.of(port.getPort(), port), List.of());
    }

    private static DeviceView with(Alarm alarm) {
        return view(Map.of(), List.of(alarm));
    }

    private static DeviceView view(Map<String, PortStatus> ports, List<Alarm> alarms) {
        TreeMap<DeviceView.AlarmName, Alarm> byName = new TreeMap<>();
        alarms.forEach(alarm -> byName.put(DeviceView.AlarmName.of(alarm), alarm));
        return new DeviceView(
                SWITCH,
                1,
                Availability.AVAILABILITY_PRESENT,
                Instant.EPOCH,
                "",
                true,
                new TreeMap<>(),
                ports,
                byName,
                Environment.getDefaultInstance(),
                0,
                "",
                0,
                "",
                0,
                List.of());
    }

    private List<WatchResponse.Builder> told(PortStatus before, PortStatus after) {
        return told(with(before), with(after));
    }

    private List<WatchResponse.Builder> told(DeviceView before, DeviceView after) {
        return events.of(new ViewChange(before, after, List.of(), Instant.EPOCH), ScopeFilter.ALL);
    }

    private static PortStatus receiving(double bitErrorRatio, double celsius) {
        return PortStatus.newBuilder()
                .setPort("1")
                .setPreFecBitErrorRatio(bitErrorRatio)
                .setTemperatureCelsius(celsius)
                .build();
    }

    @Test
    void smallChangesOfBitErrorsAndTemperatureAreNoNews() {
        assertThat(told(receiving(1e-6, 41), receiving(1.9e-6, 42))).isEmpty();
    }

    @Test
    void bitErrorsThatNobodyCountsAreNoNews() {
        assertThat(told(receiving(0, 41), receiving(1e-16, 41))).isEmpty();
    }

    @Test
    void bitErrorsThatDoubleAreNews() {
        assertThat(told(receiving(1e-6, 41), receiving(2e-6, 41))).hasSize(1);
        assertThat(told(receiving(2e-6, 41), receiving(1e-6, 41))).hasSize(1);
    }

    @Test
    void manySmallChangesOfBitErrorsAreNewsOnceTheyAreAStep() {
        int messages = 0;
        double before = 1e-6;
        for (int step = 0; step < 20; step++) {
            double after = before * 1.1;
            messages += told(receiving(before, 41), receiving(after, 41)).size();
            before = after;
        }
        // 1.1^20 is 6.7: it doubled twice
        assertThat(messages).isEqualTo(2);
    }

    @Test
    void twoDegreesAreNews() {
        assertThat(told(receiving(1e-6, 41), receiving(1e-6, 43))).hasSize(1);
    }

    @Test
    void whatIsMeasuredAnewOrNoLongerIsNews() {
        PortStatus port = receiving(1e-6, 41);
        assertThat(told(port, port.toBuilder().clearPreFecBitErrorRatio().build()))
                .hasSize(1);
        assertThat(told(port, port.toBuilder().setReceivePowerDbm(-3).build())).hasSize(1);
    }

    @Test
    void whatAnAttenuatorIsSetToIsNews() {
        PortStatus port = receiving(1e-6, 41).toBuilder()
                .setAttenuation(Attenuation.newBuilder().setSetDb(1).setActualDb(1))
                .build();
        PortStatus set = port.toBuilder()
                .setAttenuation(Attenuation.newBuilder().setSetDb(1.1).setActualDb(1))
                .build();
        assertThat(told(port, set)).hasSize(1);
    }

    @Test
    void anAlarmThatGetsWorseOrBetterIsNews() {
        Alarm warm = Alarm.newBuilder()
                .setKind(AlarmKind.ALARM_KIND_TEMPERATURE)
                .setWhere("1")
                .setSeverity(AlarmSeverity.ALARM_SEVERITY_WARNING)
                .setNativeText("70 degrees")
                .build();
        Alarm hot = warm.toBuilder()
                .setSeverity(AlarmSeverity.ALARM_SEVERITY_CRITICAL)
                .build();

        assertThat(told(with(warm), with(hot)))
                .extracting(WatchResponse.Builder::getAlarmChanged)
                .containsExactly(raised(hot));
        assertThat(told(with(hot), with(warm)))
                .extracting(WatchResponse.Builder::getAlarmChanged)
                .containsExactly(raised(warm));
    }

    @Test
    void anotherMeasurementInTheTextOfAnAlarmIsNoNews() {
        Alarm warm = Alarm.newBuilder()
                .setKind(AlarmKind.ALARM_KIND_TEMPERATURE)
                .setNativeText("70 degrees")
                .build();
        assertThat(told(
                        with(warm),
                        with(warm.toBuilder().setNativeText("71 degrees").build())))
                .isEmpty();
    }

    @Test
    void anotherReasonOfASilenceIsNews() {
        Alarm silent = Alarm.newBuilder()
                .setKind(AlarmKind.ALARM_KIND_DEVICE_SILENT)
                .setNativeText("the session broke")
                .build();
        Alarm now =
                silent.toBuilder().setNativeText("the host key is another one").build();
        assertThat(told(with(silent), with(now)))
                .extracting(WatchResponse.Builder::getAlarmChanged)
                .containsExactly(raised(now));
    }

    private static AlarmChanged raised(Alarm alarm) {
        return AlarmChanged.newBuilder()
                .setDeviceId("ocs-1")
                .setAlarm(alarm)
                .setRaised(true)
                .build();
    }
}
