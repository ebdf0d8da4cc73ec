package dev.lightpath.app.job.facts;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Fabrics that care for themselves. Pods know nothing of them unless a geometry is named. */
public final class SampleFabric {
    private SampleFabric() {}

    public static FabricFacts of(String name, boolean transceivers, int gpusPerNode, Optional<String> forbidden) {
        return of(name, transceivers, gpusPerNode, forbidden, new TreeSet<>());
    }

    /** With ports in quarantine. */
    public static FabricFacts of(
            String name,
            boolean transceivers,
            int gpusPerNode,
            Optional<String> forbidden,
            SortedSet<String> quarantined) {
        return new FabricFacts(
                name,
                transceivers,
                gpusPerNode,
                forbidden,
                quarantined,
                false,
                OptionalInt.empty(),
                FabricFacts.GPU_RESOURCE,
                false,
                false,
                new FabricGeometry.Unknown());
    }

    /** A ring of nodes of 4 GPUs. */
    public static FabricFacts ring(String name, FabricGeometry geometry) {
        return transceivers(name, false, OptionalInt.empty(), geometry);
    }

    /** The same, of which so many GPUs can be used. */
    public static FabricFacts ring(String name, int usableGpus) {
        return transceivers(name, false, OptionalInt.of(usableGpus), new FabricGeometry.Unknown());
    }

    /** The same, that stands still because too much failed at once. */
    public static FabricFacts afterAMassFailure(String name) {
        return transceivers(name, true, OptionalInt.empty(), new FabricGeometry.Unknown());
    }

    private static FabricFacts transceivers(
            String name, boolean massFailure, OptionalInt usableGpus, FabricGeometry geometry) {
        return new FabricFacts(
                name,
                true,
                4,
                Optional.empty(),
                new TreeSet<>(),
                massFailure,
                usableGpus,
                FabricFacts.GPU_RESOURCE,
                false,
                false,
                geometry);
    }

    /** Switches that make what the jobs' traffic asks for, between pods of nodes of 4 GPUs. */
    public static FabricFacts switches(String name, FabricGeometry geometry) {
        return switches(name, false, geometry);
    }

    /** The same between these pods of 16 GPUs, numbered from 0, by links of this rate. */
    public static FabricFacts switches(String name, int gbps, String... pods) {
        TreeMap<Integer, String> numbered = new TreeMap<>();
        for (int pod = 0; pod < pods.length; pod++) {
            numbered.put(pod, pods[pod]);
        }
        return switches(name, new FabricGeometry.Switches(gbps, numbered, 16));
    }

    /** Switches that make twisted tori of nodes of 4 GPUs. */
    public static FabricFacts tori(String name) {
        return switches(name, true, new FabricGeometry.Unknown());
    }

    private static FabricFacts switches(String name, boolean tori, FabricGeometry geometry) {
        return new FabricFacts(
                name,
                false,
                4,
                Optional.empty(),
                new TreeSet<>(),
                false,
                OptionalInt.empty(),
                FabricFacts.GPU_RESOURCE,
                tori,
                !tori,
                geometry);
    }
}
