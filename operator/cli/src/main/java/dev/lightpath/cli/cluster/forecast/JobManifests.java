package dev.lightpath.cli.cluster.forecast;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lightpath.cli.cluster.access.Cluster;
import dev.lightpath.cli.cluster.access.Connection;
import dev.lightpath.cli.cluster.access.HttpQuestion;
import dev.lightpath.cli.cluster.access.Manifests;
import dev.lightpath.cli.cluster.change.Act;
import dev.lightpath.cli.delta.ManifestSchema;
import dev.lightpath.console.text.BadInput;
import dev.lightpath.crds.ApiGroup;
import dev.lightpath.crds.job.TrainingJob;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FieldValidateable;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The TrainingJobs of a file of YAML or JSON documents, judged by the API server in a dry run. */
public final class JobManifests {
    private static final ObjectMapper YAML = Manifests.mapper();

    private static final ObjectMapper JSON = new ObjectMapper();

    private JobManifests() {}

    /**
     * All of them, in the order of the file; documents of other kinds are passed over.
     *
     * @throws BadInput naming the file, and the line or the kinds that are in it
     */
    public static List<ObjectNode> read(Path file) {
        List<ObjectNode> jobs = new ArrayList<>();
        TreeSet<String> kinds = new TreeSet<>();
        if (Files.isDirectory(file)) {
            throw new BadInput(file + ": is a folder, a file is wanted");
        }
        try (InputStream in = file.toString().equals("-") ? System.in : Files.newInputStream(file);
                MappingIterator<JsonNode> documents =
                        YAML.readerFor(JsonNode.class).readValues(in)) {
            while (documents.hasNextValue()) {
                collect(file, documents.nextValue(), jobs, kinds);
            }
        } catch (NoSuchFileException e) {
            throw new BadInput(file + ": there is no such file", e);
        } catch (JsonProcessingException e) {
            String line = e.getLocation() == null ? "" : ":" + e.getLocation().getLineNr();
            throw new BadInput(file + line + ": is no YAML: " + Connection.firstLine(e.getOriginalMessage()), e);
        } catch (IOException e) {
            throw new BadInput(file + ": cannot be read: " + e.getMessage(), e);
        }
        if (jobs.isEmpty()) {
            throw new BadInput(file + ": holds no TrainingJob (" + ApiGroup.NAME + "/" + ApiGroup.VERSION + "), but "
                    + (kinds.isEmpty() ? "nothing" : String.join(", ", kinds)));
        }
        return List.copyOf(jobs);
    }

    private static void collect(Path file, @Nullable JsonNode document, List<ObjectNode> jobs, TreeSet<String> kinds) {
        if (document == null || document.isNull() || document.isMissingNode()) {
            return;
        }
        if (!(document instanceof ObjectNode object) || !document.path("kind").isTextual()) {
            throw new BadInput(file + ": kind: missing, each document is an object of Kubernetes");
        }
        String kind = object.get("kind").asText();
        if (kind.equals("List")) {
            object.path("items").forEach(item -> collect(file, item, jobs, kinds));
            return;
        }
        kinds.add(kind);
        if (!kind.equals(TrainingJob.KIND)) {
            return;
        }
        String version = object.path("apiVersion").asText();
        if (!version.equals(ApiGroup.NAME + "/" + ApiGroup.VERSION)) {
            throw new BadInput(
                    file + ": apiVersion: '" + version + "', allowed: " + ApiGroup.NAME + "/" + ApiGroup.VERSION);
        }
        if (!object.path("metadata").path("name").isTextual()) {
            throw new BadInput(file + ": metadata.name: missing, a name is wanted");
        }
        jobs.add(object);
    }

    /**
     * The job as the API server would store it, defaults included. Nothing is stored. For a user who may not create
     * jobs the manifest is checked by the schema alone.
     *
     * @throws BadInput with the server's words about the field, or about what the user may not ask for
     */
    static TrainingJob judged(Cluster cluster, Path file, ObjectNode manifest) {
        ObjectNode placed = placed(cluster, manifest);
        JsonNode metadata = placed.get("metadata");
        String name = metadata.get("name").asText();
        String where = file + ": TrainingJob " + name + ": ";
        String namespace = metadata.get("namespace").asText();
        KubernetesSerialization serialization = cluster.client().getKubernetesSerialization();
        boolean known = false;
        try {
            GenericKubernetesResource wish = as(serialization, placed, GenericKubernetesResource.class, where);
            var dry = cluster.client().resource(wish).dryRun().fieldValidation(FieldValidateable.Validation.STRICT);
            known = cluster.client()
                            .resources(TrainingJob.class)
                            .inNamespace(namespace)
                            .withName(name)
                            .get()
                    != null;
            GenericKubernetesResource taken =
                    known ? dry.fieldManager(Act.FIELD_MANAGER).forceConflicts().serverSideApply() : dry.create();
            return as(serialization, taken, TrainingJob.class, where);
        } catch (KubernetesClientException e) {
            return switch (e.getCode()) {
                case 403 -> {
                    // a policy, a quota and a webhook refuse in the same way
                    if (cluster.may(known ? "patch" : "create", "trainingjobs", namespace, known ? name : null)) {
                        throw new BadInput(where + said(e, name), e);
                    }
                    yield unjudged(serialization, where, placed);
                }
                case 400, 404, 422, 500 -> throw new BadInput(where + said(e, name), e);
                default -> throw e;
            };
        }
    }

    /** The manifest with the namespace that it goes to. */
    private static ObjectNode placed(Cluster cluster, ObjectNode manifest) {
        ObjectNode placed = manifest.deepCopy();
        ObjectNode metadata = (ObjectNode) placed.get("metadata");
        if (!metadata.path("namespace").isTextual()) {
            metadata.put("namespace", cluster.namespace());
        }
        return placed;
    }

    /**
     * The same jobs as a question to the operator.
     *
     * @throws BadInput when they are of several namespaces
     */
    static HttpQuestion question(Cluster cluster, Path file, List<ObjectNode> manifests) {
        ObjectNode all = JSON.createObjectNode().put("apiVersion", "v1").put("kind", "List");
        ArrayNode items = all.putArray("items");
        TreeSet<String> namespaces = new TreeSet<>();
        for (ObjectNode manifest : manifests) {
            ObjectNode placed = placed(cluster, manifest);
            namespaces.add(placed.at("/metadata/namespace").asText());
            items.add(placed);
        }
        if (namespaces.size() > 1) {
            throw new BadInput(file + ": jobs of the namespaces " + String.join(", ", namespaces)
                    + ": the operator plans those of one namespace at a time");
        }
        return HttpQuestion.post(
                "/plan/" + namespaces.getFirst(), all.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static String said(KubernetesClientException e, String name) {
        String message = e.getStatus() == null ? e.getMessage() : e.getStatus().getMessage();
        String one = Connection.firstLine(message);
        int rest = one.indexOf(", <nil>: "); // what could not be checked because of the first
        String bare = rest > 0 && one.startsWith("[") ? one.substring(1, rest) : one;
        return bare.replace(TrainingJob.KIND + "." + ApiGroup.NAME + " \"" + name + "\" is invalid: ", "")
                .replace(
                        TrainingJob.KIND + " in version \"" + ApiGroup.VERSION + "\" cannot be handled as a "
                                + TrainingJob.KIND + ": ",
                        "");
    }

    private static TrainingJob unjudged(KubernetesSerialization serialization, String where, ObjectNode manifest) {
        ManifestSchema.of("trainingjobs").check(manifest, where.substring(0, where.length() - ": ".length()));
        TrainingJob job = as(serialization, manifest, TrainingJob.class, where);
        try {
            int unused = job.getSpec().parallelism().gpus();
        } catch (ArithmeticException e) {
            throw new BadInput(
                    where + "spec.parallelism: tensor * pipeline * data * context is more GPUs than can be counted", e);
        }
        return job;
    }

    private static <T> T as(KubernetesSerialization serialization, Object given, Class<T> type, String where) {
        try {
            return serialization.convertValue(given, type);
        } catch (IllegalArgumentException e) {
            if (!(e.getCause() instanceof JsonMappingException misfit)) {
                throw new BadInput(where + Connection.firstLine(e.getMessage()), e);
            }
            String path = misfit.getPath().stream()
                    .map(step -> Objects.requireNonNullElse(step.getFieldName(), "[" + step.getIndex() + "]"))
                    .collect(Collectors.joining("."));
            throw new BadInput(where + path + ": " + Connection.firstLine(misfit.getOriginalMessage()), misfit);
        }
    }
}
