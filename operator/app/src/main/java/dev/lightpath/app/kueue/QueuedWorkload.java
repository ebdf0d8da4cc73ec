package dev.lightpath.app.kueue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.LightpathLabels;
import dev.lightpath.planner.words.Words;
import dev.lightpath.reading.pod.Controller;
import dev.lightpath.reading.pod.WorkloadKind;
import io.fabric8.kubernetes.api.model.Pod;
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
 * @param uid by which Kueue names it to those that it preempts
 * @param version its resourceVersion
 * @param owners the objects whose pods wait, the controller first; the Workload itself where it has no owner
 * @param checks those of ours
 * @param reservedAt since when it holds quota; empty while it holds none
 * @param admitted whether all checks let it run
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
        String uid,
        String version,
        List<Owner> owners,
        List<Check> checks,
        Optional<Instant> reservedAt,
        boolean admitted,
        boolean evicted,
        Optional<String> unfit,
        boolean gated,
        boolean active,
        Optional<NoPlace> noPlace,
        Optional<String> waits) {

    /** Characters of a message of Kueue. */
    private static final int MOST_TOLD = 1000;

    /** The object that Kueue suspends, or one of the pods that it holds. */
    public record Owner(String kind, String name, String uid) {
        /** Whether Kueue admits pods by themselves, and no object that makes them. */
        public boolean isPod() {
            return kind.equals(WorkloadKind.PODS.kind());
        }

        /** Whether it is a pod, or controls one: a label that names it is no proof. */
        public boolean holds(Pod pod) {
            return uid.equals(pod.getMetadata().getUid())
                    || Controller.of(pod).map(Controller::uid).equals(Optional.of(uid));
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
        owners = List.copyOf(owners);
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
                metadata.path("uid").asText(),
                metadata.path("resourceVersion").asText(),
                owners(metadata),
                checks,
                since(status, "QuotaReserved"),
                since(status, "Admitted").isPresent(),
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
                return Optional.of("Kueue says: " + Words.cut(message, MOST_TOLD));
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

    /** Whether its pods may run now. Kueue takes its gate off those of one that is not suspended as a whole. */
    public boolean runs() {
        return admitted && !evicted;
    }

    /** The first of its owners, for people. */
    public Owner owner() {
        return owners.getFirst();
    }

    /** Whether an owner of it is this pod, or controls it. */
    boolean holds(Pod pod) {
        return owners.stream().anyMatch(owner -> owner.holds(pod));
    }

    /** Why its gated pods get no light, where no TrainingJob stands for them. */
    String unlit() {
        Owner owner = owner();
        return "its pods wait behind the scheduling gate lightpath.dev/circuits, and "
                + (owner.isPod()
                        ? "there is no TrainingJob of pods (workload.ref of kind Pod) whose name is the label "
                                + LightpathLabels.JOB + " of Pod " + owner.name()
                        : "no TrainingJob names " + owner.kind() + " " + owner.name() + " in spec.workload.ref")
                + ": create one";
    }

    /** Whether a check of ours has no final answer. */
    public boolean asks() {
        return holdsQuota() && checks.stream().anyMatch(check -> check.state() == CheckState.PENDING);
    }

    /**
     * LeaderWorkerSets and pods only own their Workloads: these have no controller, and a group has as many owners as
     * pods.
     */
    private static List<Owner> owners(JsonNode metadata) {
        List<Owner> owners = new ArrayList<>();
        for (JsonNode owner : metadata.path("ownerReferences")) {
            Owner read = new Owner(
                    owner.path("kind").asText(),
                    owner.path("name").asText(),
                    owner.path("uid").asText());
            owners.add(owner.path("controller").asBoolean() ? 0 : owners.size(), read);
        }
        return owners.isEmpty()
                ? List.of(new Owner(
                        Kueue.WORKLOAD,
                        metadata.path("name").asText(),
                        metadata.path("uid").asText()))
                : owners;
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
