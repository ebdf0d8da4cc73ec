package dev.lightpath.planner.engine.probing;

import dev.lightpath.planner.discovery.Voice;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.FarEnd;
import dev.lightpath.planner.light.PortLight;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.OcsPod;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.World;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Which far end hears which, of all devices behind the drivers of a fabric that are none of its switches. */
final class Voices {
    static final Comparator<FarEnd> BY_NAME =
            Comparator.comparing(FarEnd::device).thenComparing(FarEnd::port);

    private final SortedMap<FarEnd, FarEnd> speakers = new TreeMap<>(BY_NAME);
    private final SortedMap<FarEnd, OptionalDouble> powers = new TreeMap<>(BY_NAME);
    private final boolean whole;

    private Voices(boolean whole) {
        this.whole = whole;
    }

    /** Linear in ports of all devices. */
    static Voices of(World world, OcsIntent intent) {
        Set<String> devices = new HashSet<>();
        Map<String, DeviceState> seen = new TreeMap<>();
        Set<String> switches = new HashSet<>();
        intent.switches().values().stream()
                .map(OcsSwitch::device)
                .forEach(id -> switches.add(id.device() + "@" + id.driver()));
        for (String driver : intent.drivers()) {
            if (world.driver(driver).synced()) {
                world.driver(driver).devices().forEach((name, device) -> {
                    if (!switches.contains(name + "@" + driver)) {
                        seen.putIfAbsent(name, device);
                        if (device.present()) {
                            devices.add(name);
                        }
                    }
                });
            }
        }
        Voices voices = new Voices(intent.pods().stream().map(OcsPod::name).allMatch(devices::contains));
        seen.forEach(voices::listen);
        return voices;
    }

    private void listen(String name, DeviceState device) {
        if (!device.present()) {
            return;
        }
        device.light().forEach((port, light) -> {
            if (light.lock() == PortLight.Lock.UP) {
                light.heard().ifPresent(speaker -> {
                    FarEnd receiver = new FarEnd(name, port);
                    speakers.put(receiver, speaker);
                    powers.put(receiver, light.receivedPowerDbm());
                });
            }
        });
    }

    /** Whom each far end hears. */
    SortedMap<FarEnd, FarEnd> speakers() {
        return speakers;
    }

    /** Whether the far ends of every pod can be heard: else silence proves nothing. */
    boolean whole() {
        return whole;
    }

    boolean has(Voice voice) {
        return voice.speaker().equals(speakers.get(voice.receiver()));
    }

    OptionalDouble power(FarEnd receiver) {
        return powers.getOrDefault(receiver, OptionalDouble.empty());
    }

    /** Voices that were not there before. */
    List<Voice> since(Map<FarEnd, FarEnd> before) {
        List<Voice> fresh = new ArrayList<>();
        speakers.forEach((receiver, speaker) -> {
            if (!speaker.equals(before.get(receiver))) {
                fresh.add(new Voice(receiver, speaker, power(receiver)));
            }
        });
        return fresh;
    }
}
