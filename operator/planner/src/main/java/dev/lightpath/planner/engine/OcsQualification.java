package dev.lightpath.planner.engine;

import dev.lightpath.planner.engine.decision.SliceVerdict.Light;
import dev.lightpath.planner.engine.decision.SliceVerdict.Obstacle;
import dev.lightpath.planner.engine.state.LossOfSignal;
import dev.lightpath.planner.engine.state.OcsState;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.DeviceBackoff;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.ocs.OcsWiring;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.SliceId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How far the circuits of a slice have come. A link qualifies when the pod it leads to hears the pod it comes from, on any-to-any
 * devices both ways; pods whose far ends no driver tells of are taken by what the switches read back.
 */
final class OcsQualification {
    private final OcsState scene;
    private int lit;
    private int failed;
    private final List<Obstacle> obstacles = new ArrayList<>();
    private final Map<String, List<Line>> links = new TreeMap<>();

    private record Line(OcsWiring.Ends ends, LossOfSignal.Spot spot) {}

    private OcsQualification(OcsState scene) {
        this.scene = scene;
    }

    /** Linear in circuits. */
    static Light of(OcsState scene, Allocation allocation) {
        OcsQualification of = new OcsQualification(scene);
        allocation.circuits().forEach(of::circuit);
        int wanted = 0;
        int heard = 0;
        for (List<Line> pair : of.links.values()) {
            wanted += pair.size();
            heard += of.heard(pair);
        }
        if (!scene.findings().isEmpty()) {
            // who should hear whom is what the description gets wrong: nothing is proved, and nothing that was is
            // disproved
            wanted = of.lit;
            of.obstacles.add(new Obstacle(Reason.INVALID_WIRING, String.join("; ", scene.findings())));
        }
        if (!scene.synced()) {
            of.obstacles.addFirst(of.away());
        }
        return new Light(
                allocation.circuits().size(),
                of.lit,
                of.failed,
                wanted,
                heard,
                of.obstacles.stream().findFirst());
    }

    private Obstacle away() {
        for (String driver : scene.intent().drivers()) {
            if (!scene.world().driver(driver).synced()) {
                return new Obstacle(
                        Reason.DRIVER_UNREACHABLE,
                        "driver " + driver + ": "
                                + scene.world().driver(driver).problem().orElse("no contact")
                                + "; light stays as it is");
            }
        }
        return new Obstacle(Reason.DRIVER_UNREACHABLE, "no driver");
    }

    private void circuit(String name, Circuit circuit) {
        OcsSwitch of = scene.intent().switches().get(name);
        DeviceState device = of == null ? null : scene.device(of).orElse(null);
        if (of == null || device == null || !device.present()) {
            failed++;
            obstacles.add(new Obstacle(Reason.DEGRADED, "switch " + name + " does not answer"));
            return;
        }
        boolean failedPort = device.failedPorts().containsKey(circuit.ingress())
                || device.failedPorts().containsKey(circuit.egress());
        if (failedPort) {
            failed++;
            obstacles.add(new Obstacle(Reason.DEGRADED, name + "/" + circuit + ": port failed"));
        } else if (of.shows(device, circuit)
                && !device.moving().contains(circuit.ingress())
                && !device.moving().contains(circuit.egress())) {
            lit++;
            link(of, circuit);
        } else if (device.refusal(circuit).isPresent()) {
            obstacles.add(new Obstacle(
                    Reason.REJECTED,
                    name + "/" + circuit + ": device " + of.device() + ": "
                            + device.refusal(circuit).get()));
        } else {
            DeviceBackoff setback = scene.world().setbacks().get(of.device());
            obstacles.add(
                    setback == null
                            ? Obstacle.programming(name + "/" + circuit + " is not made yet")
                            : new Obstacle(setback.reason(), "switch " + name + ": " + setback.message()));
        }
    }

    private void link(OcsSwitch of, Circuit circuit) {
        if (!scene.findings().isEmpty()) {
            return;
        }
        scene.wiring()
                .ends(of.name(), circuit)
                .filter(ends -> scene.farEnds().told(ends.from(), ends.to()))
                .ifPresent(ends -> {
                    add(ends, of, circuit);
                    if (of.kind() == DeviceKind.ANY_TO_ANY) {
                        add(new OcsWiring.Ends(ends.to(), ends.from()), of, circuit);
                    }
                });
    }

    private void add(OcsWiring.Ends ends, OcsSwitch of, Circuit circuit) {
        links.computeIfAbsent(ends.from() + ">" + ends.to(), pair -> new ArrayList<>())
                .add(new Line(ends, new LossOfSignal.Spot(of.name(), circuit)));
    }

    /** Circuits known to be dark are missing to who holds them; what is missing beside, nobody knows where, is missing to all. */
    private int heard(List<Line> pair) {
        OcsWiring.Ends ends = pair.getFirst().ends();
        if (!scene.farEnds().listens(ends.to())) {
            obstacles.add(new Obstacle(Reason.DEGRADED, "the far ends of " + ends.to() + " do not answer"));
            return 0;
        }
        int all = scene.farEnds().heard(ends.to(), ends.from());
        int others = Math.min(all, scene.echo().possible(ends));
        int hears = all - others;
        List<LossOfSignal.Spot> dark = pair.stream()
                .map(Line::spot)
                .filter(scene.dark().losses()::containsKey)
                .toList();
        int lost = Math.min(pair.size(), dark.size() + scene.dark().unexplained(ends));
        int heard = Math.min(pair.size() - lost, hears);
        if (heard < pair.size()) {
            if (!scene.farEnds().listens(ends.from())) {
                obstacles.add(new Obstacle(Reason.DEGRADED, "the far ends of " + ends.from() + " do not answer"));
                return heard;
            }
            obstacles.add(new Obstacle(
                    Reason.QUALIFYING,
                    ends.to() + " hears " + ends.from() + " on " + heard + " of " + pair.size() + " circuits"
                            + (dark.isEmpty() ? "" : ", not by " + where(dark.getFirst()))
                            + (others == 0 ? "" : ", and may hear " + others + " that silent switches carry for others")
                            + remedy(ends)));
        }
        return heard;
    }

    /** What is only feared of a switch that is dead is feared until a person says that it is. */
    private String remedy(OcsWiring.Ends ends) {
        SortedMap<SliceId, String> leavers = scene.echo().leavers(ends);
        return leavers.isEmpty()
                ? ": check the fibres"
                : ": if switch " + leavers.get(leavers.firstKey()) + " is dark, annotate slice " + leavers.firstKey()
                        + ", which left circuits there, lightpath.dev/force-release";
    }

    private String where(LossOfSignal.Spot spot) {
        LossOfSignal.Loss loss = scene.dark().losses().get(spot);
        return spot.opticalSwitch() + "/" + spot.circuit()
                + (loss == null || loss.suspects().size() > 1
                        ? ""
                        : " (light is lost at port " + loss.suspects().first() + ")");
    }
}
