package dev.lightpath.planner.engine.traffic;

import dev.lightpath.planner.engine.allocation.SliceDecision;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.allocation.StagePods;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.engine.pacing.RepairGate;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.words.Words;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.Origin;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What is placed and follows a job's traffic: it keeps its pods; nodes are replaced in them, circuits change when some
 * fail, when others are owed ports, or when that is worth it.
 */
final class PlacedTraffic {
    private final FabricPods pods;
    private final RepairGate gate;
    private final PlacedCircuits circuits;

    PlacedTraffic(FabricPods pods, RepairGate gate) {
        this.pods = pods;
        this.gate = gate;
        this.circuits = new PlacedCircuits(pods);
    }

    SliceDecision keep(SliceState slice, Demand.Traffic traffic) {
        Allocation recorded = slice.recorded().orElseThrow();
        Optional<StagePods> stagePods =
                StagePods.recorded(traffic, recorded.groups(), pods.state().wiring());
        if (stagePods.isEmpty()) {
            return SliceDecision.stay(Placement.Faulted.stuck(
                    List.copyOf(recorded.nodes()),
                    "its pods are not all described any more: write them back into spec.ocs.pods",
                    pods.relocatable(slice)));
        }
        if (pods.groups().stuck(slice)
                && pods.mayHaveOthers()
                && !slice.intent().workload().usesLight()) {
            return SliceDecision.Change.of(
                    slice, List.of(), SwitchedLight.none(), Optional.empty(), "its groups find no room in these pods");
        }
        if (pods.relocatable(slice) && pods.groups().lost(slice) && pods.othersExist(slice, traffic, stagePods.get())) {
            return SliceDecision.stay(Placement.Faulted.stuck(
                    List.of("groups on a ring"),
                    "no repair fits in the pods of their stages, other pods have room",
                    true));
        }
        List<String> brokenNodes = pods.nodes().broken(slice);
        Optional<SliceDecision> mended = brokenNodes.isEmpty()
                ? Optional.empty()
                : Optional.of(mend(slice, traffic, stagePods.get(), recorded, brokenNodes));
        if (mended.filter(decision -> decision instanceof SliceDecision.Change || relocates(decision))
                .isPresent()) {
            return mended.get();
        }
        SliceDecision light = stagePods.get().deal().talks()
                        && recorded.prediction().isPresent()
                ? circuits.serve(
                        slice, stagePods.get(), recorded, recorded.prediction().get())
                : SliceDecision.stay(new Placement.Placed());
        return mended.map(decision -> beside(decision.placement(), light)).orElse(light);
    }

    private static boolean relocates(SliceDecision decision) {
        return decision.placement() instanceof Placement.Faulted faulted && faulted.relocatable();
    }

    /** What comes of its circuits while broken nodes are told of: they wait for others than its light does. */
    private static SliceDecision beside(Placement nodes, SliceDecision light) {
        Placement both =
                nodes instanceof Placement.Faulted faulted && light.placement() instanceof Placement.Faulted dark
                        ? new Placement.Faulted(
                                Stream.concat(faulted.members().stream(), dark.members().stream())
                                        .distinct()
                                        .toList(),
                                faulted.waitsFor().equals(dark.waitsFor())
                                        ? dark.waitsFor()
                                        : faulted.waitsFor() + "; " + dark.waitsFor(),
                                faulted.degraded() || dark.degraded(),
                                faulted.relocatable() || dark.relocatable())
                        : nodes;
        return light.with(both);
    }

    /** Other nodes of the same pods: no light moves. */
    private SliceDecision mend(
            SliceState slice, Demand.Traffic traffic, StagePods stagePods, Allocation recorded, List<String> broken) {
        Optional<String> wait = gate.wait(slice.intent(), () -> pods.circuits().hurtSince(slice));
        if (wait.isPresent()) {
            return SliceDecision.stay(Placement.Faulted.waiting(Words.few(broken), wait.get()));
        }
        Optional<List<Allocation.Group>> mended =
                pods.nodes().mended(recorded.groups(), slice.intent().job());
        if (mended.isEmpty()) {
            boolean elsewhere = pods.relocatable(slice) && pods.othersExist(slice, traffic, stagePods);
            return SliceDecision.stay(Placement.Faulted.stuck(
                    Words.few(broken),
                    "no healthy node of the same pod is free" + pods.noOther(slice, traffic, stagePods),
                    elsewhere));
        }
        pods.nodes().take(mended.get(), slice);
        return new SliceDecision.Change(
                mended.get(),
                recorded.circuits(),
                recorded.prediction(),
                new Origin(
                        Origin.Planner.LOCAL_REPAIR, 0, "other nodes of the same pod in for " + Words.sorted(broken)),
                Placement.Faulted.recording(Words.few(broken)));
    }
}
