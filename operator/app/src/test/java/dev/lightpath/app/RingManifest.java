package dev.lightpath.app;

import dev.lightpath.crds.fabric.OpticalFabric;
import io.fabric8.kubernetes.client.utils.Serialization;

/** Rings of nodes with four GPUs, as an administrator describes them. */
public final class RingManifest {
    private RingManifest() {}

    /** Of 8 positions, whose nodes carry the label {@code of} with its name. */
    public static OpticalFabric of(String name, String endpoint) {
        return of(name, "of", 2, 8, endpoint);
    }

    /** @param label of its nodes, whose value is the name of the ring */
    public static OpticalFabric of(String name, String label, int reach, int positions, String endpoint) {
        return Serialization.unmarshal("""
                apiVersion: lightpath.dev/v1alpha1
                kind: OpticalFabric
                metadata: {name: %1$s}
                spec:
                  ocsTrx:
                    shape: Ring
                    reach: %3$d
                    gpusPerNode: 4
                    positions: %4$d
                    nodeSelector: {matchLabels: {%2$s: %1$s}}
                    driver: {endpoint: "%5$s"}
                  policy: {faults: {clearSeconds: 1}, massFailure: {percent: 100}}
                """.formatted(name, label, reach, positions, endpoint), OpticalFabric.class);
    }
}
