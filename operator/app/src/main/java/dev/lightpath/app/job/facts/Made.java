package dev.lightpath.app.job.facts;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.lightpath.app.kueue.Kueue;
import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.job.ScaleOut;
import dev.lightpath.crds.job.ScaleUp;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.TrainingJobSpec;
import dev.lightpath.crds.job.Workload;
import dev.lightpath.planner.words.Sha256;
import dev.lightpath.reading.acceptance.JobQueue;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a JobSet of the operator was made for and from, by its annotations; empty without them.
 *
 * @param purpose what decides how many pods there are ({@link #purpose})
 * @param template digest of the pod template, SHA-256 in hexadecimal digits
 * @param queue where it waits for quota; blank where it does not
 * @param priority by which it waits there: its class for workloads, a slash, and that for pods
 */
public record Made(
        Optional<String> purpose, Optional<String> template, Optional<String> queue, Optional<String> priority) {
    private static final JsonMapper JSON = new JsonMapper();
    private static final ObjectWriter SORTED = JSON.writer(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);

    /** Instead of the digest of a template of which no JobSet is made: none was. */
    private static final String TOO_DEEP = "too deep";

    private static final Pattern PURPOSE = Pattern.compile("([0-9]{1,9}) GPUs( .*)?");

    /** Levels of a pod template that a JobSet is made of: twice what any has. */
    public static final int DEEPEST = 50;

    public static Made unknown() {
        return new Made(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** What a JobSet that is made now would say. */
    public static Made of(TrainingJob job) {
        @Nullable Workload workload = job.getSpec().workload();
        return new Made(
                Optional.of(purpose(job.getSpec())),
                Optional.ofNullable(workload == null ? null : workload.template())
                        .map(Made::digest),
                Optional.of(queue(job).orElse("")),
                queue(job).map(queue -> priority(job)));
    }

    /** @param annotations of a JobSet */
    public static Made read(JsonNode annotations) {
        return new Made(
                text(annotations, LightpathAnnotations.MADE_FOR).filter(purpose -> !purpose.isEmpty()),
                text(annotations, LightpathAnnotations.MADE_FROM),
                text(annotations, LightpathAnnotations.MADE_IN_QUEUE),
                text(annotations, LightpathAnnotations.MADE_WITH_PRIORITY));
    }

    private static Optional<String> text(JsonNode annotations, String name) {
        return Optional.ofNullable(annotations.get(name)).map(JsonNode::asText);
    }

    public Map<String, String> annotations() {
        Map<String, String> annotations = new LinkedHashMap<>();
        purpose.ifPresent(it -> annotations.put(LightpathAnnotations.MADE_FOR, it));
        template.ifPresent(it -> annotations.put(LightpathAnnotations.MADE_FROM, it));
        queue.ifPresent(it -> annotations.put(LightpathAnnotations.MADE_IN_QUEUE, it));
        priority.ifPresent(it -> annotations.put(LightpathAnnotations.MADE_WITH_PRIORITY, it));
        return annotations;
    }

    /** Whether it has other pods than the job needs now. */
    public boolean isForOthersThan(Made now) {
        return differ(purpose, now.purpose);
    }

    public boolean isFromOthersThan(Made now) {
        return differ(template, now.template);
    }

    /** Whether it waits in another queue, or before or after others than it would now. */
    public boolean isQueuedElsewhereThan(Made now) {
        return differ(queue, now.queue) || differ(priority, now.priority);
    }

    private static boolean differ(Optional<String> made, Optional<String> now) {
        return made.isPresent() && now.isPresent() && !made.equals(now);
    }

    /** The same for templates that say the same, in whatever order. */
    private static String digest(JsonNode template) {
        if (isDeep(template)) {
            return TOO_DEEP;
        }
        try {
            byte[] content = SORTED.writeValueAsBytes(requireNonNull(JSON.treeToValue(template, Object.class)));
            return HexFormat.of().formatHex(Sha256.begin().digest(content));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("what was read as JSON is written as JSON", e);
        }
    }

    /** Whether no JobSet is made of it, as it is deeper than any pod template. */
    public static boolean isDeep(JsonNode template) {
        List<JsonNode> level = List.of(template);
        for (int depth = 0; !level.isEmpty(); depth++) {
            if (depth > DEEPEST) {
                return true;
            }
            List<JsonNode> next = new ArrayList<>();
            level.forEach(node -> node.forEach(next::add));
            level = next;
        }
        return false;
    }

    /** What decides how many pods there are, none of which can be changed once a job has its place. */
    public static String purpose(TrainingJobSpec spec) {
        @Nullable ScaleUp scaleUp = spec.scaleUp();
        @Nullable ScaleOut scaleOut = spec.scaleOut();
        return spec.parallelism().gpus() + " GPUs" + (scaleUp == null ? "" : " " + scaleUp.fabric())
                + (scaleOut == null ? "" : " " + scaleOut.fabric());
    }

    /** GPUs of the job in the size for which it was made; empty where nothing says it. */
    public OptionalInt gpus() {
        return purpose.map(PURPOSE::matcher)
                .filter(Matcher::matches)
                .map(matcher -> OptionalInt.of(Integer.parseInt(matcher.group(1))))
                .orElse(OptionalInt.empty());
    }

    private static String priority(TrainingJob job) {
        @Nullable String ofPods = job.getSpec().priorityClassName();
        return Objects.requireNonNullElse(job.getMetadata().getLabels().get(Kueue.PRIORITY_LABEL), "") + "/"
                + (ofPods == null ? "" : ofPods);
    }

    /** The queue in which the job's pods wait for quota; empty when they do not. */
    public static Optional<String> queue(TrainingJob job) {
        return JobQueue.of(job);
    }
}
