package dev.lightpath.console;

import dev.lightpath.console.report.ShownCondition;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.Reason;
import dev.lightpath.crds.fabric.CircuitCounts;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.fabric.OpticalFabricStatus;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Circuits of a fabric that nobody planned: all of them where the fabric is led by the process that is asked, else those that
 * its status names.
 *
 * @param circuits as DEVICE/INGRESS->EGRESS
 * @param unnamed how many there are besides
 */
public record ForeignLight(List<String> circuits, int unnamed) {
    /** As a condition names them in its sentence. */
    private static final Pattern CIRCUIT = Pattern.compile("[^\\s,:;(]+/[^\\s,;()]+->[^\\s,;()]+");

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
        if (status == null || counts == null || counts.foreign() == 0) {
            return new ForeignLight(List.of(), 0);
        }
        ShownCondition inSync = ShownCondition.find(ShownCondition.of(status.conditions()), ConditionType.IN_SYNC);
        List<String> named = inSync.reason().equals(Reason.FOREIGN_CIRCUITS.word())
                ? CIRCUIT.matcher(inSync.message())
                        .results()
                        .map(MatchResult::group)
                        .distinct()
                        .toList()
                : List.of();
        return new ForeignLight(named, Math.max(0, counts.foreign() - named.size()));
    }

    /** The devices that those are on which are named. */
    public Set<String> devices() {
        return ReadBack.devices(circuits);
    }
}
