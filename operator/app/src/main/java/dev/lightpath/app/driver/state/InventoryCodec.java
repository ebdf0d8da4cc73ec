package dev.lightpath.app.driver.state;

import dev.lightpath.planner.light.FarEnd;
import dev.lightpath.planner.light.Inventory;
import dev.lightpath.planner.light.Inventory.Make;
import dev.lightpath.planner.light.Inventory.Side;
import dev.lightpath.proto.driver.v1alpha1.Device;
import dev.lightpath.proto.driver.v1alpha1.DeviceInventory;
import dev.lightpath.proto.driver.v1alpha1.Port;
import dev.lightpath.proto.driver.v1alpha1.PortRef;
import dev.lightpath.proto.driver.v1alpha1.PortSide;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** What a device consists of, from the wire to the planner's value. Pure and total. */
final class InventoryCodec {
    private InventoryCodec() {}

    /** Of a port that is listed twice the first counts; the stream's listing names it. */
    static Inventory inventory(DeviceInventory listed, Device device) {
        SortedMap<String, Side> ports = new TreeMap<>();
        listed.getPortsList().stream()
                .filter(port -> !port.getName().isEmpty())
                .forEach(port -> ports.putIfAbsent(port.getName(), side(port.getSide())));
        SortedMap<String, SortedSet<String>> paths = new TreeMap<>();
        listed.getPathsList()
                .forEach(path -> paths.computeIfAbsent(path.getCommonPort(), port -> new TreeSet<>())
                        .add(path.getLinePort()));
        Make make = new Make(device.getVendor(), device.getModel(), device.getFirmware());
        return new Inventory(make, ports, paths, paths.isEmpty() ? peers(listed) : new TreeMap<>());
    }

    /**
     * Where fibres end. Transceivers that choose between lines name their far end by light; without hints they are
     * alike.
     */
    private static SortedMap<String, FarEnd> peers(DeviceInventory listed) {
        SortedMap<String, FarEnd> peers = new TreeMap<>();
        for (Port port : listed.getPortsList()) {
            PortRef hint = port.getPeerHint();
            if (!hint.getDeviceId().isEmpty() && !hint.getPort().isEmpty()) {
                peers.putIfAbsent(port.getName(), new FarEnd(hint.getDeviceId(), hint.getPort()));
            }
        }
        return peers;
    }

    private static Side side(PortSide side) {
        return switch (side) {
            case PORT_SIDE_BOTH -> Side.BOTH;
            case PORT_SIDE_INGRESS -> Side.INGRESS;
            case PORT_SIDE_EGRESS -> Side.EGRESS;
            case PORT_SIDE_COMMON -> Side.COMMON;
            case PORT_SIDE_LOOP -> Side.LOOP;
            case PORT_SIDE_LINE -> Side.LINE;
            case PORT_SIDE_UNSPECIFIED, UNRECOGNIZED -> Side.UNKNOWN;
        };
    }
}
