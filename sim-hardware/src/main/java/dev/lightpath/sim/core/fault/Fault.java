package dev.lightpath.sim.core.fault;

import java.util.List;

/**
 * An active fault.
 *
 * @param id its name
 * @param request the request that injected it
 * @param device the device, -1 for calls of all devices
 * @param ports affected ports; empty for a whole device
 * @param otherPort second port of an exchange, -1 without one
 * @param value how strong, the kind's default filled in
 * @param sinceNanos since when
 */
public record Fault(
        String id,
        FaultRequest request,
        int device,
        List<Integer> ports,
        int otherPort,
        double value,
        long sinceNanos) {
    /** Copies the ports. */
    public Fault {
        ports = List.copyOf(ports);
    }

    /** What happens. */
    public FaultKind kind() {
        return request.kind();
    }
}
