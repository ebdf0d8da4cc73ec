package dev.lightpath.console;

import dev.lightpath.crds.fabric.CircuitCounts;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.fabric.OpticalFabricStatus;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Circuits of a fabric that nobody planned: all of them where the fabric is led by the process that is asked, else
 * those that its status names.
 *
 * @param circuits as DEVICE/INGRESS->EGRESS
 * @param unnamed how many there are besides
 */
public record ForeignLight(List<String> circuits, int unnamed) {
    public ForeignLight {
        circuits = List.copyOf(circuits);
    }

    /** @param light null where it was not read back by who is asked */
    public static ForeignLight of(OpticalFabric fabric, @Nullable ReadBack light) {
        if (light != null) {
            return new ForeignLight(light.foreign(), 0);
        }
        OpticalFabricStatus status = fabric.getStatus();
        CircuitCounts counts = status == null ? null : status.circuits();
        if (counts == null) {
            return new ForeignLight(List.of(), 0);
        }
        return new ForeignLight(
                counts.foreignCircuits(),
                Math.max(0, counts.foreign() - counts.foreignCircuits().size()));
    }

    /** The devices that those are on which are named. */
    public Set<String> devices() {
        return ReadBack.devices(circuits);
    }
}
