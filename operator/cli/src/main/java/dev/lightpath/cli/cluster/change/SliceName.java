package dev.lightpath.cli.cluster.change;

import dev.lightpath.cli.cluster.access.Cluster;
import dev.lightpath.console.text.BadInput;
import dev.lightpath.crds.slice.FabricSlice;
import java.util.List;

/** A FabricSlice, as a person names it. */
record SliceName(String namespace, String name) {
    private static final List<String> WORDS = List.of("slice", "fs", "fabricslice", "fabricslices");

    /** {@code slice/NAMESPACE/NAME}. */
    static SliceName parse(String text) {
        String[] parts = text.split("/", -1);
        if (parts.length != 3 || !WORDS.contains(parts[0]) || parts[1].isEmpty() || parts[2].isEmpty()) {
            throw new BadInput("'" + text + "': allowed is slice/NAMESPACE/NAME");
        }
        return new SliceName(parts[1], parts[2]);
    }

    /** {@code slice/NAME}, in the namespace of the command. */
    static SliceName parse(String text, String namespace) {
        String[] parts = text.split("/", -1);
        String name = parts[parts.length - 1];
        if (parts.length > 2 || (parts.length == 2 && !WORDS.contains(parts[0])) || name.isEmpty()) {
            throw new BadInput("'" + text + "': allowed is slice/NAME");
        }
        return new SliceName(namespace, name);
    }

    /** @throws BadInput when there is none of this name */
    FabricSlice in(Cluster api) {
        FabricSlice slice = api.client()
                .resources(FabricSlice.class)
                .inNamespace(namespace)
                .withName(name)
                .get();
        if (slice == null) {
            throw new BadInput("there is no FabricSlice " + name + " in namespace " + namespace);
        }
        return slice;
    }
}
