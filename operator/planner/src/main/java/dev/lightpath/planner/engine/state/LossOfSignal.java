package dev.lightpath.planner.engine.state;

import dev.lightpath.planner.fault.FaultTracker;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.FarEnd;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.ocs.OcsWiring;
import dev.lightpath.planner.ocs.SwitchCircuit;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.World;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Which recorded circuits are made and carry no light, and which of their ports are to blame. A pod that hears another
 * on fewer ports than there are circuits misses some; which, say the hints of the installation about where a port's
 * fibre ends, and switches that measure what enters them. What the hints say counts only as far as it agrees with how
 * many ports hear.
 *
 * <p>A circuit that was made and has not been seen lit since is unproved: its light may be on the way, or the news of
 * it. Voices that were heard where it ends before it was made are of another, and prove nothing for a while. Those that
 * may be of a probing circuit prove nothing either. What was proved before stays proved while these are heard, and no
 * light is missed in their place unless hints say where, or it is known which voice is the probe's.
 */
public final class LossOfSignal {
    static final String LOSS_OF_LIGHT = "LossOfLight";
    static final String WRONG_NEIGHBOUR = "WrongNeighbour";

    /**
     * Why a circuit is dark.
     *
     * @param to the pod that does not hear
     * @param suspects ports of the switch on whose side the light is lost; both of the circuit's where that is unknown
     */
    public record Loss(String from, String to, SortedSet<String> suspects, String reason) {}

    private enum Seen {
        LIT,
        DARK,
        UNKNOWN
    }

    /** One direction of a circuit. */
    private record Line(SwitchCircuit spot, OcsSwitch of, DeviceState device, String in, String out, boolean resting) {
        boolean made() {
            return shines(of, device, spot.circuit());
        }
    }

    private final World world;
    private final OcsWiring wiring;
    private final PeerObservations farEnds;
    private final ResidualLight residual;
    private final Map<SwitchCircuit, Loss> losses = new HashMap<>();
    private final Map<OcsWiring.Ends, Integer> unexplained = new HashMap<>();
    private final SwitchedLight inUse;
    private final FaultTracker before;
    private final Map<Subject, Instant> unproved = new HashMap<>();
    private final Set<Subject> unlit = new HashSet<>();

    /**
     * Linear in circuits.
     *
     * @param recorded circuits that are to carry light
     * @param inUse those of them that running pods use, where probes make circuits doubtful
     * @param before the tracker of the pass before, which remembers what was unproved
     */
    LossOfSignal(
            World world,
            OcsWiring wiring,
            PeerObservations farEnds,
            ResidualLight residual,
            SwitchedLight recorded,
            SwitchedLight inUse,
            FaultTracker before) {
        this.world = world;
        this.wiring = wiring;
        this.farEnds = farEnds;
        this.residual = residual;
        this.inUse = inUse;
        this.before = before;
        Set<DeviceId> locked = new HashSet<>(world.locked());
        Map<OcsWiring.Ends, List<Line>> pairs = new HashMap<>();
        recorded.circuits().forEach((name, circuits) -> {
            OcsSwitch of = wiring.intent().switches().get(name);
            DeviceState device = of == null ? null : world.device(of.device()).orElse(null);
            boolean free = of != null && !locked.contains(of.device());
            for (Circuit circuit : circuits) {
                OcsWiring.Ends ends = wiring.ends(name, circuit).orElse(null);
                if (ends == null) {
                    continue;
                }
                SwitchCircuit spot = new SwitchCircuit(name, circuit);
                if (of == null || device == null || !farEnds.know(ends.from(), ends.to())) {
                    boolean toMake = of != null && device != null && device.present() && !shines(of, device, circuit);
                    unheard(spot, toMake);
                    continue;
                }
                boolean resting = free && atRest(of, device, circuit);
                wiring.ways(name, circuit)
                        .forEach(way -> pairs.computeIfAbsent(way.ends(), pair -> new ArrayList<>())
                                .add(new Line(spot, of, device, way.in(), way.out(), resting)));
            }
        });
        pairs.forEach(this::judge);
    }

    /**
     * Where the far ends cannot be asked, what was proved stays so, and nothing else is.
     *
     * @param toMake whether its switch says that it is not made
     */
    private void unheard(SwitchCircuit spot, boolean toMake) {
        for (String port : List.of(spot.circuit().ingress(), spot.circuit().egress())) {
            Subject part = new Subject.OfPort(spot.opticalSwitch(), port);
            if (toMake) {
                leaveUnproved(part, Instant.EPOCH);
            }
            provable(spot, port, true).ifPresent(at -> leaveUnproved(part, at));
        }
    }

    private static boolean atRest(OcsSwitch of, DeviceState device, Circuit circuit) {
        return device.operation().isEmpty() && shines(of, device, circuit);
    }

    private static boolean shines(OcsSwitch of, DeviceState device, Circuit circuit) {
        return device.present() && of.shows(device, circuit) && !device.moves(circuit) && !device.failed(circuit);
    }

    private void judge(OcsWiring.Ends ends, List<Line> lines) {
        int heard = Math.max(0, farEnds.heard(ends.to(), ends.from()) - residual.heard(ends));
        int proving = Math.max(0, farEnds.heardWithoutProbes(ends.to(), ends.from()) - residual.heard(ends));
        boolean allHeard = heard >= lines.size();
        boolean allProved = true;
        for (Line line : lines) {
            if (!line.made()
                    || provable(line.spot(), line.in(), allHeard).isPresent()
                    || provable(line.spot(), line.out(), allHeard).isPresent()) {
                prove(line, seen(ends, line), allHeard, proving >= lines.size());
                allProved = false;
            }
        }
        if (proving < lines.size()) {
            unlit(ends, lines, proving);
        }
        if (proving < heard && isBesideProbe(ends, lines, allProved)) {
            heard = proving;
        }
        if (heard >= lines.size()) {
            return;
        }
        int resting = 0;
        int lit = 0;
        List<Line> dark = new ArrayList<>();
        for (Line line : lines) {
            if (line.resting()) {
                resting++;
                switch (seen(ends, line)) {
                    case LIT -> lit++;
                    case DARK -> dark.add(line);
                    case UNKNOWN -> {}
                }
            }
        }
        if (heard == 0) {
            lines.stream().filter(Line::resting).forEach(line -> lose(ends, line));
            return;
        }
        boolean agrees = lit <= heard && heard <= lines.size() - dark.size();
        if (agrees) {
            dark.forEach(line -> lose(ends, line));
        }
        int missing = resting - heard - (agrees ? dark.size() : 0);
        if (missing > 0) {
            unexplained.put(ends, missing);
        }
    }

    /**
     * Whether the voice of a probe is heard beside those of the circuits, and not in place of one that may have come
     * with it: light is missed then where the hints say that one is dark, or where all were proved and it is known
     * which voice is the probe's. Hints may be wrong. Without a memory of what was heard before the probe they cost a
     * healthy circuit its light.
     */
    private boolean isBesideProbe(OcsWiring.Ends ends, List<Line> lines, boolean allProved) {
        return allProved && farEnds.tellsProbe()
                || farEnds.knowsBefore()
                        && lines.stream().anyMatch(line -> line.resting() && seen(ends, line) == Seen.DARK);
    }

    /** Circuits that are not made yet are not missed; those of a switch that does not answer may be what is heard. */
    private void unlit(OcsWiring.Ends ends, List<Line> lines, int heard) {
        List<Line> made = lines.stream().filter(Line::made).toList();
        long silent = lines.stream().filter(line -> !line.device().present()).count();
        if (heard < made.size() + silent) {
            made.stream().filter(line -> seen(ends, line) != Seen.LIT).forEach(line -> {
                unlit.add(new Subject.OfPort(line.spot().opticalSwitch(), line.in()));
                unlit.add(new Subject.OfPort(line.spot().opticalSwitch(), line.out()));
            });
        }
    }

    /**
     * When a port of a circuit can be proved; empty where it was. An earlier process proved what running pods use: they
     * begin to run on light that was seen.
     *
     * @param mayBeLit whether nothing says that the circuit is dark
     */
    private Optional<Instant> provable(SwitchCircuit spot, String port, boolean mayBeLit) {
        boolean provedEarlier = mayBeLit
                && before.isFirstLook()
                && inUse.on(spot.opticalSwitch()).contains(spot.circuit());
        return provedEarlier ? Optional.empty() : before.unproved(new Subject.OfPort(spot.opticalSwitch(), port));
    }

    /**
     * @param allHeard whether as many voices are heard as the pair has circuits
     * @param allProved whether they are without those that may be of a probing circuit
     */
    private void prove(Line line, Seen seen, boolean allHeard, boolean allProved) {
        boolean stale = seen == Seen.LIT || seen == Seen.UNKNOWN && allHeard;
        boolean lit = seen == Seen.LIT || allProved;
        for (String port : List.of(line.in(), line.out())) {
            Subject part = new Subject.OfPort(line.spot().opticalSwitch(), port);
            LinkUpGrace.next(provable(line.spot(), port, allHeard), line.made(), lit, stale, world.now())
                    .ifPresent(at -> leaveUnproved(part, at));
        }
    }

    private void leaveUnproved(Subject part, Instant provable) {
        unproved.merge(part, provable, (one, other) -> one.isAfter(other) ? one : other);
    }

    private Seen seen(OcsWiring.Ends ends, Line line) {
        FarEnd receiver = line.device().peers().get(line.out());
        if (receiver != null && receiver.device().equals(ends.to())) {
            if (farEnds.mayHearProbe(receiver)) {
                return Seen.UNKNOWN;
            }
            return farEnds.speaker(ends.to(), receiver.port())
                            .filter(ends.from()::equals)
                            .isPresent()
                    ? Seen.LIT
                    : Seen.DARK;
        }
        return unlit(line.device(), line.in()) ? Seen.DARK : Seen.UNKNOWN;
    }

    private void lose(OcsWiring.Ends ends, Line line) {
        FarEnd receiver = line.device().peers().get(line.out());
        boolean stranger = receiver != null
                && receiver.device().equals(ends.to())
                && farEnds.speaker(ends.to(), receiver.port()).isPresent();
        SortedSet<String> suspects = new TreeSet<>();
        if (stranger || unlit(line.device(), line.in())) {
            suspects.add(line.in());
        } else if (unlit(line.device(), ingressOf(line.of(), line.out()))) {
            // a cut fibre is dark both ways
            suspects.add(line.out());
        } else {
            suspects.addAll(List.of(line.in(), line.out()));
        }
        losses.merge(
                line.spot(),
                new Loss(ends.from(), ends.to(), suspects, stranger ? WRONG_NEIGHBOUR : LOSS_OF_LIGHT),
                (one, other) -> {
                    SortedSet<String> both = new TreeSet<>(one.suspects());
                    both.addAll(other.suspects());
                    return new Loss(one.from(), one.to(), both, one.reason());
                });
    }

    /** The port at which the fibre of an egress port's wire enters the switch; on any-to-any switches the same. */
    private String ingressOf(OcsSwitch of, String egress) {
        return of.wiring().stream()
                .filter(wire -> wire.egress().equals(egress))
                .map(OcsSwitch.Wire::ingress)
                .findFirst()
                .orElse(egress);
    }

    /** Whether a switch measures what enters it, and nothing enters there. */
    private static boolean unlit(DeviceState device, String ingress) {
        return !device.light().isEmpty() && !device.light().containsKey(ingress);
    }

    /**
     * Whether a circuit of a record may carry light: not where its switch tells that it is not made, and where it is
     * known to be dark. A switch that does not answer may carry it on.
     */
    boolean mayBeLit(String name, Circuit circuit) {
        OcsSwitch of = wiring.intent().switches().get(name);
        DeviceState device = of == null ? null : world.device(of.device()).orElse(null);
        return of == null
                || device == null
                || !device.present()
                || shines(of, device, circuit) && !losses.containsKey(new SwitchCircuit(name, circuit));
    }

    /** Whether a switch is known and does not answer. */
    boolean isSilent(String name) {
        return world.device(wiring.intent(), name)
                .filter(device -> device.presence() == DeviceState.Presence.SILENT)
                .isPresent();
    }

    /** The circuits known to be dark. */
    public Map<SwitchCircuit, Loss> losses() {
        return losses;
    }

    /**
     * Ports of circuits that were made, or are being made, and have not been seen lit since, with the time when that
     * may be proved.
     */
    Map<Subject, Instant> unproved() {
        return unproved;
    }

    /** Ports of circuits that are made and not seen lit, where pods hear less than what is made or may be. */
    Set<Subject> unlit() {
        return unlit;
    }

    /** How many circuits between two pods are dark, without knowing which. */
    public int unexplained(OcsWiring.Ends ends) {
        return unexplained.getOrDefault(ends, 0);
    }

    /** Whether a port that was found dark still is: no light enters where its wire ends, though the switch measures. */
    static boolean stillDark(World world, OcsIntent intent, Subject.OfPort port) {
        OcsSwitch of = intent.switches().get(port.device());
        Optional<DeviceState> device =
                of == null ? Optional.empty() : world.device(of.device()).filter(DeviceState::present);
        if (of == null || device.isEmpty()) {
            return false;
        }
        String ingress = of.wireAt(port.port()).map(OcsSwitch.Wire::ingress).orElse(port.port());
        return unlit(device.get(), ingress);
    }
}
