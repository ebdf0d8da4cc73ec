package dev.lightpath.app.fields;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lightpath.app.job.facts.FabricFacts;
import dev.lightpath.app.job.facts.FabricGeometry;
import dev.lightpath.app.job.facts.HookFacts;
import dev.lightpath.app.job.facts.JobFacts;
import dev.lightpath.app.job.facts.TrafficFacts;
import dev.lightpath.app.job.facts.WorkloadFacts;
import dev.lightpath.app.job.plan.Deadline;
import dev.lightpath.app.job.plan.JobPlan;
import dev.lightpath.app.job.plan.JobReport;
import dev.lightpath.app.job.plan.JobStep;
import dev.lightpath.app.job.plan.Retention;
import dev.lightpath.app.job.workload.JobSetDraft;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.planner.ask.Iteration;
import dev.lightpath.planner.delta.iteration.Placement;
import dev.lightpath.planner.delta.iteration.TrainingWorkload;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.reading.JobPriority;
import dev.lightpath.reading.OcsIntentReader;
import dev.lightpath.reading.RingIntentReader;
import dev.lightpath.reading.SliceIntentReader;
import dev.lightpath.reading.label.AllowedNamespaces;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/**
 * All that becomes of an object: what the planner is told, which steps are taken, which pods are made, what is told.
 */
final class Effects {
    private static final Instant NOW = Instant.parse("2026-05-01T10:00:00Z");
    private static final String PLACED = "{type: %s, status: 'True', reason: Satisfied, message: '',"
            + " lastTransitionTime: '2026-05-01T10:00:00Z'}";

    private Effects() {}

    static List<String> of(String kind, JsonNode spec, JsonNode logical) {
        return switch (kind) {
            case "OpticalFabric" -> fabric(object(OpticalFabric.class, kind, "f", spec));
            case "OpticalSwitch" ->
                switches(
                        object(OpticalFabric.class, "OpticalFabric", "spine", logical),
                        object(OpticalSwitch.class, kind, "s", spec));
            case "TrainingJob" -> job(object(TrainingJob.class, kind, "train", spec));
            default -> throw new IllegalArgumentException(kind);
        };
    }

    private static <T> T object(Class<T> type, String kind, String name, JsonNode spec) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.put("apiVersion", "lightpath.dev/v1alpha1").put("kind", kind);
        object.putObject("metadata").put("name", name).put("namespace", "team").put("uid", "u-1");
        object.set("spec", spec);
        return Serialization.unmarshal(object.toString(), type);
    }

    private static List<String> fabric(OpticalFabric fabric) {
        Map<String, Set<String>> busy = Map.of("nvidia.com/gpu", Set.of("n1"), "example.com/gpu", Set.of("n2"));
        return List.of(
                AllowedNamespaces.refusal(fabric, "team", Map.of("team", "a")).toString(),
                new RingIntentReader("c").read(fabric, nodes(), busy).toString(),
                new OcsIntentReader("c").read(fabric, List.of(), nodes(), busy).toString());
    }

    private static List<String> switches(OpticalFabric fabric, OpticalSwitch of) {
        return List.of(new OcsIntentReader("c")
                .read(fabric, List.of(of), nodes(), Map.of())
                .toString());
    }

    private static List<Node> nodes() {
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            nodes.add(new NodeBuilder()
                    .withNewMetadata()
                    .withName("n" + i)
                    .withLabels(Map.of(
                            "pool",
                            "a",
                            "lightpath.dev/ring-position",
                            Integer.toString(i),
                            "lightpath.dev/pod",
                            "pod-" + i / 4,
                            "example.com/tor",
                            "tor-" + i / 3))
                    .endMetadata()
                    .withNewStatus()
                    .withAllocatable(Map.of("nvidia.com/gpu", new Quantity("4")))
                    .addNewCondition()
                    .withType("Ready")
                    .withStatus("True")
                    .endCondition()
                    .addNewCondition()
                    .withType("Broken")
                    .withStatus(i == 3 ? "True" : "False")
                    .endCondition()
                    .endStatus()
                    .build());
        }
        return nodes;
    }

    private static List<String> job(TrainingJob job) {
        List<String> effects = new ArrayList<>();
        JobFacts facts = new JobFacts(
                NOW,
                job,
                Optional.of(facts(
                        job.getSpec().scaleUp() != null ? "ring" : "spine",
                        job.getSpec().scaleUp() != null)),
                List.of(),
                new WorkloadFacts.LightOnly(),
                Optional.empty(),
                TrafficFacts.none(),
                List.of(),
                Optional.empty(),
                JobPriority.told(job),
                Optional.empty(),
                HookFacts.none());
        JobPlan.of(facts).forEach(step -> effects.add(taken(step)));
        effects.add(JobReport.of(facts, List.of(), Optional.empty()).toString());
        for (String fabric : List.of("ring", "spine", "cubes", "another")) {
            if (asks(job, fabric)) {
                effects.add(fabric
                        + SliceIntentReader.planned(job, fabric, Optional.empty())
                                .map(Effects::wish)
                                .orElse(""));
            }
        }
        if (job.getSpec().workload() != null) {
            effects.add(Serialization.asYaml(JobSetDraft.of(job, 4, "nvidia.com/gpu")));
        }
        job.setStatus(Serialization.unmarshal(
                "---\n{conditions: [" + PLACED.formatted("Placed") + ", " + PLACED.formatted("Complete") + "]}",
                dev.lightpath.crds.job.TrainingJobStatus.class));
        effects.add(Deadline.left(job, NOW) + " " + Retention.left(job, NOW));
        return effects;
    }

    /** A slice's demand is a copy of the spec: what becomes of it is the wish that is read of it. */
    private static String taken(JobStep step) {
        return step instanceof JobStep.CreateSlice(String name, String fabric, int attempt, var demand)
                ? "CreateSlice " + name + " of " + fabric + ", attempt " + attempt
                : step.toString();
    }

    private static boolean asks(TrainingJob job, String fabric) {
        return job.getSpec().scaleUp() != null
                        && job.getSpec().scaleUp().fabric().equals(fabric)
                || job.getSpec().scaleOut() != null
                        && job.getSpec().scaleOut().fabric().equals(fabric);
    }

    private static FabricFacts facts(String name, boolean transceivers) {
        return new FabricFacts(
                name,
                transceivers,
                4,
                Optional.empty(),
                new TreeSet<>(),
                false,
                OptionalInt.empty(),
                "nvidia.com/gpu",
                false,
                !transceivers,
                new FabricGeometry.Unknown());
    }

    /** Of a model only what its traffic is: how many bytes, and how much time between them. */
    private static String wish(SliceIntent intent) {
        if (intent.demand() instanceof Demand.Traffic asked
                && asked.iteration() instanceof Iteration.OfModel(var model, var batch)) {
            TrainingWorkload workload =
                    new TrainingWorkload("job", model, asked.parallelism(), batch, new Placement(1, 1, 400, false));
            return List.of(
                            workload.pipelineBytes(),
                            workload.dataBytes(),
                            workload.forwardSeconds(),
                            batch.microBatches(),
                            asked.parallelism(),
                            asked.stagesPerPod(),
                            asked.goal(),
                            asked.timeLimit(),
                            intent.agreement(),
                            intent.reconfiguration())
                    .toString();
        }
        return intent.toString();
    }
}
