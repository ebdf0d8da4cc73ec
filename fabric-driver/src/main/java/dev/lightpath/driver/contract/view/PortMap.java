package dev.lightpath.driver.contract.view;

import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.adapter.DeviceDescription;
import dev.lightpath.proto.driver.v1alpha1.ErrorReason;
import dev.lightpath.proto.driver.v1alpha1.Port;
import dev.lightpath.proto.driver.v1alpha1.PortSide;
import dev.lightpath.proto.driver.v1alpha1.SelectablePath;
import dev.lightpath.proto.driver.v1alpha1.Sidedness;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a device's inventory says about which ports may meet, and which uses of a port exclude each other. */
public final class PortMap {
    private final String deviceId;
    private final Map<String, PortSide> sides = new HashMap<>();
    private final Set<CircuitPair> paths = new HashSet<>();
    private final Set<CircuitPair> powerOnPositions = new HashSet<>();
    private final boolean twoSided;

    public PortMap(DeviceDescription description) {
        this.deviceId = description.deviceId();
        this.twoSided = description.capabilities().getSidedness() == Sidedness.SIDEDNESS_TWO_SIDED;
        for (Port port : description.inventory().getPortsList()) {
            sides.put(port.getName(), port.getSide());
        }
        for (SelectablePath path : description.inventory().getPathsList()) {
            CircuitPair pair = new CircuitPair(path.getCommonPort(), path.getLinePort());
            paths.add(pair);
            if (path.getPowerOnPosition()) {
                powerOnPositions.add(pair);
            }
        }
    }

    /** True when the device takes this position by itself on power-on. */
    public boolean isPowerOnPosition(CircuitPair pair) {
        return powerOnPositions.contains(pair);
    }

    public boolean has(String port) {
        return sides.containsKey(port);
    }

    /** Refuses ports the device does not have. */
    public void requirePort(String port) {
        if (!has(port)) {
            throw ContractException.invalid(
                    ErrorReason.ERROR_REASON_NO_SUCH_PORT,
                    deviceId + " has no port '" + port + "'",
                    Map.of("port", port));
        }
    }

    /** Refuses circuits that could never be: unknown ports, wrong sides, a line port of another module. */
    public void requirePossible(CircuitPair pair) {
        requirePort(pair.ingress());
        requirePort(pair.egress());
        PortSide in = sides.getOrDefault(pair.ingress(), PortSide.PORT_SIDE_UNSPECIFIED);
        PortSide out = sides.getOrDefault(pair.egress(), PortSide.PORT_SIDE_UNSPECIFIED);
        if (in == PortSide.PORT_SIDE_COMMON ? !paths.contains(pair) : !mayEnter(in) || !mayLeave(out)) {
            String wrong = mayEnter(in) ? pair.egress() : pair.ingress();
            throw ContractException.invalid(
                    ErrorReason.ERROR_REASON_NO_SUCH_PORT,
                    deviceId + ": light cannot pass " + pair + ", the ports' sides are " + word(in) + " and "
                            + word(out),
                    Map.of("port", wrong));
        }
        if (!twoSided && pair.ingress().equals(pair.egress())) {
            throw usedTwice(pair.ingress());
        }
    }

    private static boolean mayEnter(PortSide side) {
        return side == PortSide.PORT_SIDE_BOTH
                || side == PortSide.PORT_SIDE_INGRESS
                || side == PortSide.PORT_SIDE_COMMON;
    }

    private static boolean mayLeave(PortSide side) {
        return side == PortSide.PORT_SIDE_BOTH || side == PortSide.PORT_SIDE_EGRESS;
    }

    private static String word(PortSide side) {
        return side.name().replace("PORT_SIDE_", "");
    }

    /** Refuses a set of circuits in which a port has two uses. */
    public void requireDisjoint(List<CircuitPair> pairs) {
        Set<String> used = new HashSet<>();
        for (CircuitPair pair : pairs) {
            if (!used.add(ingressUse(pair.ingress()))) {
                throw usedTwice(pair.ingress());
            }
            if (!used.add(egressUse(pair))) {
                throw usedTwice(pair.egress());
            }
        }
    }

    private ContractException usedTwice(String port) {
        return ContractException.invalid(
                ErrorReason.ERROR_REASON_PORT_USED_TWICE,
                deviceId + ": the request uses port '" + port + "' twice",
                Map.of("port", port));
    }

    /** Which of these circuits uses a port. */
    public PortUses uses(Collection<CircuitPair> circuits) {
        return new PortUses(this, circuits);
    }

    /** Circuits with a use in common exclude each other. */
    List<String> uses(CircuitPair pair) {
        return List.of(ingressUse(pair.ingress()), egressUse(pair));
    }

    /** On a two-sided device the ingress and the egress of one name are different places. */
    static String ingressUse(String ingress) {
        return "in:" + ingress;
    }

    private String egressUse(CircuitPair pair) {
        return (twoSided ? "out:" : "in:") + pair.egress();
    }
}
