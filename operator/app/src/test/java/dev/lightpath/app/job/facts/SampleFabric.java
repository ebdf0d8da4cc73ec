package dev.lightpath.app.job.facts;

import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** Fabrics of which pods know nothing, and that care for themselves. */
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
                FabricFacts.GPU_RESOURCE,
                false,
                false,
                new FabricGeometry.Unknown());
    }
}
