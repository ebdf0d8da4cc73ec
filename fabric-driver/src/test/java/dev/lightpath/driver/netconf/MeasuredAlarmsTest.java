package dev.lightpath.driver.netconf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.driver.adapter.PortLayout;
import dev.lightpath.driver.session.LostException;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** Alarms by the limits that a switch names. */
final class MeasuredAlarmsTest {
    private static final PortLayout LAYOUT = new PortLayout(8, 0);

    private final MeasuredAlarms alarms = new MeasuredAlarms(Clock.systemUTC());

    private static List<Element> rows(String rows) throws LostException {
        return Xml.read(("<all>" + rows + "</all>").getBytes(StandardCharsets.UTF_8))
                .children("port");
    }

    private static PowerLimits limits(String mode, String offsets) throws LostException {
        return PowerLimits.of(
                rows("<port><port-id>3</port-id><mode>" + mode + "</mode><signal-low-threshold>-20.0"
                        + "</signal-low-threshold><signal-degrade-threshold>-15.5</signal-degrade-threshold>"
                        + "<signal-high-threshold>4.00</signal-high-threshold></port>"),
                rows(offsets),
                OptionalDouble.of(2),
                LAYOUT);
    }

    private static PowerLimits limits() throws LostException {
        return limits("POWER_ALARM_ENABLED", "");
    }

    private List<String> after(PowerLimits limits, double dbm) {
        PortStatus port =
                PortStatus.newBuilder().setPort("3").setReceivePowerDbm(dbm).build();
        return alarms.after(limits, List.of(port)).stream()
                .map(alarm -> alarm.getKind() + " " + alarm.getWhere() + ": " + alarm.getNativeText())
                .toList();
    }

    @Test
    void eachLimitHasItsAlarm() throws Exception {
        assertThat(after(limits(), -3)).isEmpty();
        assertThat(after(limits(), -20.1))
                .containsExactly("ALARM_KIND_LOW_POWER 3: receive power below -20.00 dBm, by opm-alarm-config");
        assertThat(after(limits(), 4.1))
                .containsExactly("ALARM_KIND_HIGH_POWER 3: receive power above 4.00 dBm, by opm-alarm-config");
        assertThat(after(limits(), -15.6))
                .containsExactly("ALARM_KIND_DEGRADED 3: receive power below -15.50 dBm, by opm-alarm-config");
    }

    @Test
    void anAlarmEndsALittleInsideItsLimit() throws Exception {
        assertThat(after(limits(), -15.0)).isEmpty();
        assertThat(after(limits(), -15.6)).hasSize(1);
        assertThat(after(limits(), -13.6)).hasSize(1);
        assertThat(after(limits(), -13.4)).isEmpty();
        assertThat(after(limits(), -13.6)).isEmpty();
    }

    @Test
    void anAlarmThatStandsKeepsItsTime() throws Exception {
        PortStatus weak =
                PortStatus.newBuilder().setPort("3").setReceivePowerDbm(-25).build();
        var first = alarms.after(limits(), List.of(weak));
        PortStatus weaker = weak.toBuilder().setReceivePowerDbm(-26).build();
        assertThat(alarms.after(limits(), List.of(weaker))).isEqualTo(first);
    }

    /** Else every egress that nothing is connected to would count as faulty. */
    @Test
    void aPortWithoutLightIsNoWeakPort() throws Exception {
        assertThat(after(limits(), -25)).hasSize(1);
        assertThat(after(limits(), -60)).isEmpty();
    }

    @Test
    void limitsAreWithoutTheOffsetThatTheMeterAdds() throws Exception {
        PowerLimits shown = limits("POWER_ALARM_ENABLED", "<port><port-id>3</port-id><offset>-5.00</offset></port>");
        assertThat(after(shown, -18)).isEmpty();
        assertThat(after(shown, -25.1)).hasSize(1);
    }

    @Test
    void aPortWhoseAlarmsAreOffHasNone() throws Exception {
        assertThat(after(limits("POWER_ALARM_DISABLED", ""), -25)).isEmpty();
        assertThat(after(PowerLimits.NONE, -25)).isEmpty();
        assertThat(alarms.after(
                        limits(), List.of(PortStatus.newBuilder().setPort("3").build())))
                .isEmpty();
    }

    @Test
    void aPortThatTheSwitchDoesNotHaveIsOneLineAndTheOthersCount() throws Exception {
        PowerLimits limits = PowerLimits.of(
                rows("<port><port-id>9</port-id><mode>POWER_ALARM_ENABLED</mode></port>"
                        + "<port><port-id>3</port-id><mode>POWER_ALARM_ENABLED</mode></port>"),
                rows("<port><port-id>10</port-id></port>"),
                OptionalDouble.empty(),
                LAYOUT);
        assertThat(limits.ofPorts()).containsOnlyKeys("3");
        assertThat(limits.leftOut())
                .isEqualTo("opm-config names port '10', but the device was described with ports 1 to 8");
    }
}
