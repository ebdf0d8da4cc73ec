package dev.lightpath.cli.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.lightpath.cli.BadInput;
import dev.lightpath.crds.ApiGroup;
import dev.lightpath.crds.job.TrainingJob;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FieldValidateable;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The TrainingJobs of a file of YAML or JSON documents, judged by the API server in a dry run. */
final class JobManifests {
    private static final ObjectMapper YAML = YAMLMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private JobManifests() {}

    /**
     * All of them, in the order of the file; documents of other kinds are passed over.
     *
     * @throws BadInput naming the file, and the line or the kinds that are in it
     */
    static List<ObjectNode> read(Path file) {
        List<ObjectNode> jobs = new ArrayList<>();
        TreeSet<String> kinds = new TreeSet<>();
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
     * The job as the API server would store it, defaults included. Nothing is stored. Who may not create jobs gets his
     * manifest read without the server's judgement.
     *
     * @throws BadInput with the server's words about the field
     */
    static TrainingJob judged(Cluster cluster, Path file, ObjectNode manifest) {
        ObjectNode placed = manifest.deepCopy();
        ObjectNode metadata = (ObjectNode) placed.get("metadata");
        if (!metadata.path("namespace").isTextual()) {
            metadata.put("namespace", cluster.namespace());
        }
        String name = metadata.get("name").asText();
        String where = file + ": TrainingJob " + name + ": ";
        try {
            GenericKubernetesResource wish =
                    Serialization.jsonMapper().treeToValue(placed, GenericKubernetesResource.class);
            var dry = cluster.client().resource(wish).dryRun().fieldValidation(FieldValidateable.Validation.STRICT);
            boolean known = cluster.client()
                            .resources(TrainingJob.class)
                            .inNamespace(metadata.get("namespace").asText())
                            .withName(name)
                            .get()
                    != null;
            GenericKubernetesResource taken =
                    known ? dry.fieldManager(Act.FIELD_MANAGER).forceConflicts().serverSideApply() : dry.create();
            return Serialization.jsonMapper().convertValue(taken, TrainingJob.class);
        } catch (KubernetesClientException e) {
            return switch (e.getCode()) {
                case 403 -> unjudged(where, placed);
                case 400, 404, 422, 500 -> throw new BadInput(where + said(e, name), e);
                default -> throw e;
            };
        } catch (JsonProcessingException e) {
            throw new BadInput(where + e.getOriginalMessage(), e);
        }
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

    private static TrainingJob unjudged(String where, ObjectNode manifest) {
        try {
            TrainingJob job = Serialization.jsonMapper().treeToValue(manifest, TrainingJob.class);
            if (job.getSpec() == null
                    || job.getSpec().parallelism() == null
                    || job.getSpec().parallelism().tensor() < 1) {
                throw new BadInput(where + "spec.parallelism.tensor: missing, a whole number from 1 is wanted");
            }
            return job;
        } catch (JsonMappingException e) {
            String path = e.getPath().stream()
                    .map(step -> Objects.requireNonNullElse(step.getFieldName(), "[" + step.getIndex() + "]"))
                    .collect(java.util.stream.Collectors.joining("."));
            throw new BadInput(where + path + ": " + Connection.firstLine(e.getOriginalMessage()), e);
        } catch (JsonProcessingException e) {
            throw new BadInput(where + Connection.firstLine(e.getOriginalMessage()), e);
        }
    }
}
