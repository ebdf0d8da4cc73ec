package dev.lightpath.planner.engine.degrading;

import dev.lightpath.planner.fault.FaultTracker;
import dev.lightpath.planner.fault.Signal;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.health.Finding;
import dev.lightpath.planner.health.OpticalHealth;
import dev.lightpath.planner.health.Place;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.FarEnd;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.ocs.OcsHealth;
import dev.lightpath.planner.ocs.OcsWiring;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.OcsTopology;
import dev.lightpath.planner.world.World;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Ports of switches whose light gets worse, by where that is measured. What becomes of them is the same on every fabric
 * ({@link Degrading}).
 */
public record OcsDegrading(World world, OcsIntent intent) {
    /**
     * Ports that get worse and are taken out before they fail. Those of a torus are not: a circuit of it has one plane
     * and one index, so a free port of the same pods on any switch is no place for it.
     *
     * @param unfit where switches have no ports though they are wired so: no place for a circuit
     */
    public List<Signal> signals(
            OcsWiring wiring, SwitchedLight recorded, FaultTracker before, Collection<OcsHealth.FailedPort> unfit) {
        SortedMap<Subject, String> ports = new TreeMap<>();
        SortedMap<Place, Finding> findings = before.light().findings();
        ports(world, intent, before).forEach((place, port) -> {
            Finding finding = findings.get(place);
            if (finding == null || !finding.certain() || intent.topology() instanceof OcsTopology.TwistedTorus) {
                return;
            }
            ports.merge(port, remark(place, port, before.light()), (one, other) -> one.isEmpty() ? other : one);
        });
        return Degrading.signals(
                world,
                intent,
                intent.clearances(),
                ports,
                before,
                () -> new SparePorts(
                        world,
                        wiring,
                        recorded,
                        before,
                        Stream.concat(
                                        ports.keySet().stream(),
                                        unfit.stream()
                                                .map(port -> new Subject.OfPort(port.opticalSwitch(), port.port())))
                                .toList()));
    }

    /** What there is to know of a port beside that it gets worse, as was measured at some place. */
    private String remark(Place place, Subject.OfPort port, OpticalHealth health) {
        boolean ofSwitch = intent.switches().containsKey(place.device());
        if (measuresEntering(ofSwitch ? new Place(port.device(), port.port()) : place)) {
            return Degrading.ENTERING;
        }
        return !ofSwitch || !place.port().equals(port.port())
                ? ""
                : health.suspect(place)
                        .map(OpticalHealth.Suspect::ingress)
                        .filter(ingress -> !measuresEntering(ingress))
                        .map(ingress -> "or port " + ingress.port() + ", where the light of its circuit enters")
                        .orElse("");
    }

    /** Whether a port of a switch measures by itself what enters it; the loss of a circuit is told at its egress. */
    private boolean measuresEntering(Place place) {
        return world.device(intent, place.device())
                .filter(device -> device.light().containsKey(place.port()))
                .isPresent();
    }

    /** Ports of switches whose light gets worse, by where that is measured. O(wires) where there are any. */
    public static SortedMap<Place, Subject.OfPort> ports(World world, OcsIntent intent, FaultTracker tracker) {
        SortedMap<Place, Subject.OfPort> ports = new TreeMap<>();
        OpticalHealth health = tracker.light();
        List<Place> places = health.findings().keySet().stream()
                .filter(place -> !place.isWhole())
                .toList();
        places.stream()
                .filter(place -> intent.switches().containsKey(place.device()))
                .forEach(place -> ports.put(place, losing(world, intent, place, health)));
        if (ports.size() < places.size()) {
            intent.switches()
                    .values()
                    .forEach(of -> world.device(of.device())
                            .filter(DeviceState::present)
                            .ifPresent(device -> ports.putAll(leading(of, device, health))));
        }
        return ports;
    }

    /**
     * The port of a switch that loses what is measured there: of the loss of a circuit its ingress, if light is known
     * to enter weakly, else its egress.
     */
    private static Subject.OfPort losing(World world, OcsIntent intent, Place place, OpticalHealth health) {
        Finding finding = Objects.requireNonNull(health.findings().get(place));
        return world.device(intent, place.device())
                .filter(device -> device.present() && !device.light().containsKey(place.port()))
                .flatMap(device -> device.circuits().circuits().stream()
                        .filter(circuit -> circuit.egress().equals(place.port()))
                        .map(Circuit::ingress)
                        .filter(ingress ->
                                SignalDegrade.entersWeakly(health, place.device(), device, ingress, finding.lossDb()))
                        .findFirst())
                .map(ingress -> new Subject.OfPort(place.device(), ingress))
                .orElseGet(() -> Degrading.itself(place));
    }

    /**
     * Ports of a switch whose light gets worse on the way to the far end, and had not before it entered, by far end.
     */
    private static SortedMap<Place, Subject.OfPort> leading(OcsSwitch of, DeviceState device, OpticalHealth health) {
        SortedMap<Place, Subject.OfPort> ports = new TreeMap<>();
        SortedMap<String, FarEnd> peers = device.peers();
        for (OcsSwitch.Wire wire : of.wiring()) {
            FarEnd end = peers.get(wire.egress());
            Place place = end == null ? null : new Place(end.device(), end.port());
            Finding finding = place == null ? null : health.findings().get(place);
            if (place != null
                    && finding != null
                    && SignalDegrade.entering(of, device, wire)
                            .noneMatch(port ->
                                    SignalDegrade.entersWeakly(health, of.name(), device, port, finding.lossDb()))) {
                ports.put(place, new Subject.OfPort(of.name(), wire.egress()));
            }
        }
        return ports;
    }
}
