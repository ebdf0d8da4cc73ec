package dev.lightpath.planner.engine.degrading;

import dev.lightpath.planner.fault.FaultTracker;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.ocs.OcsWiring;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.World;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Ports of switches that are free and well, each promised once. It says whether the circuits of a port could be made
 * elsewhere between the same pods; which circuits are then made is for the planner to say.
 */
final class SparePorts implements Degrading.Places {
    private final OcsWiring wiring;
    private final SwitchedLight recorded;
    private final List<OcsSwitch> open;
    private final Set<Subject.OfPort> taken = new HashSet<>();

    /**
     * Linear in wires and circuits.
     *
     * @param unwell ports that are not to be counted as spare
     */
    SparePorts(
            World world,
            OcsWiring wiring,
            SwitchedLight recorded,
            FaultTracker before,
            Collection<? extends Subject> unwell) {
        this.wiring = wiring;
        this.recorded = recorded;
        this.open = wiring.intent().switches().values().stream()
                .filter(of -> !of.drained() && !before.faulty(new Subject.OfDevice(of.name())))
                .filter(of ->
                        world.device(of.device()).filter(DeviceState::present).isPresent())
                .toList();
        recorded.forEach((name, circuit) -> take(name, circuit));
        // what jobs are to have once they agree is kept for them
        world.forEachAllocation(
                wiring.intent(),
                (slice, allocation) -> allocation
                        .awaited()
                        .ifPresent(move -> move.circuits().forEach((name, circuit) -> take(name, circuit))));
        open.forEach(of -> world.device(of.device()).ifPresent(device -> {
            device.circuits().circuits().forEach(circuit -> take(of.name(), circuit));
            device.failedPorts().keySet().forEach(port -> taken.add(new Subject.OfPort(of.name(), port)));
        }));
        before.faults().forEach(fault -> take(fault.subject()));
        unwell.forEach(this::take);
    }

    private void take(String name, Circuit circuit) {
        taken.add(new Subject.OfPort(name, circuit.ingress()));
        taken.add(new Subject.OfPort(name, circuit.egress()));
    }

    private void take(Subject subject) {
        if (subject instanceof Subject.OfPort port) {
            taken.add(port);
        }
    }

    /** {@inheritDoc} O(circuits of the port * wires). */
    @Override
    public void keep(Subject subject) {
        if (subject instanceof Subject.OfPort port) {
            carried(port)
                    .forEach(circuit -> wiring.ends(port.device(), circuit)
                            .flatMap(this::places)
                            .ifPresent(taken::addAll));
        }
    }

    private List<Circuit> carried(Subject.OfPort port) {
        return recorded.on(port.device()).stream()
                .filter(circuit -> circuit.isAt(port.port()))
                .toList();
    }

    /** {@inheritDoc} O(circuits of the port * wires). */
    @Override
    public boolean replace(Subject subject) {
        if (!(subject instanceof Subject.OfPort port)) {
            return false;
        }
        List<Subject.OfPort> promised = new ArrayList<>();
        List<Circuit> carried = carried(port);
        for (Circuit circuit : carried) {
            Optional<List<Subject.OfPort>> places =
                    wiring.ends(port.device(), circuit).flatMap(this::places);
            if (places.isEmpty()) {
                promised.forEach(taken::remove);
                return false;
            }
            promised.addAll(places.get());
            taken.addAll(places.get());
        }
        return !carried.isEmpty() || another(port);
    }

    /** A free ingress of one pod and a free egress of the other, on one switch. */
    private Optional<List<Subject.OfPort>> places(OcsWiring.Ends ends) {
        for (OcsSwitch of : open) {
            Optional<Subject.OfPort> in = wiring.wires(of.name(), ends.from()).stream()
                    .map(wire -> new Subject.OfPort(of.name(), wire.ingress()))
                    .filter(spot -> !taken.contains(spot))
                    .findFirst();
            Optional<Subject.OfPort> out = wiring.wires(of.name(), ends.to()).stream()
                    .map(wire -> new Subject.OfPort(of.name(), wire.egress()))
                    .filter(spot ->
                            !taken.contains(spot) && !in.filter(spot::equals).isPresent())
                    .findFirst();
            if (in.isPresent() && out.isPresent()) {
                return Optional.of(List.of(in.get(), out.get()));
            }
        }
        return Optional.empty();
    }

    /** A port that carries nothing goes where its pod has another free one. */
    private boolean another(Subject.OfPort port) {
        OcsSwitch on = wiring.intent().switches().get(port.device());
        Optional<OcsSwitch.Wire> own = on == null ? Optional.empty() : on.wireAt(port.port());
        if (own.isEmpty()) {
            return false;
        }
        for (OcsSwitch of : open) {
            for (OcsSwitch.Wire wire : wiring.wires(of.name(), own.get().pod())) {
                Subject.OfPort in = new Subject.OfPort(of.name(), wire.ingress());
                Subject.OfPort out = new Subject.OfPort(of.name(), wire.egress());
                if (!taken.contains(in) && !taken.contains(out)) {
                    taken.add(in);
                    taken.add(out);
                    return true;
                }
            }
        }
        return false;
    }
}
