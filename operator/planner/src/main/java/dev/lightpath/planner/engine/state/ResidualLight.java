package dev.lightpath.planner.engine.state;

import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.FarEnd;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.ocs.OcsWiring;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.World;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Light that no record plans any more and that may be lit still, because its switch does not answer. Pods hear it as
 * they hear what is planned, so it proves nothing of that.
 */
public final class ResidualLight {
    private final Map<OcsWiring.Ends, Integer> heard = new HashMap<>();
    private final Map<OcsWiring.Ends, Integer> possiblyLit = new HashMap<>();

    private final Map<OcsWiring.Ends, SortedMap<SliceId, String>> leavers = new HashMap<>();
    private final Set<Receiving> heardAt = new HashSet<>();
    private final Set<Receiving> possiblyLitAt = new HashSet<>();

    /** A port that leads one pod's light to another: it is heard once, however many left a circuit there. */
    private record Receiving(OcsWiring.Ends ends, String opticalSwitch, String port) {}

    private ResidualLight() {}

    /**
     * Linear in circuits that go dark.
     *
     * @param planned the light of all records: what one of them holds is planned, though another one leaves it
     */
    static ResidualLight of(
            World world, OcsWiring wiring, PeerObservations farEnds, List<SliceState> slices, SwitchedLight planned) {
        ResidualLight residual = new ResidualLight();
        for (SliceState slice : slices) {
            Allocation recorded = slice.recorded().orElse(null);
            if (recorded == null || recorded.darkening().isEmpty()) {
                continue;
            }
            recorded.darkening().forEach((name, circuit) -> {
                OcsSwitch of = wiring.intent().switches().get(name);
                DeviceState device =
                        of == null ? null : world.device(of.device()).orElse(null);
                if (of == null
                        || (device != null && device.present())
                        || planned.on(name).contains(circuit)) {
                    return;
                }
                wiring.ways(name, circuit)
                        .forEach(way -> residual.add(farEnds, device, way.ends(), name, way.out(), slice));
            });
        }
        return residual;
    }

    private void add(
            PeerObservations farEnds,
            @Nullable DeviceState device,
            OcsWiring.Ends ends,
            String opticalSwitch,
            String port,
            SliceState slice) {
        FarEnd receiver = device == null ? null : device.peers().get(port);
        if (receiver == null || !receiver.device().equals(ends.to())) {
            // what a job was moved away from was not seen any more
            if (!slice.placed() && possiblyLitAt.add(new Receiving(ends, opticalSwitch, port))) {
                possiblyLit.merge(ends, 1, Integer::sum);
                leavers.computeIfAbsent(ends, pair -> new TreeMap<>()).putIfAbsent(slice.id(), opticalSwitch);
            }
        } else if (farEnds.speaker(ends.to(), receiver.port())
                        .filter(ends.from()::equals)
                        .isPresent()
                && heardAt.add(new Receiving(ends, opticalSwitch, port))) {
            heard.merge(ends, 1, Integer::sum);
        }
    }

    /** Circuits between two pods that are heard on ports where their fibres end. */
    int heard(OcsWiring.Ends ends) {
        return heard.getOrDefault(ends, 0);
    }

    /** The same, with those whose fibres end at an unknown place. */
    public int possible(OcsWiring.Ends ends) {
        return heard(ends) + possiblyLit.getOrDefault(ends, 0);
    }

    /**
     * Slices that left circuits between two pods, or circuits whose fibres end at an unknown place, with a switch of
     * each.
     */
    public SortedMap<SliceId, String> leavers(OcsWiring.Ends ends) {
        return leavers.getOrDefault(ends, Collections.emptySortedMap());
    }
}
