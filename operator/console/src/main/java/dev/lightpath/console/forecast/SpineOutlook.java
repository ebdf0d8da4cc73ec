package dev.lightpath.console.forecast;

import dev.lightpath.console.Look;
import dev.lightpath.console.text.BadInput;
import dev.lightpath.crds.Reason;
import dev.lightpath.crds.fabric.Ocs;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.ScaleOut;
import dev.lightpath.crds.job.ScaleUp;
import dev.lightpath.crds.job.TrafficSource;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.RecordedTraffic;
import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.engine.simulation.PlacementPreview;
import dev.lightpath.planner.engine.simulation.Snapshot;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.ocs.OcsWiring;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.reading.SliceIntentReader;
import dev.lightpath.reading.acceptance.FabricKind;
import dev.lightpath.reading.acceptance.Misfit;
import dev.lightpath.reading.pod.PodAttribution;
import dev.lightpath.reading.traffic.TrafficSourceReader;
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
import org.jspecify.annotations.Nullable;

/** What the operator would do for jobs on optical switches, simulated on one look at everything. */
record SpineOutlook(
        Look look,
        Map<String, OpticalFabric> fabrics,
        Promises promises,
        PodAttribution pods,
        Function<OpticalFabric, Set<String>> foreign,
        Function<TopologyQuestion, TopologyAnswer> solver,
        NamedObjects named) {

    /** @param refusal what else a fabric has against the job */
    ScaleOutPlan plan(TrainingJob job, Instant now, Function<OpticalFabric, Optional<Misfit>> refusal) {
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
        Optional<Misfit> why = spine == null
                ? Optional.of(Misfit.noFabric("spec.scaleOut.fabric", scaleOut.fabric()))
                : Misfit.onSwitches(FabricKind.of(spine), job.getSpec(), scaleOut)
                        .or(() -> refusal.apply(spine));
        if (why.isEmpty() && scaleUp != null) {
            why = ring == null
                    ? Optional.of(Misfit.noFabric("spec.scaleUp.fabric", scaleUp.fabric()))
                    : Misfit.onRing(FabricKind.of(ring), job.getSpec()).or(() -> refusal.apply(ring));
        }
        if (spine == null || why.isPresent()) {
            Misfit misfit = why.orElseThrow();
            return ScaleOutPlan.unplaced(job, misfit.reason().word(), misfit.message());
        }
        return simulate(job, now, spine, Optional.ofNullable(ring));
    }

    private ScaleOutPlan simulate(TrainingJob job, Instant now, OpticalFabric spine, Optional<OpticalFabric> ring) {
        String namespace = job.getMetadata().getNamespace();
        String name = job.getMetadata().getName();
        String fabric = spine.getMetadata().getName();
        SortedMap<String, OpticalFabric> concerned = new TreeMap<>(Map.of(fabric, spine));
        ring.ifPresent(of -> concerned.put(of.getMetadata().getName(), of));
        Standing standing = promises.on(concerned.values());
        OcsIntent intent = Situation.spine(spine, look.switches(), look.nodes(), pods.busy());
        SortedMap<String, RingIntent> rings = new TreeMap<>();
        List<Subject> faulty = new ArrayList<>(Situation.faulty(spine));
        ring.ifPresent(of -> {
            rings.put(
                    of.getMetadata().getName(),
                    Situation.ring(of, look.nodes(), Situation.busy(pods, of, foreign.apply(of))));
            faulty.addAll(Situation.faulty(of));
        });
        List<SliceIntent> wished;
        try {
            wished = wished(job, concerned.keySet(), fabric, standing, recorded(job, spine));
        } catch (IllegalArgumentException e) {
            return ScaleOutPlan.unplaced(job, Reason.INVALID_TRAFFIC.word(), String.valueOf(e.getMessage()));
        }
        PlacementPreview preview = PlacementPreview.of(
                new Snapshot(
                        now,
                        rings,
                        new TreeMap<>(Map.of(intent.name(), intent)),
                        standing.slices(),
                        standing.ledger(),
                        faulty),
                wished,
                solver);
        return switch (preview) {
            case PlacementPreview.Unplaceable none ->
                ScaleOutPlan.unplaced(job, none.reason().word(), none.why());
            case PlacementPreview.Placed found -> {
                promises.promise(wished, found.steps());
                yield ScaleOutPlan.placed(
                        namespace,
                        name,
                        fabric,
                        (Demand.Traffic) wished.getFirst().demand(),
                        OcsWiring.of(intent),
                        found,
                        standing.ledger(),
                        waits(spine, ring),
                        look.sight());
            }
        };
    }

    /** What keeps either fabric from moving light now, null when nothing does. */
    private static @Nullable String waits(OpticalFabric spine, Optional<OpticalFabric> ring) {
        String waits = Halt.of(spine);
        if (waits != null || ring.isEmpty()) {
            return waits;
        }
        String below = Halt.of(ring.get());
        return below == null ? null : "fabric " + ring.get().getMetadata().getName() + ": " + below;
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
                        named.configMap(namespace, source.configMap()).orElse(null)));
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
