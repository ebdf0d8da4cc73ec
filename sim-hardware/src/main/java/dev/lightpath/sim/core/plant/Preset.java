package dev.lightpath.sim.core.plant;

import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How a family of devices behaves. A move takes overhead + slew + settle: the overhead and settling times are fixed,
 * the slew is drawn per move.
 *
 * @param name what scenarios call it
 * @param overheadMicros time before anything moves
 * @param slewMinMicros shortest time of the movement itself
 * @param slewMaxMicros longest time of the movement itself
 * @param settleMicros time until light is stable
 * @param parallel whether the moves of a batch are made all at once
 * @param replaces whether a connect breaks what uses its ports; otherwise it is refused
 * @param maxBatch most moves of one batch
 * @param attenuators whether each port of a switch has a variable attenuator
 * @param vendor maker on the nameplate
 * @param model model on the nameplate
 */
public record Preset(
        String name,
        long overheadMicros,
        long slewMinMicros,
        long slewMaxMicros,
        long settleMicros,
        boolean parallel,
        boolean replaces,
        int maxBatch,
        boolean attenuators,
        String vendor,
        String model) {
    /** Checks the times. */
    public Preset {
        if (overheadMicros < 0 || slewMinMicros < 0 || slewMaxMicros < slewMinMicros || settleMicros < 0) {
            throw new IllegalArgumentException("preset " + name + ": move times must be ascending and not negative");
        }
        if (maxBatch < 1) {
            throw new IllegalArgumentException("preset " + name + ": maxBatch " + maxBatch + ", at least 1 is needed");
        }
    }

    /** Time of a typical move. */
    public long typicalMicros() {
        return overheadMicros + (slewMinMicros + slewMaxMicros) / 2 + settleMicros;
    }

    /** Longest time of a healthy move. */
    public long maxMicros() {
        return overheadMicros + slewMaxMicros + settleMicros;
    }

    /** The same with other move times, between the two in total. */
    public Preset withMoveMicros(String otherName, long minMicros, long maxMicros) {
        return new Preset(
                otherName, 0, minMicros, maxMicros, 0, parallel, replaces, maxBatch, attenuators, vendor, model);
    }

    /** The same with other batch behaviour. */
    public Preset withBatches(boolean parallelMoves, boolean replacesOld, int largest) {
        return new Preset(
                name,
                overheadMicros,
                slewMinMicros,
                slewMaxMicros,
                settleMicros,
                parallelMoves,
                replacesOld,
                largest,
                attenuators,
                vendor,
                model);
    }

    /** The same with or without attenuators. */
    public Preset withAttenuators(boolean has) {
        return new Preset(
                name,
                overheadMicros,
                slewMinMicros,
                slewMaxMicros,
                settleMicros,
                parallel,
                replaces,
                maxBatch,
                has,
                vendor,
                model);
    }

    /** The presets every scenario knows, by name: driver-contract section 3. */
    public static SortedMap<String, Preset> known() {
        SortedMap<String, Preset> known = new TreeMap<>();
        for (Preset preset : new Preset[] {
            new Preset("mems", 2_000, 4_000, 19_000, 4_000, true, false, 1024, false, "Lightpath", "EM-MEMS"),
            new Preset("piezo", 2_000, 17_000, 19_000, 5_000, true, true, 1024, true, "Lightpath", "EM-PIEZO"),
            new Preset("liquid-crystal", 5_000, 40_000, 190_000, 5_000, true, false, 256, false, "Lightpath", "EM-LC"),
            new Preset(
                    "robotic",
                    1_000_000,
                    25_000_000,
                    115_000_000,
                    4_000_000,
                    false,
                    false,
                    64,
                    false,
                    "Lightpath",
                    "EM-ROBOT"),
            new Preset("ocstrx", 5, 45, 65, 10, true, true, 64, false, "Lightpath", "EM-OCSTRX"),
            new Preset("ocstrx-paper", 50, 400, 800, 100, true, true, 64, false, "Lightpath", "EM-OCSTRX-1MS"),
            new Preset("fixed", 0, 0, 0, 0, true, false, 1, false, "Lightpath", "EM-TRX"),
        }) {
            known.put(preset.name, preset);
        }
        return known;
    }
}
