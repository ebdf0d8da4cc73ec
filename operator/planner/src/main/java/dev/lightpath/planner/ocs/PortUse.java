package dev.lightpath.planner.ocs;

import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.stripe.DeviceKind;
import java.util.List;

/** One side of one port of a switch: what no two circuits may share. */
public record PortUse(String opticalSwitch, Side side, String port) {
    /** On a two-sided device an ingress and an egress of one name are different places. */
    public enum Side {
        INGRESS,
        EGRESS,
        BOTH
    }

    /** Names that differ in their last digits alone would often have the same sum. */
    @Override
    public int hashCode() {
        return opticalSwitch.hashCode() * 0x9E3779B1 + side.ordinal() * 0x27D4EB2F + port.hashCode();
    }

    /** Where light enters a switch. */
    public static PortUse ingress(String opticalSwitch, DeviceKind kind, String port) {
        return new PortUse(opticalSwitch, kind == DeviceKind.TWO_SIDED ? Side.INGRESS : Side.BOTH, port);
    }

    /** Where light leaves a switch. */
    public static PortUse egress(String opticalSwitch, DeviceKind kind, String port) {
        return new PortUse(opticalSwitch, kind == DeviceKind.TWO_SIDED ? Side.EGRESS : Side.BOTH, port);
    }

    /** Both ends of a circuit. */
    public static List<PortUse> of(String opticalSwitch, DeviceKind kind, Circuit circuit) {
        return List.of(ingress(opticalSwitch, kind, circuit.ingress()), egress(opticalSwitch, kind, circuit.egress()));
    }
}
