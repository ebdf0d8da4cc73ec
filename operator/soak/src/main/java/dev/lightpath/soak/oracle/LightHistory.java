package dev.lightpath.soak.oracle;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** What light did from one moment to the next: the emulator's log played over the light before. */
public final class LightHistory {
    /** @param lit whether light began, or ceased, to pass there */
    public record Entry(Beam beam, boolean lit) {}

    private final SortedSet<Beam> light;
    private final Map<String, Beam> byPort = new HashMap<>();
    private final SortedMap<Beam, Integer> darkened = new TreeMap<>();
    private final List<String> doubled = new ArrayList<>();
    private int began;

    private LightHistory(Collection<Beam> before) {
        light = new TreeSet<>(before);
        before.forEach(this::occupy);
    }

    public static LightHistory of(Collection<Beam> before, List<Entry> entries) {
        LightHistory history = new LightHistory(before);
        entries.forEach(history::play);
        return history;
    }

    private void play(Entry entry) {
        Beam beam = entry.beam();
        if (entry.lit()) {
            began++;
            occupy(beam);
            light.add(beam);
        } else {
            light.remove(beam);
            byPort.remove(ingress(beam), beam);
            byPort.remove(egress(beam), beam);
            darkened.merge(beam, 1, Integer::sum);
        }
    }

    private void occupy(Beam beam) {
        for (String port : List.of(ingress(beam), egress(beam))) {
            Beam other = byPort.put(port, beam);
            if (other != null && !other.equals(beam)) {
                doubled.add("two circuits at one instant at " + port + ": " + other + " and " + beam);
            }
        }
    }

    private static String ingress(Beam beam) {
        return beam.device() + "/" + beam.ingress() + " (in)";
    }

    private static String egress(Beam beam) {
        return beam.device() + "/" + beam.egress() + " (out)";
    }

    /** The light at the end. */
    public SortedSet<Beam> light() {
        return light;
    }

    /** Circuits that went dark, and how often. */
    public SortedMap<Beam, Integer> darkened() {
        return darkened;
    }

    /** Ports that two circuits used at one instant, one line each. */
    public List<String> doubled() {
        return doubled;
    }

    /** Circuits on which light began to pass. */
    public int began() {
        return began;
    }
}
