package dev.lightpath.sim.scenario;

import dev.lightpath.sim.core.plant.Cabling;
import java.util.List;

/**
 * Fibres as pairs of ports: one-way strands {leaves, enters} and duplex fibres {a, b}.
 *
 * @param strands one-way strands
 * @param duplexes duplex fibres
 */
public record Wiring(List<int[]> strands, List<int[]> duplexes) {
    /** Copies the lists. */
    public Wiring {
        strands = List.copyOf(strands);
        duplexes = List.copyOf(duplexes);
    }

    void plugInto(Cabling cabling) {
        for (int[] strand : strands) {
            cabling.strand(strand[0], strand[1]);
        }
        for (int[] duplex : duplexes) {
            cabling.duplex(duplex[0], duplex[1]);
        }
    }
}
