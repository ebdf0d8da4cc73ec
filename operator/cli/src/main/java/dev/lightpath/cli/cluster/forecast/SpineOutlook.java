package dev.lightpath.cli.cluster.forecast;

import dev.lightpath.cli.cluster.access.Cluster;
import dev.lightpath.console.forecast.Halt;
import dev.lightpath.console.forecast.Situation;
import dev.lightpath.console.forecast.Standing;
import dev.lightpath.console.text.BadInput;
import dev.lightpath.crds.Reason;
import dev.lightpath.crds.fabric.Ocs;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.ScaleOut;
import dev.lightpath.crds.job.ScaleUp;
import dev.lightpath.crds.job.TrafficSource;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.RecordedTraffic;
import dev.lightpath.planner.engine.simulation.OcsPreview;
import dev.lightpath.planner.engine.simulation.Snapshot;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.ocs.OcsWiring;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.reading.SliceIntentReader;
import dev.lightpath.reading.pod.PodAttribution;
import dev.lightpath.reading.traffic.TrafficSourceReader;
import io.fabric8.kubernetes.api.model.Node;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/** What the operator would do for jobs on optical switches, each by itself, simulated on one listing of everything. */
record SpineOutlook(
        Cluster cluster,
        Map<String, OpticalFabric> fabrics,
        List<OpticalSwitch> switches,
        List<Node> nodes,
        List<TrainingJob> jobs,
        List<FabricSlice> slices,
        PodAttribution pods) {

    /** @param refusal what else a fabric has against the job */
    ScaleOutPlan plan(TrainingJob job, Instant now, Function<OpticalFabric, Optional<Outlook.Refusal>> refusal) {
        String namespace = job.getMetadata().getNamespace();
        String name = job.getMetadata().getName();
        ScaleOut scaleOut = Objects.requireNonNull(job.getSpec().scaleOut());
        ScaleUp scaleUp = job.getSpec().scaleUp();
        if (scaleOut.torus() != null) {
            throw new BadInput(
                    "TrainingJob " + name
                            + ": spec.scaleOut.torus: plan previews circuits that follow traffic; lightpath torus shows those of a torus");
        }
        OpticalFabric spine = fabrics.get(scaleOut.fabric());
        OpticalFabric ring = scaleUp == null ? null : fabrics.get(scaleUp.fabric());
        Optional<Outlook.Refusal> why = spine == null
                ? missing("scaleOut", scaleOut.fabric())
                : spine.getSpec().ocs() == null
                        ? Optional.of(new Outlook.Refusal(
                                Reason.FABRIC_KIND_MISMATCH,
                                "spec.scaleOut.fabric: " + scaleOut.fabric()
                                        + " has transceivers (ocsTrx); scaleOut needs optical circuit switches (ocs)"))
                        : refusal.apply(spine);
        if (why.isEmpty() && scaleUp != null) {
            why = ring == null
                    ? missing("scaleUp", scaleUp.fabric())
                    : Outlook.noRing(ring).or(() -> refusal.apply(ring));
        }
        if (spine == null || why.isPresent()) {
            return ScaleOutPlan.unplaced(
                    namespace,
                    name,
                    scaleOut.fabric(),
                    why.orElseThrow().reason().word(),
                    why.orElseThrow().message());
        }
        return simulate(job, now, spine, Optional.ofNullable(ring));
    }

    private static Optional<Outlook.Refusal> missing(String field, String fabric) {
        return Optional.of(new Outlook.Refusal(
                Reason.FABRIC_NOT_FOUND, "spec." + field + ".fabric: there is no OpticalFabric " + fabric));
    }

    private ScaleOutPlan simulate(TrainingJob job, Instant now, OpticalFabric spine, Optional<OpticalFabric> ring) {
        String namespace = job.getMetadata().getNamespace();
        String name = job.getMetadata().getName();
        String fabric = spine.getMetadata().getName();
        SortedMap<String, OpticalFabric> concerned = new TreeMap<>(Map.of(fabric, spine));
        ring.ifPresent(of -> concerned.put(of.getMetadata().getName(), of));
        Standing standing = Standing.of(concerned, jobs, slices, pods);
        OcsIntent intent = Situation.spine(spine, switches, nodes, pods.busy());
        SortedMap<String, RingIntent> rings = new TreeMap<>();
        List<Subject> faulty = new ArrayList<>(Situation.faulty(spine));
        ring.ifPresent(of -> {
            rings.put(of.getMetadata().getName(), Situation.ring(of, nodes, pods.busy()));
            faulty.addAll(Situation.faulty(of));
        });
        List<SliceIntent> wished;
        try {
            wished = wished(job, concerned.keySet(), fabric, standing, recorded(job, spine));
        } catch (IllegalArgumentException e) {
            return ScaleOutPlan.unplaced(
                    namespace, name, fabric, Reason.INVALID_TRAFFIC.word(), String.valueOf(e.getMessage()));
        }
        OcsPreview preview = OcsPreview.of(
                new Snapshot(
                        now,
                        rings,
                        new TreeMap<>(Map.of(intent.name(), intent)),
                        standing.slices(),
                        standing.ledger(),
                        faulty),
                wished,
                new TimedSolver(System::nanoTime));
        return switch (preview) {
            case OcsPreview.Unplaceable none ->
                ScaleOutPlan.unplaced(namespace, name, fabric, none.reason().word(), none.why());
            case OcsPreview.Placed found ->
                ScaleOutPlan.placed(
                        namespace,
                        name,
                        fabric,
                        (Demand.Traffic) wished.getFirst().demand(),
                        OcsWiring.of(intent),
                        found,
                        standing.ledger(),
                        Halt.of(spine));
        };
    }

    /** As the operator would read it. */
    private Optional<RecordedTraffic> recorded(TrainingJob job, OpticalFabric spine) {
        ScaleOut scaleOut = job.getSpec().scaleOut();
        TrafficSource source = scaleOut == null ? null : scaleOut.traffic();
        Ocs ocs = spine.getSpec().ocs();
        if (source == null || ocs == null) {
            return Optional.empty();
        }
        String namespace = job.getMetadata().getNamespace();
        return Optional.of(TrafficSourceReader.of(job.getSpec(), ocs)
                .read(
                        source,
                        namespace,
                        cluster.client()
                                .configMaps()
                                .inNamespace(namespace)
                                .withName(source.configMap())
                                .get()));
    }

    /** Those that the job has already, or those that it would have; on the switches first. */
    private static List<SliceIntent> wished(
            TrainingJob job, Set<String> fabrics, String spine, Standing standing, Optional<RecordedTraffic> recorded) {
        if (job.getMetadata().getUid() == null) {
            job.getMetadata().setUid("planned");
        }
        List<SliceIntent> wished = new ArrayList<>();
        for (String fabric : fabrics) {
            SliceIntent wish = standing.slices().values().stream()
                    .filter(slice -> slice.wanted()
                            && slice.fabric().equals(fabric)
                            && slice.job().name().equals(job.getMetadata().getName())
                            && slice.job().namespace().equals(job.getMetadata().getNamespace()))
                    .findFirst()
                    .or(() -> SliceIntentReader.planned(job, fabric, recorded))
                    .orElseThrow();
            wished.add(fabric.equals(spine) ? 0 : wished.size(), wish);
        }
        return wished;
    }
}
