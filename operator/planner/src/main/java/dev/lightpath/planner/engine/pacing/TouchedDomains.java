package dev.lightpath.planner.engine.pacing;

import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.Stage;
import dev.lightpath.planner.world.FabricIntent;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.RingIntent;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The failure domains of a fabric in which light is being changed. With what is under way a stage touches one domain of
 * each kind at most. So whatever goes wrong with a change, the other domains are as they were. Which changes need not
 * wait says {@link Rollout}. Serves one pass.
 */
final class TouchedDomains {
    /** Of devices that have any. */
    private final Map<DeviceId, OcsSwitch.Domains> domains;

    private final Set<OcsSwitch.Domains> touched = new HashSet<>();

    /**
     * O(switches).
     *
     * @param underWay stages of whatever fabric. A device whose outcome nobody knows is in none: it may be dead, and
     *     holds up nobody
     */
    TouchedDomains(FabricIntent intent, Collection<Stage> underWay) {
        domains = switch (intent) {
            case OcsIntent ocs -> of(ocs);
            case RingIntent ring -> Map.of();
        };
        if (!domains.isEmpty()) {
            underWay.forEach(stage -> stage.devices().forEach(this::take));
        }
    }

    private static Map<DeviceId, OcsSwitch.Domains> of(OcsIntent intent) {
        Map<DeviceId, OcsSwitch.Domains> domains = new HashMap<>();
        for (OcsSwitch each : intent.switches().values()) {
            if (!each.domains().equals(OcsSwitch.Domains.NONE)) {
                domains.put(each.device(), each.domains());
            }
        }
        return domains;
    }

    /** Whether a change of the device stays in them. */
    boolean allow(DeviceId device) {
        OcsSwitch.Domains own = domains.getOrDefault(device, OcsSwitch.Domains.NONE);
        return touched.stream().noneMatch(own::differ);
    }

    void take(DeviceId device) {
        touched.add(domains.getOrDefault(device, OcsSwitch.Domains.NONE));
    }
}
