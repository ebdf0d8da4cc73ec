package dev.lightpath.reading;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.Workload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How large a job's pod template is: the characters of its names and values, and one for each token of its JSON.
 * Templates over {@link #MOST} are refused: the API server judges, stores and sends each of them several times, at the
 * expense of all namespaces. O(template).
 */
public final class TemplateSize {
    /**
     * Four times what the largest manifests of training jobs have. The admission policy lightpath-workloads has it too.
     */
    public static final int MOST = 32 * 1024;
    /** Twice what the largest manifests of training jobs have. */
    public static final int USUAL = 16 * 1024;

    private TemplateSize() {}

    /**
     * Reads a template and keeps nothing of it but its size, which stands for it. A number is the size of one that was
     * read so before: frameworks copy objects by writing and reading them, and the API server takes no number as
     * template.
     *
     * @param parser at the first token of a template; left at its last
     */
    public static JsonNode skip(JsonParser parser) throws IOException {
        return IntNode.valueOf(
                parser.currentToken() == JsonToken.VALUE_NUMBER_INT ? parser.getValueAsInt() : measure(parser));
    }

    /** The size of a job's template, 0 without one; the job may have been read whole or by {@link #skip}. */
    public static int of(TrainingJob job) {
        return template(job).map(TemplateSize::of).orElse(0);
    }

    /** What is wrong with the size of a job's template; the job may have been read whole or by {@link #skip}. */
    public static Optional<String> problem(TrainingJob job) {
        int size = of(job);
        return size <= MOST
                ? Optional.empty()
                : Optional.of("it has " + size / 1024 + " KiB; at most " + MOST / 1024
                        + " KiB are allowed: move what is large into a ConfigMap or the image");
    }

    private static Optional<JsonNode> template(TrainingJob job) {
        @Nullable Workload workload = job.getSpec().workload();
        return Optional.ofNullable(workload == null ? null : workload.template());
    }

    private static int of(JsonNode template) {
        if (template.isInt()) {
            return template.intValue();
        }
        try (JsonParser parser = template.traverse()) {
            parser.nextToken();
            return measure(parser);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int measure(JsonParser parser) throws IOException {
        int size = 0;
        int depth = 0;
        for (@Nullable JsonToken token = parser.currentToken(); token != null; token = parser.nextToken()) {
            size = Math.addExact(size, 1);
            if (token.isStructStart()) {
                depth++;
            } else if (token.isStructEnd()) {
                depth--;
            } else {
                size = Math.addExact(size, parser.getTextLength());
            }
            if (depth == 0) {
                break;
            }
        }
        return size;
    }
}
