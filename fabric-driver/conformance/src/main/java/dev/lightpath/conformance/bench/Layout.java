package dev.lightpath.conformance.bench;

import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.Port;
import dev.lightpath.proto.driver.v1alpha1.PortAdminState;
import dev.lightpath.proto.driver.v1alpha1.PortOperState;
import dev.lightpath.proto.driver.v1alpha1.PortOverride;
import dev.lightpath.proto.driver.v1alpha1.PortSide;
import dev.lightpath.proto.driver.v1alpha1.Scope;
import dev.lightpath.proto.driver.v1alpha1.SelectablePath;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The circuits the kit plays with: numbered, disjoint, on free ports. The last one of three and more is kept free by
 * most requirements, so that its egress can serve as another circuit's.
 */
public final class Layout {
    private static final int MOST = 6;
    private static final int MOST_AT_ONCE = 32;
    private static final int LEAST_OF_A_SWITCH = 2;
    private static final int LEAST_OF_TRANSCEIVERS = 2;

    private final List<Lane> lanes;
    private final List<Lane> wide;
    private final Optional<String> broken;
    private final boolean selector;
    private final boolean oneSided;

    private Layout(List<Lane> lanes, List<Lane> wide, Optional<String> broken, boolean selector, boolean oneSided) {
        this.lanes = List.copyOf(lanes);
        this.wide = List.copyOf(wide);
        this.broken = broken;
        this.selector = selector;
        this.oneSided = oneSided;
    }

    /**
     * Chooses circuits on a device.
     *
     * @param scratch ports to choose from; empty: all
     * @param brokenPort an egress whose moves fail; empty: a dark one of the scratch ports that the inventory calls
     *     failed, if any
     * @throws Unusable when there are too few free ports
     */
    public static Layout of(DeviceUnderTest device, List<String> scratch, Optional<String> brokenPort) {
        Set<String> taken = new HashSet<>();
        device.lit().forEach(k -> taken.addAll(List.of(k.getIngress(), k.getEgress())));
        List<Port> usable = device.inventory().getPortsList().stream()
                .filter(p -> scratch.isEmpty() || scratch.contains(p.getName()))
                .filter(p -> !taken.contains(p.getName()) && isFit(p))
                .filter(p -> !brokenPort.equals(Optional.of(p.getName())))
                .toList();
        Stream.concat(scratch.stream(), brokenPort.stream())
                .filter(name -> device.inventory().getPortsList().stream()
                        .noneMatch(p -> p.getName().equals(name)))
                .findFirst()
                .ifPresent(unknown -> {
                    throw new Unusable(
                            "--scratch-ports, --broken-port: " + device.id() + " has no port '" + unknown + "'");
                });
        List<Lane> lanes = lanes(device, usable, MOST);
        int least = device.isSelector() ? LEAST_OF_TRANSCEIVERS : LEAST_OF_A_SWITCH;
        if (lanes.size() < least) {
            throw new Unusable(device.id() + " has free ports for " + lanes.size()
                    + " disjoint circuits, and the kit needs " + least
                    + (scratch.isEmpty() ? "" : "; name more in --scratch-ports"));
        }
        Optional<String> broken = brokenPort.or(() -> device.inventory().getPortsList().stream()
                .filter(p -> p.getOperState() == PortOperState.PORT_OPER_STATE_FAILED)
                .filter(p -> p.getSide() == PortSide.PORT_SIDE_EGRESS || p.getSide() == PortSide.PORT_SIDE_BOTH)
                .map(Port::getName)
                .filter(name -> !taken.contains(name) && (scratch.isEmpty() || scratch.contains(name)))
                .findFirst());
        return new Layout(
                lanes,
                lanes(device, usable, MOST_AT_ONCE),
                device.isSelector() ? Optional.empty() : broken,
                device.isSelector(),
                isOneSided(device, lanes));
    }

    private static List<Lane> lanes(DeviceUnderTest device, List<Port> usable, int most) {
        return device.isSelector() ? modules(device, usable, most) : pairs(usable, most);
    }

    private static boolean isFit(Port port) {
        return port.getAdminState() != PortAdminState.PORT_ADMIN_STATE_OUT_OF_SERVICE
                && port.getOperState() != PortOperState.PORT_OPER_STATE_FAILED
                && (port.getOverride() == PortOverride.PORT_OVERRIDE_NONE
                        || port.getOverride() == PortOverride.PORT_OVERRIDE_UNSPECIFIED);
    }

    private static List<Lane> pairs(List<Port> usable, int most) {
        List<String> both = names(usable, PortSide.PORT_SIDE_BOTH);
        List<String> ins = new ArrayList<>(names(usable, PortSide.PORT_SIDE_INGRESS));
        List<String> outs = new ArrayList<>(names(usable, PortSide.PORT_SIDE_EGRESS));
        int even = (outs.size() + both.size() - ins.size()) / 2;
        int taken = Math.clamp(Math.min(even, most - ins.size()), 0, both.size());
        ins.addAll(both.subList(0, taken));
        outs.addAll(both.subList(taken, both.size()));
        List<Lane> lanes = new ArrayList<>();
        int count = Math.min(most, Math.min(ins.size(), outs.size()));
        for (int i = 0; i < count; i++) {
            String ingress = ins.get(i);
            Optional<CircuitKey> spare = spare(i, count, outs).map(egress -> Circuits.key(ingress, egress));
            lanes.add(new Lane(Circuits.key(ingress, outs.get(i)), Optional.empty(), spare));
        }
        return lanes;
    }

    /** Where the i-th ingress may go besides: to the egress of the last circuit, which of two is not kept free. */
    private static Optional<String> spare(int i, int count, List<String> outs) {
        if (count <= LEAST_OF_A_SWITCH) {
            return outs.stream().skip(count).findFirst();
        }
        return i == count - 1 ? Optional.empty() : Optional.of(outs.get(count - 1));
    }

    private static List<String> names(List<Port> ports, PortSide side) {
        return ports.stream()
                .filter(p -> p.getSide() == side)
                .map(Port::getName)
                .toList();
    }

    private static boolean isOneSided(DeviceUnderTest device, List<Lane> lanes) {
        List<String> both = names(device.inventory().getPortsList(), PortSide.PORT_SIDE_BOTH);
        return !device.isTwoSided() && lanes.stream().map(Lane::ports).allMatch(both::containsAll);
    }

    private static List<Lane> modules(DeviceUnderTest device, List<Port> usable, int most) {
        Set<String> names = new HashSet<>();
        usable.forEach(p -> names.add(p.getName()));
        List<CircuitKey> present = Circuits.keys(device.circuits().getCircuitsList());
        List<Lane> lanes = new ArrayList<>();
        for (Port common : usable) {
            List<CircuitKey> lines = device.inventory().getPathsList().stream()
                    .filter(p -> p.getCommonPort().equals(common.getName()) && !p.getPowerOnPosition())
                    .filter(p -> names.contains(p.getLinePort()))
                    .map(Layout::key)
                    .toList();
            if (!lines.isEmpty() && lanes.size() < most) {
                lanes.add(new Lane(
                        lines.getFirst(),
                        present.stream()
                                .filter(k -> k.getIngress().equals(common.getName()))
                                .findFirst(),
                        lines.stream().skip(1).findFirst()));
            }
        }
        return lanes;
    }

    private static CircuitKey key(SelectablePath path) {
        return Circuits.key(path.getCommonPort(), path.getLinePort());
    }

    public int size() {
        return lanes.size();
    }

    /**
     * As many circuits as the free ports allow, up to 32, for what is about many at once; they are none of these here.
     */
    public Layout wide() {
        return new Layout(wide, wide, broken, selector, oneSided);
    }

    /** True when any ingress may meet any egress. */
    public boolean crosses() {
        return !selector;
    }

    /** The i-th circuit. */
    public CircuitKey circuit(int i) {
        return lane(i).circuit();
    }

    /** What the ingress of the i-th circuit is connected to when the kit leaves it alone. */
    public Optional<CircuitKey> rest(int i) {
        return lane(i).rest();
    }

    /** Another circuit of the i-th ingress. */
    public CircuitKey alternative(int i) {
        return lane(i).alternative()
                .orElseThrow(() -> new Inapplicable("no second circuit of one ingress is possible"));
    }

    /** The i-th ingress to the j-th egress. */
    public CircuitKey crossing(int i, int j) {
        if (selector) {
            throw new Inapplicable("no two ingresses of transceivers share an egress");
        }
        return Circuits.key(circuit(i).getIngress(), circuit(j).getEgress());
    }

    /** The j-th egress taken as the ingress of a circuit. */
    public CircuitKey backwards(int i, int j) {
        if (selector || !oneSided) {
            throw new Inapplicable("on this device no port is both ingress and egress");
        }
        return Circuits.key(circuit(i).getEgress(), circuit(j).getEgress());
    }

    /**
     * Two disjoint circuits that the device names in another order than that of their bytes.
     *
     * @throws Inapplicable where its names are in that order, or no port is ever dark
     */
    public List<CircuitKey> unordered() {
        if (selector) {
            throw new Inapplicable("modules of transceivers are never dark");
        }
        return (oneSided ? mixed() : ordered())
                .orElseThrow(() -> new Inapplicable("the names of the free ports are in the order of their bytes"));
    }

    private Optional<List<CircuitKey>> ordered() {
        for (int i = 1; i < lanes.size(); i++) {
            List<CircuitKey> two = List.of(circuit(i - 1), circuit(i));
            if (Circuits.ORDER.compare(two.getFirst(), two.getLast()) > 0) {
                return Optional.of(two);
            }
        }
        return Optional.empty();
    }

    /** Each from its first port, by number and by bytes: a device whose circuits go both ways may show none other. */
    private Optional<List<CircuitKey>> mixed() {
        List<String> names = Stream.concat(
                        lanes.stream().map(lane -> lane.circuit().getIngress()),
                        lanes.stream().map(lane -> lane.circuit().getEgress()))
                .toList();
        for (int i = 0; i < names.size(); i++) {
            for (int k = i + 1; k < names.size(); k++) {
                Optional<List<CircuitKey>> two = disjoint(names, i, k)
                        .filter(keys -> Circuits.ORDER.compare(keys.getFirst(), keys.getLast()) > 0);
                if (two.isPresent()) {
                    return two;
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<List<CircuitKey>> disjoint(List<String> names, int from, int another) {
        return onwards(names, from, names.get(another))
                .flatMap(one -> onwards(names, another, one.getEgress()).map(other -> List.of(one, other)));
    }

    private static Optional<CircuitKey> onwards(List<String> names, int from, String taken) {
        return names.stream()
                .skip(from + 1L)
                .filter(name -> !name.equals(taken))
                .map(name -> Circuits.key(names.get(from), name))
                .filter(key -> Circuits.ORDER.compare(key, Circuits.key(key.getEgress(), key.getIngress())) < 0)
                .findFirst();
    }

    /** A circuit that leaves at a port known to be broken, on the ingress of the circuit 1. */
    Optional<CircuitKey> failing() {
        return broken.map(egress -> Circuits.key(circuit(1).getIngress(), egress));
    }

    private Lane lane(int i) {
        if (i >= lanes.size()) {
            throw new Inapplicable("needs " + (i + 1) + " disjoint circuits, the free ports allow " + lanes.size());
        }
        return lanes.get(i);
    }

    /** All ports of these circuits, sorted. */
    public List<String> ports() {
        Set<String> ports = new TreeSet<>();
        lanes.forEach(lane -> ports.addAll(lane.ports()));
        broken.ifPresent(ports::add);
        return List.copyOf(ports);
    }

    /** All ports the kit may touch. */
    Scope reach() {
        Set<String> ports = new TreeSet<>(ports());
        ports.addAll(wide().ports());
        return Circuits.scope(ports);
    }

    boolean reaches(CircuitKey key) {
        return reach().getPortsList().containsAll(List.of(key.getIngress(), key.getEgress()));
    }

    /** All ports of these circuits. */
    public Scope scope() {
        return Circuits.scope(ports());
    }

    /** The ports of the i-th circuit, its resting position included. */
    public Scope scope(int i) {
        List<String> ports =
                new ArrayList<>(List.of(circuit(i).getIngress(), circuit(i).getEgress()));
        rest(i).ifPresent(r -> ports.add(r.getEgress()));
        return Circuits.scope(ports);
    }

    boolean isRest(CircuitKey key) {
        return lanes.stream().anyMatch(lane -> lane.rest().filter(key::equals).isPresent());
    }
}
