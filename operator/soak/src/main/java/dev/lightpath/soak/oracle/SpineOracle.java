package dev.lightpath.soak.oracle;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;

/** Whether the light of optical switches is that of the records, and the records can be. */
public final class SpineOracle {
    private SpineOracle() {}

    /**
     * Everything that is wrong, one line each.
     *
     * @param recorded circuits by job
     * @param pods indices of the pods of each job
     * @param broken ports as `device/port`, and devices, that can lead no light
     */
    public static List<String> violations(
            SpineScheme spine,
            SortedMap<String, SortedSet<Beam>> recorded,
            SortedMap<String, SortedSet<Integer>> pods,
            Set<String> broken,
            Collection<Beam> light) {
        List<String> wrong = new ArrayList<>();
        Map<String, String> holder = new HashMap<>();
        recorded.forEach((job, circuits) -> {
            for (Beam circuit : circuits) {
                for (String port : List.of(circuit.ingress(), circuit.egress())) {
                    String at = circuit.device() + "/" + port;
                    String other = holder.put(at, job);
                    if (other != null) {
                        wrong.add("port " + at + " is recorded twice: of " + other + " and " + job);
                    }
                    Integer pod = spine.pods().get(at);
                    if (pod == null || !pods.getOrDefault(job, new TreeSet<>()).contains(pod)) {
                        wrong.add(circuit + " of " + job + " is recorded on port " + at + " of "
                                + (pod == null ? "no pod" : "pod " + pod + ", which the job does not have"));
                    }
                }
            }
        });
        SortedSet<Beam> all = new TreeSet<>();
        recorded.values().forEach(all::addAll);
        SortedSet<Beam> lit = new TreeSet<>();
        light.stream().filter(spine::has).forEach(lit::add);
        for (Beam beam : lit) {
            if (!all.contains(beam)) {
                wrong.add(beam + " is lit and recorded nowhere");
            }
        }
        for (Beam beam : all) {
            if (!lit.contains(beam) && isSound(beam, broken)) {
                wrong.add(beam + " is recorded and dark");
            }
        }
        return wrong;
    }

    /** Whether nothing that leads it is broken. */
    public static boolean isSound(Beam beam, Set<String> broken) {
        return !broken.contains(beam.device())
                && !broken.contains(beam.device() + "/" + beam.ingress())
                && !broken.contains(beam.device() + "/" + beam.egress());
    }
}
