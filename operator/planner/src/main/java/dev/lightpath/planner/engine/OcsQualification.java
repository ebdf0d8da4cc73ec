package dev.lightpath.planner.engine;

import dev.lightpath.planner.engine.decision.SliceVerdict.Light;
import dev.lightpath.planner.engine.state.LossOfSignal;
import dev.lightpath.planner.engine.state.OcsState;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.ocs.OcsWiring;
import dev.lightpath.planner.ocs.SwitchCircuit;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.SliceId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * {@link Qualification} of a slice on optical switches. A link qualifies when the pod it leads to hears the pod it
 * comes from, on any-to-any devices both ways; pods whose far ends no driver tells of are taken by what the switches
 * read back.
 */
final class OcsQualification {
    private final OcsState state;
    private final Qualification made;
    private final Map<String, List<Line>> links = new TreeMap<>();

    /** @param lossy whether more is lost on the way than is allowed */
    private record Line(OcsWiring.Ends ends, SwitchCircuit spot, boolean lossy) {}

    private OcsQualification(OcsState state) {
        this.state = state;
        this.made = new Qualification(state);
    }

    /** Linear in circuits. */
    static Light of(OcsState state, Allocation allocation) {
        OcsQualification of = new OcsQualification(state);
        of.made.want(allocation.circuits().size());
        allocation.circuits().forEach(of::circuit);
        if (state.findings().isEmpty()) {
            of.links.values().forEach(pair -> of.made.links(pair.size(), of.passing(pair)));
        } else {
            // which pod should hear which is what the description gets wrong: nothing is proved, and nothing that was
            // is
            // disproved
            of.made.links(of.made.lit(), 0);
            of.made.obstacle(Reason.INVALID_WIRING, String.join("; ", state.findings()));
        }
        return of.made.verdict();
    }

    private void circuit(String name, Circuit circuit) {
        OcsSwitch of = state.intent().switches().get(name);
        DeviceState device = of == null ? null : state.device(of).orElse(null);
        if (of == null || device == null || !device.present()) {
            boolean foreign = device != null && device.presence() == DeviceState.Presence.FOREIGN;
            made.silent(1, "switch " + name + (foreign ? " is held by another role" : " does not answer"));
        } else if (device.failed(circuit)) {
            made.portFailed(Qualification.label(name, circuit));
        } else if (of.shows(device, circuit) && !device.moves(circuit)) {
            made.lit(1);
            Optional<String> lossy =
                    made.excessLoss(() -> Qualification.label(name, circuit), device, circuit.egress());
            lossy.ifPresent(why -> made.obstacle(Reason.QUALIFYING, why));
            link(of, circuit, lossy.isPresent());
        } else {
            made.unmade(
                    Qualification.label(name, circuit),
                    device.refusal(circuit).map(why -> "device " + of.device() + ": " + why),
                    of.device(),
                    "switch " + name);
        }
    }

    private void link(OcsSwitch of, Circuit circuit, boolean lossy) {
        boolean told = state.wiring()
                .ends(of.name(), circuit)
                .filter(ends -> state.farEnds().told(ends.from(), ends.to()))
                .isPresent();
        if (told) {
            SwitchCircuit spot = new SwitchCircuit(of.name(), circuit);
            state.wiring()
                    .ways(of.name(), circuit)
                    .forEach(way -> links.computeIfAbsent(
                                    way.ends().from() + ">" + way.ends().to(), pair -> new ArrayList<>())
                            .add(new Line(way.ends(), spot, lossy)));
        } else if (lossy) {
            made.links(1, 0);
        }
    }

    /** How many circuits of a pair are heard and lose no more than is allowed. */
    private int passing(List<Line> pair) {
        int sound = (int) pair.stream()
                .filter(line -> !line.lossy() || state.dark().losses().containsKey(line.spot()))
                .count();
        return Math.min(heard(pair), sound);
    }

    /**
     * A circuit known to be dark is missing to the slice that holds it. What is missing besides, at an unknown place,
     * is missing to all.
     */
    private int heard(List<Line> pair) {
        OcsWiring.Ends ends = pair.getFirst().ends();
        if (!state.farEnds().listens(ends.to())) {
            made.obstacle(Reason.DEGRADED, "the far ends of " + ends.to() + " do not answer");
            return 0;
        }
        int all = state.farEnds().heard(ends.to(), ends.from());
        boolean doubted = state.farEnds().mayHearProbe(ends);
        int others = Math.min(all, state.residual().possible(ends));
        int hears = all - others;
        List<SwitchCircuit> dark = pair.stream()
                .map(Line::spot)
                .filter(state.dark().losses()::containsKey)
                .toList();
        int unproved = !doubted
                ? 0
                : (int) pair.stream()
                        .map(Line::spot)
                        .filter(spot -> !state.dark().losses().containsKey(spot) && isUnproved(spot))
                        .count();
        int lost = Math.min(pair.size(), dark.size() + unproved + state.dark().unexplained(ends));
        int heard = Math.min(pair.size() - lost, hears);
        if (heard < pair.size()) {
            if (!state.farEnds().listens(ends.from())) {
                made.obstacle(Reason.DEGRADED, "the far ends of " + ends.from() + " do not answer");
                return heard;
            }
            made.obstacle(
                    Reason.QUALIFYING,
                    ends.to() + " hears " + ends.from() + " on " + heard + " of " + pair.size() + " circuits"
                            + (dark.isEmpty() ? "" : ", not by " + where(dark.getFirst()))
                            + (unproved == 0 ? "" : ", and may hear the probing circuit of " + probed())
                            + (others == 0 ? "" : ", and may hear " + others + " that silent switches carry for others")
                            + remedy(ends, unproved > 0));
        }
        return heard;
    }

    /** What was proved before is not doubted for a probe. */
    private boolean isUnproved(SwitchCircuit spot) {
        return Stream.of(spot.circuit().ingress(), spot.circuit().egress())
                .map(port -> new Subject.OfPort(spot.opticalSwitch(), port))
                .anyMatch(port -> state.tracker().unproved(port).isPresent());
    }

    private String probed() {
        return "switch " + String.join(" or ", state.farEnds().probedSwitches());
    }

    /** What a silent switch may carry for others counts as lit until a person says that the switch is dark. */
    private String remedy(OcsWiring.Ends ends, boolean probed) {
        SortedMap<SliceId, String> leavers = state.residual().leavers(ends);
        return leavers.isEmpty()
                ? probed ? ": this ends when the probe is read back dark" + awaited() : ": check the fibres"
                : ": if switch " + leavers.get(leavers.firstKey()) + " is dark, annotate slice " + leavers.firstKey()
                        + ", which left circuits there, lightpath.dev/force-release";
    }

    private String awaited() {
        return state.farEnds()
                .awaited()
                .map(pods -> ", or may once the far ends of " + pods + " answer")
                .orElse("");
    }

    private String where(SwitchCircuit spot) {
        LossOfSignal.Loss loss = state.dark().losses().get(spot);
        return spot.opticalSwitch() + "/" + spot.circuit()
                + (loss == null || loss.suspects().size() > 1
                        ? ""
                        : " (light is lost at port " + loss.suspects().first() + ")");
    }
}
