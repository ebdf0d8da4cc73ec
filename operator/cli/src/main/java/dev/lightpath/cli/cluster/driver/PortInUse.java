package dev.lightpath.cli.cluster.driver;

import dev.lightpath.cli.cluster.access.Cluster;
import dev.lightpath.cli.cluster.access.DriverUse;
import dev.lightpath.console.text.BadInput;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.proto.driver.v1alpha1.DeviceCircuits;
import dev.lightpath.proto.driver.v1alpha1.Fencing;
import dev.lightpath.proto.driver.v1alpha1.PortOverride;
import dev.lightpath.proto.driver.v1alpha1.SetPortOverrideRequest;
import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import java.util.List;

/** One port of a switch, taken out of use or back into it at its driver: SetPortOverride of the driver's contract. */
public final class PortInUse {
    private static final String REASON = "kubectl lightpath drain";

    private PortInUse() {}

    /**
     * Speaks with the operator's certificate and role: the driver lets nobody else change a device that an operator
     * holds.
     *
     * @param namespace of the operator, where the Secrets of its certificates are
     * @return whether it was otherwise before
     */
    public static boolean set(Cluster api, String namespace, OpticalSwitch of, String port, boolean inUse) {
        DriverUse driver = DriverUse.all(List.of(), List.of(of), List.of(), 0).getFirst();
        String device = of.getSpec().driver().deviceId();
        PortOverride wanted = inUse ? PortOverride.PORT_OVERRIDE_NONE : PortOverride.PORT_OVERRIDE_OUT_OF_SERVICE;
        try (DriverLine line = DriverLine.open(api, driver, credentials(api, namespace, driver))) {
            PortOverride before = line.override(device, port);
            boolean wasInUse = before == PortOverride.PORT_OVERRIDE_NONE
                    || before == PortOverride.PORT_OVERRIDE_UNSPECIFIED
                    || before == PortOverride.UNRECOGNIZED;
            if (wasInUse == inUse) {
                return false;
            }
            DeviceCircuits held = line.device(device);
            String own = DriverLine.role(api, of.getSpec().fabric());
            if (!held.getHoldingRole().equals(own)) {
                throw new BadInput("switch/" + of.getMetadata().getName() + ": the driver's device " + device
                        + (held.getHoldingRole().isEmpty()
                                ? " is held by nobody: no circuit was made on it yet, so leave the port out of spec.wiring"
                                : " is held by '" + held.getHoldingRole() + "', not by this cluster"));
            }
            line.override(SetPortOverrideRequest.newBuilder()
                    .setDeviceId(device)
                    .setFencing(Fencing.newBuilder().setRole(own).setEpoch(held.getHighestEpoch()))
                    .setPort(port)
                    .setOverride(wanted)
                    .setReason(REASON)
                    .build());
            return true;
        }
    }

    private static ChannelCredentials credentials(Cluster api, String namespace, DriverUse driver) {
        return driver.secret()
                .map(name -> DriverAdmin.ofSecret(api, namespace + "/" + name))
                .orElseGet(InsecureChannelCredentials::create);
    }
}
