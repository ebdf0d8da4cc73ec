package dev.lightpath.cli.cluster.backup;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lightpath.cli.cluster.access.Connection;
import dev.lightpath.cli.cluster.access.Manifests;
import dev.lightpath.console.text.BadInput;
import dev.lightpath.crds.ApiGroup;
import dev.lightpath.crds.LightpathNames;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.reading.SliceParts;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What {@code export} wrote, read again.
 *
 * @param nodes with names, labels and annotations
 */
record BackupFile(
        Optional<ConfigMap> epoch,
        List<OpticalFabric> fabrics,
        List<OpticalSwitch> switches,
        List<TrainingJob> jobs,
        List<FabricSlice> slices,
        List<Node> nodes) {
    private static final ObjectMapper YAML = Manifests.mapper();
    private static final String OURS = ApiGroup.NAME + "/" + ApiGroup.VERSION;

    /**
     * @param file "-" for standard input
     * @throws BadInput naming the file, and the line or the object that is not of a backup
     */
    static BackupFile read(Path file, KubernetesSerialization serialization) {
        JsonNode list;
        if (Files.isDirectory(file)) {
            throw new BadInput(file + ": is a folder, a file is wanted");
        }
        try (InputStream in = file.toString().equals("-") ? System.in : Files.newInputStream(file)) {
            list = YAML.readTree(in);
        } catch (NoSuchFileException e) {
            throw new BadInput(file + ": there is no such file", e);
        } catch (JsonProcessingException e) {
            String line = e.getLocation() == null ? "" : ":" + e.getLocation().getLineNr();
            throw new BadInput(
                    file + line + ": is neither JSON nor YAML: " + Connection.firstLine(e.getOriginalMessage()), e);
        } catch (IOException e) {
            throw new BadInput(file + ": cannot be read: " + e.getMessage(), e);
        }
        if (!list.path("kind").asText().equals("List") || !list.path("items").isArray()) {
            throw new BadInput(
                    file + ": is no backup: allowed is a List of objects, as kubectl lightpath export prints");
        }
        return new Reader(file, serialization).read(list.get("items"));
    }

    /** Those that are objects of their own, without the parts of records. */
    List<FabricSlice> wholeSlices() {
        return slices.stream().filter(slice -> !SliceParts.isPart(slice)).toList();
    }

    /** The parts of the record of a slice of the file. */
    List<FabricSlice> parts(FabricSlice whole) {
        List<String> names = SliceParts.names(whole);
        return slices.stream()
                .filter(slice -> SliceParts.isPart(slice)
                        && slice.getMetadata()
                                .getNamespace()
                                .equals(whole.getMetadata().getNamespace())
                        && names.contains(slice.getMetadata().getName()))
                .toList();
    }

    /** In which objects are to be written. */
    TreeSet<String> namespaces() {
        TreeSet<String> namespaces = new TreeSet<>();
        Stream.<List<? extends HasMetadata>>of(jobs, slices)
                .flatMap(List::stream)
                .forEach(object -> namespaces.add(object.getMetadata().getNamespace()));
        return namespaces;
    }

    private static final class Reader {
        private final Path file;
        private final KubernetesSerialization serialization;
        private Optional<ConfigMap> epoch = Optional.empty();
        private final List<OpticalFabric> fabrics = new ArrayList<>();
        private final List<OpticalSwitch> switches = new ArrayList<>();
        private final List<TrainingJob> jobs = new ArrayList<>();
        private final List<FabricSlice> slices = new ArrayList<>();
        private final List<Node> nodes = new ArrayList<>();
        private final Set<String> seen = new HashSet<>();

        Reader(Path file, KubernetesSerialization serialization) {
            this.file = file;
            this.serialization = serialization;
        }

        BackupFile read(JsonNode items) {
            int number = 0;
            for (JsonNode item : items) {
                number++;
                String where = file + ": item " + number;
                if (!(item instanceof ObjectNode object)
                        || item.at("/metadata/name").asText().isEmpty()) {
                    throw new BadInput(where + ": is no object with a metadata.name");
                }
                take(
                        object,
                        where + ", " + item.path("kind").asText() + " "
                                + item.at("/metadata/name").asText());
            }
            return new BackupFile(
                    epoch,
                    List.copyOf(fabrics),
                    List.copyOf(switches),
                    List.copyOf(jobs),
                    List.copyOf(slices),
                    List.copyOf(nodes));
        }

        private void take(ObjectNode item, String where) {
            String kind = item.path("kind").asText();
            String namespace = item.at("/metadata/namespace").asText();
            if (!seen.add(
                    kind + " " + namespace + "/" + item.at("/metadata/name").asText())) {
                throw new BadInput(where + ": is in the file twice");
            }
            switch (item.path("apiVersion").asText() + " " + kind) {
                case "v1 ConfigMap" -> {
                    if (!item.at("/metadata/name").asText().equals(LightpathNames.EPOCH_CONFIG_MAP)) {
                        throw new BadInput(where + ": is not of a backup; the ConfigMap of one is "
                                + LightpathNames.EPOCH_CONFIG_MAP);
                    }
                    String counted =
                            item.at("/data/" + LightpathNames.EPOCH_KEY).asText();
                    if (!counted.matches("[0-9]{1,18}")) {
                        throw new BadInput(where + ": data." + LightpathNames.EPOCH_KEY + " is '" + counted
                                + "'; allowed is a whole number");
                    }
                    epoch = Optional.of(as(item, ConfigMap.class, where));
                }
                case "v1 Node" -> nodes.add(as(item, Node.class, where));
                case OURS + " OpticalFabric" -> fabrics.add(described(item, OpticalFabric.class, where));
                case OURS + " OpticalSwitch" -> switches.add(described(item, OpticalSwitch.class, where));
                case OURS + " TrainingJob" -> jobs.add(namespaced(described(item, TrainingJob.class, where), where));
                case OURS + " FabricSlice" -> slices.add(namespaced(described(item, FabricSlice.class, where), where));
                default ->
                    throw new BadInput(where + ": is not of a backup; one has ConfigMap, Node, and of " + OURS
                            + " OpticalFabric, OpticalSwitch, TrainingJob, FabricSlice");
            }
        }

        private <T extends CustomResource<?, ?>> T described(ObjectNode item, Class<T> type, String where) {
            T object = as(item, type, where);
            if (object.getSpec() == null) {
                throw new BadInput(where + ": has no spec");
            }
            return object;
        }

        private <T> T as(ObjectNode item, Class<T> type, String where) {
            try {
                return serialization.convertValue(item, type);
            } catch (IllegalArgumentException e) {
                throw new BadInput(where + ": cannot be read: " + Connection.firstLine(e.getMessage()), e);
            }
        }

        private static <T extends HasMetadata> T namespaced(T object, String where) {
            if (object.getMetadata().getNamespace() == null) {
                throw new BadInput(where + ": has no metadata.namespace");
            }
            return object;
        }
    }
}
