package dev.lightpath.console.report;

import dev.lightpath.crds.fabric.DegradingPort;
import dev.lightpath.crds.fabric.FaultRecord;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.fabric.OpticalFabricStatus;
import dev.lightpath.planner.health.Finding;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Ports of a fabric whose light gets worse, as its status tells them. */
public final class DegradingLight {
    private static final String PORT = "port/";

    private DegradingLight() {}

    /**
     * Those that are told of, and those that were taken out and are not measured any more. Linear in both and in
     * faults.
     */
    public static List<DegradingPort> ports(OpticalFabric fabric) {
        OpticalFabricStatus status = fabric.getStatus();
        if (status == null) {
            return List.of();
        }
        List<DegradingPort> ports = new ArrayList<>(
                status.opticalHealth() == null
                        ? List.of()
                        : status.opticalHealth().ports());
        Set<String> told = new HashSet<>();
        ports.forEach(port -> told.add(port.port()));
        for (FaultRecord fault : status.faults()) {
            if (fault.reason().equals(Finding.REASON)
                    && fault.subject().startsWith(PORT)
                    && told.add(fault.subject().substring(PORT.length()))) {
                ports.add(new DegradingPort(
                        fault.subject().substring(PORT.length()),
                        null,
                        fault.since(),
                        "got worse, and is not measured any more",
                        DegradingPort.Course.TAKEN_OUT));
            }
        }
        return List.copyOf(ports);
    }

    /** How many get worse beside those that the status names. */
    public static int unnamed(OpticalFabric fabric) {
        OpticalFabricStatus status = fabric.getStatus();
        return status == null || status.opticalHealth() == null
                ? 0
                : Math.max(
                        0,
                        status.opticalHealth().degradingPorts()
                                - status.opticalHealth().ports().size());
    }

    /** Which port, what was measured, since when, and what is done about it. */
    public static String told(DegradingPort port) {
        return port.port() + " " + port.measured() + ", since " + port.since()
                + (port.seenAt() == null ? "" : ", seen at " + port.seenAt())
                + ": "
                + switch (port.course()) {
                    case TOLD -> "it is only told, and stays in use";
                    case LEAVING -> "it becomes a fault in a moment, and its circuits leave it";
                    case TAKEN_OUT ->
                        "it is taken out: its circuits leave it within the disruption budget, when their job lets them";
                    case HELD -> "it stays in use, because its circuits find no other place";
                };
    }
}
