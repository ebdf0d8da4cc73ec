package dev.lightpath.planner.engine.state;

import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.FarEnd;
import dev.lightpath.planner.light.PortLight;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.OcsPod;
import dev.lightpath.planner.world.World;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What the transceivers of pods hear, where a driver tells of them as a device of the pod's name. Which of its ports
 * ends on which switch need not be written down: a pod hears the names of those whose light reaches it.
 */
public final class PeerObservations {
    private final Map<String, DeviceState> devices = new HashMap<>();
    private final Map<String, Map<String, Integer>> heard = new HashMap<>();

    private PeerObservations() {}

    /** Linear in ports of far ends. */
    static PeerObservations of(World world, OcsIntent intent) {
        PeerObservations ends = new PeerObservations();
        for (OcsPod pod : intent.pods()) {
            for (String driver : intent.drivers()) {
                DeviceState device = world.driver(driver).synced()
                        ? world.driver(driver).devices().get(pod.name())
                        : null;
                if (device != null && ends.devices.putIfAbsent(pod.name(), device) == null) {
                    ends.listen(pod.name(), device);
                }
            }
        }
        return ends;
    }

    private void listen(String pod, DeviceState device) {
        if (!device.present()) {
            return;
        }
        Map<String, Integer> voices = new HashMap<>();
        for (PortLight light : device.light().values()) {
            Optional<FarEnd> speaker = light.heard();
            if (light.lock() == PortLight.Lock.UP && speaker.isPresent()) {
                voices.merge(speaker.get().device(), 1, Integer::sum);
            }
        }
        heard.put(pod, voices);
    }

    /** The device of a pod's far ends, if a driver tells of one. */
    Optional<DeviceState> device(String pod) {
        return Optional.ofNullable(devices.get(pod));
    }

    /** Whether a driver tells of both pods' far ends, whether they answer or not. */
    public boolean told(String from, String to) {
        return devices.containsKey(from) && devices.containsKey(to);
    }

    /** Whether a pod's far ends answer. */
    public boolean listens(String pod) {
        return heard.containsKey(pod);
    }

    /** Whether both pods' far ends can be asked. */
    boolean know(String from, String to) {
        return heard.containsKey(from) && heard.containsKey(to);
    }

    /** Whom a pod hears on one of its ports. */
    Optional<String> speaker(String by, String port) {
        return device(by)
                .filter(DeviceState::present)
                .map(device -> device.lightAt(port))
                .filter(light -> light.lock() == PortLight.Lock.UP)
                .flatMap(PortLight::heard)
                .map(FarEnd::device);
    }

    /** On how many ports a pod hears another. */
    public int heard(String by, String speaker) {
        return heard.getOrDefault(by, Map.of()).getOrDefault(speaker, 0);
    }
}
