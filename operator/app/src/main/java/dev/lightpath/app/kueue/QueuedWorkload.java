package dev.lightpath.app.kueue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.crds.LightpathAnnotations;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A Workload of Kueue, as far as light is concerned.
 *
 * @param version its resourceVersion
 * @param owner the object whose pods wait; the Workload itself where it has no owner
 * @param checks those of ours
 * @param reservedAt since when it holds quota; empty while it holds none
 * @param evicted whether it is about to give its quota back
 * @param unfit why its pods could not have light as Kueue admitted it: with fewer pods than it has, or on nodes that
 *     Kueue chose; empty where they could
 * @param gated whether pods of it wait for light
 * @param active its {@code spec.active}: Kueue gives no quota to one that is not
 * @param noPlace what the operator wrote when it had no place
 * @param waits why it has no quota, in Kueue's words; empty while it has some
 */
public record QueuedWorkload(
        String namespace,
        String name,
        String version,
        Owner owner,
        List<Check> checks,
        Optional<Instant> reservedAt,
        boolean evicted,
        Optional<String> unfit,
        boolean gated,
        boolean active,
        Optional<NoPlace> noPlace,
        Optional<String> waits) {

    /** Characters of a message of Kueue. */
    private static final int MOST_TOLD = 1000;

    /**
     * The object that Kueue suspends.
     *
     * @param controls whether it controls the Workload: TrainingJobs are found by such owners only
     */
    public record Owner(String kind, String name, boolean controls) {
        public Owner(String kind, String name) {
            this(kind, name, true);
        }
    }

    /**
     * An entry of {@code status.admissionChecks}.
     *
     * @param index in that list
     * @param retries how often it was answered {@link CheckState#RETRY} in a row, as Kueue counts
     */
    public record Check(int index, String name, CheckState state, String message, int retries) {
        boolean says(CheckAnswer answer) {
            return state == answer.state() && message.equals(answer.message());
        }

        /** Whether the Workload keeps its quota for all that the check says. */
        boolean lets() {
            return state == CheckState.PENDING || state == CheckState.READY;
        }
    }

    public QueuedWorkload {
        checks = List.copyOf(checks);
    }

    /**
     * @param workload as the API server has it
     * @param ours names of the AdmissionChecks that the operator answers
     * @param gate name of the scheduling gate of pods that wait for light
     */
    public static QueuedWorkload read(JsonNode workload, Set<String> ours, String gate) {
        JsonNode metadata = workload.path("metadata");
        JsonNode status = workload.path("status");
        List<Check> checks = new ArrayList<>();
        int index = 0;
        for (JsonNode entry : status.path("admissionChecks")) {
            String name = entry.path("name").asText();
            if (ours.contains(name)) {
                checks.add(new Check(
                        index,
                        name,
                        CheckState.of(entry),
                        entry.path("message").asText(),
                        entry.path("retryCount").asInt()));
            }
            index++;
        }
        return new QueuedWorkload(
                metadata.path("namespace").asText(),
                metadata.path("name").asText(),
                metadata.path("resourceVersion").asText(),
                owner(metadata),
                checks,
                since(status, "QuotaReserved"),
                since(status, "Evicted").isPresent(),
                partial(workload).or(() -> byTopology(workload)),
                isGated(workload, gate),
                workload.path("spec").path("active").asBoolean(true),
                NoPlace.read(metadata.path("annotations")
                        .path(LightpathAnnotations.NO_PLACE)
                        .asText()),
                waits(workload));
    }

    /** Kueue tells a Workload that it is to have no quota so, and why another has none yet. */
    private static Optional<String> waits(JsonNode workload) {
        if (!workload.path("spec").path("active").asBoolean(true)) {
            return Optional.of(
                    "its Workload " + workload.path("metadata").path("name").asText()
                            + " is deactivated (spec.active is false): set it to true to go on");
        }
        for (JsonNode condition : workload.path("status").path("conditions")) {
            String message = condition.path("message").asText();
            if (condition.path("type").asText().equals("QuotaReserved")
                    && condition.path("status").asText().equals("False")
                    && !message.isBlank()) {
                return Optional.of("Kueue says: " + message.substring(0, Math.min(message.length(), MOST_TOLD)));
            }
        }
        return Optional.empty();
    }

    /** Whether the operator keeps it from its queue for a while, because it had no place. */
    public Optional<NoPlace> parked() {
        return active ? Optional.empty() : noPlace;
    }

    /** Whether its quota is its own now, and it runs once our checks are ready: its pods may get nodes and light. */
    public boolean holdsQuota() {
        return active
                && reservedAt.isPresent()
                && !evicted
                && !checks.isEmpty()
                && checks.stream().allMatch(Check::lets);
    }

    /** Why its gated pods get no light, where no TrainingJob stands for them. */
    String unlit() {
        String whose = owner.kind() + " " + owner.name();
        return "its pods wait behind the scheduling gate lightpath.dev/circuits, and "
                + (owner.controls()
                        ? "no TrainingJob names " + whose + " in spec.workload.ref: create one"
                        : whose + " gets no light in a queue: take it out of its queue (label " + Kueue.GROUP
                                + "/queue-name)");
    }

    /** Whether a check of ours has no final answer. */
    public boolean asks() {
        return holdsQuota() && checks.stream().anyMatch(check -> check.state() == CheckState.PENDING);
    }

    private static Owner owner(JsonNode metadata) {
        for (JsonNode owner : metadata.path("ownerReferences")) {
            if (owner.path("controller").asBoolean()) {
                return new Owner(owner.path("kind").asText(), owner.path("name").asText());
            }
        }
        JsonNode first = metadata.path("ownerReferences").path(0);
        return first.isMissingNode()
                ? new Owner(Kueue.WORKLOAD, metadata.path("name").asText(), false)
                : new Owner(first.path("kind").asText(), first.path("name").asText(), false);
    }

    /** When a condition became True; empty while it is not. */
    private static Optional<Instant> since(JsonNode status, String type) {
        for (JsonNode condition : status.path("conditions")) {
            if (condition.path("type").asText().equals(type)
                    && condition.path("status").asText().equals("True")) {
                return Optional.of(time(condition.path("lastTransitionTime").asText()));
            }
        }
        return Optional.empty();
    }

    static Instant time(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            return Instant.EPOCH;
        }
    }

    private static Optional<String> partial(JsonNode workload) {
        for (JsonNode assigned : workload.path("status").path("admission").path("podSetAssignments")) {
            String name = assigned.path("name").asText();
            for (JsonNode set : workload.path("spec").path("podSets")) {
                int wanted = set.path("count").asInt();
                int given = assigned.path("count").asInt(wanted);
                if (set.path("name").asText().equals(name) && given < wanted) {
                    return Optional.of("partial admission of " + given + " of " + wanted + " pods of pod set " + name
                            + ": light is given to all pods of a job or to none; omit the annotation"
                            + " kueue.x-k8s.io/job-min-parallelism, or wait until there is quota for all");
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<String> byTopology(JsonNode workload) {
        for (JsonNode assigned : workload.path("status").path("admission").path("podSetAssignments")) {
            if (assigned.has("topologyAssignment") || assigned.has("delayedTopologyRequest")) {
                Iterator<JsonNode> flavors = assigned.path("flavors").elements();
                return Optional.of("Kueue chose nodes for pod set "
                        + assigned.path("name").asText() + ", because its flavor "
                        + (flavors.hasNext() ? flavors.next().asText() + " " : "")
                        + "has a topologyName: the nodes of a job with light are chosen with its light; use a"
                        + " ClusterQueue whose flavors have no topologyName");
            }
        }
        return Optional.empty();
    }

    private static boolean isGated(JsonNode workload, String name) {
        for (JsonNode set : workload.path("spec").path("podSets")) {
            for (JsonNode gate : set.path("template").path("spec").path("schedulingGates")) {
                if (gate.path("name").asText().equals(name)) {
                    return true;
                }
            }
        }
        return false;
    }
}
