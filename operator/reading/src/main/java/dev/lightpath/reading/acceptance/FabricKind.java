package dev.lightpath.reading.acceptance;

import dev.lightpath.crds.fabric.Ocs;
import dev.lightpath.crds.fabric.OcsTrx;
import dev.lightpath.crds.fabric.OpticalFabric;
import org.jspecify.annotations.Nullable;

/**
 * What a fabric gives to jobs.
 *
 * @param transceivers groups on a ring or line
 * @param gpusPerNode 1 where it says nothing
 * @param tori cubes with their own links
 * @param logical circuits that follow the traffic of a job
 */
public record FabricKind(String name, boolean transceivers, int gpusPerNode, boolean tori, boolean logical) {
    public static FabricKind of(OpticalFabric fabric) {
        @Nullable OcsTrx ocsTrx = fabric.getSpec().ocsTrx();
        @Nullable Ocs ocs = fabric.getSpec().ocs();
        return new FabricKind(
                fabric.getMetadata().getName(),
                ocsTrx != null,
                ocsTrx != null ? ocsTrx.gpusPerNode() : ocs != null ? ocs.gpusPerNode() : 1,
                ocs != null && ocs.topology().twistedTorus() != null,
                ocs != null && ocs.topology().logical() != null);
    }
}
