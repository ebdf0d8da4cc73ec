package dev.lightpath.app.job.facts;

import dev.lightpath.crds.fabric.FabricPod;
import dev.lightpath.crds.fabric.Ocs;
import dev.lightpath.crds.fabric.OcsTrx;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.fabric.OpticalFabricSpec;
import dev.lightpath.crds.fabric.Shape;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a fabric looks like to the pods of a job. */
public sealed interface FabricGeometry {
    /** Nothing is known. */
    record Unknown() implements FabricGeometry {}

    /**
     * Transceivers along a fibre.
     *
     * @param reach farthest hop of a bundle, in positions
     * @param positions length of a ring; 0 of a line
     */
    record Fibre(int reach, int positions) implements FabricGeometry {
        /** Positions from one to another, to the right; on a line negative if the other lies to the left. */
        public int hop(int from, int to) {
            return positions == 0 ? to - from : Math.floorMod(to - from, positions);
        }
    }

    /**
     * Optical switches.
     *
     * @param circuitGbps rate of one circuit in Gb/s, each way
     * @param pods names by index
     * @param gpusOfSmallestPod 0 without pods
     */
    record Switches(int circuitGbps, SortedMap<Integer, String> pods, int gpusOfSmallestPod) implements FabricGeometry {
        public Switches {
            pods = Collections.unmodifiableSortedMap(new TreeMap<>(pods));
        }
    }

    static FabricGeometry of(OpticalFabric fabric) {
        OpticalFabricSpec spec = fabric.getSpec();
        @Nullable OcsTrx fibre = spec.ocsTrx();
        if (fibre != null) {
            @Nullable Integer positions = fibre.positions();
            return new Fibre(fibre.reach(), fibre.shape() == Shape.LINE || positions == null ? 0 : positions);
        }
        @Nullable Ocs switches = spec.ocs();
        if (switches == null) {
            return new Unknown();
        }
        SortedMap<Integer, String> pods = new TreeMap<>();
        for (FabricPod pod : switches.pods()) {
            pods.putIfAbsent(pod.index(), pod.name());
        }
        return new Switches(
                switches.circuitGbps(),
                pods,
                switches.pods().stream().mapToInt(FabricPod::gpus).min().orElse(0));
    }
}
