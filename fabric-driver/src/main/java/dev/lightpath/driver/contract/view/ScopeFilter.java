package dev.lightpath.driver.contract.view;

import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.proto.driver.v1alpha1.DeviceScope;
import dev.lightpath.proto.driver.v1alpha1.Scope;
import java.util.Set;

/** Which ports of a device a caller answers for. {@code ports} is empty when all are meant. */
public record ScopeFilter(boolean allPorts, Set<String> ports) {
    public static final ScopeFilter ALL = new ScopeFilter(true, Set.of());

    public ScopeFilter {
        ports = Set.copyOf(ports);
    }

    public static ScopeFilter of(Scope scope) {
        return scope.getAllPorts() ? ALL : new ScopeFilter(false, Set.copyOf(scope.getPortsList()));
    }

    /** The scope of a read: all ports when it names none. */
    public static ScopeFilter ofRead(DeviceScope device) {
        return device.hasScope() && device.getScope().getPortsCount() > 0 ? of(device.getScope()) : ALL;
    }

    public boolean covers(String port) {
        return allPorts || ports.contains(port);
    }

    /** True when one end is inside: such a circuit is seen. */
    public boolean touches(CircuitPair pair) {
        return covers(pair.ingress()) || covers(pair.egress());
    }

    /** True when both ends are inside: such a circuit may be changed. */
    public boolean contains(CircuitPair pair) {
        return covers(pair.ingress()) && covers(pair.egress());
    }
}
