package dev.lightpath.driver.server;

import dev.lightpath.proto.driver.v1alpha1.PortOverride;

/** Ports that a person has taken out of service. Every report of their administrative state says so. */
final class OutOfService {
    private OutOfService() {}

    static boolean by(PortOverride override) {
        return switch (override) {
            case PORT_OVERRIDE_OUT_OF_SERVICE, PORT_OVERRIDE_SHUTTERED -> true;
            case PORT_OVERRIDE_NONE, PORT_OVERRIDE_UNSPECIFIED, UNRECOGNIZED -> false;
        };
    }
}
