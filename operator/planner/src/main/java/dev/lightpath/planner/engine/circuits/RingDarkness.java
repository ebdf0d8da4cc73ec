package dev.lightpath.planner.engine.circuits;

import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.allocation.TransceiverPorts;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.pacing.Darkness;
import dev.lightpath.planner.engine.pacing.Due;
import dev.lightpath.planner.engine.state.RingState;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.CrossConnects;
import dev.lightpath.planner.light.DeviceChange;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.Stage;
import dev.lightpath.planner.ring.BundleDerivation;
import dev.lightpath.planner.ring.BundleStates;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Origin;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.World;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * How much light of running pods is dark on a ring. A bundle at rest always leads somewhere, if only back, so one that
 * is to be lit and leads nowhere was taken down by a change that is not done: whatever process made it. Of a device
 * whose outcome is not known all that is not as wanted may be dark.
 */
public final class RingDarkness implements Darkness {
    private final RingState state;
    private final RingCircuits circuits;
    private final SortedSet<DeviceId> locked;
    /** Ingress ports of dark circuits. */
    private final Map<DeviceId, Set<String>> dark = new HashMap<>();

    /** Linear in nodes whose devices do not show what is wanted. */
    public RingDarkness(RingState state, RingCircuits circuits) {
        this.state = state;
        this.circuits = circuits;
        this.locked = state.world().locked();
        for (RingPlan.Differing each : circuits.plan().differing()) {
            if (each.device().present() && circuits.underPods(each.node())) {
                add(state.deviceId(each.node()), each.device(), each.wanted());
            }
        }
    }

    private void add(DeviceId id, DeviceState device, CrossConnects wanted) {
        // what it cannot make, or failed to make again and again, a fault keeps from being lit
        if (state.world().failsAgain(id)
                || wanted.circuits().stream()
                        .anyMatch(circuit -> device.refusal(circuit).isPresent())) {
            return;
        }
        for (Circuit circuit : wanted.circuits()) {
            boolean failed = device.failed(circuit);
            boolean moving = device.moving().contains(circuit.ingress());
            boolean lit = device.circuits().contains(circuit) && !moving;
            boolean takenDown = locked.contains(id)
                    || moving
                    || device.circuits().egressOf(circuit.ingress()).isEmpty();
            if (!failed && !lit && takenDown) {
                dark.computeIfAbsent(id, of -> new HashSet<>()).add(circuit.ingress());
            }
        }
    }

    @Override
    public int now() {
        return dark.values().stream().mapToInt(Set::size).sum();
    }

    @Override
    public Cost of(DeviceChange change) {
        int during = circuits.underPods(change.device().device())
                ? change.disconnects().size()
                : 0;
        Set<String> relit = dark.getOrDefault(change.device(), Set.of());
        int after = Math.toIntExact(change.connects().stream()
                .filter(circuit -> relit.contains(circuit.ingress()))
                .count());
        return new Cost(during, -after);
    }

    /** A device takes one change at a time. */
    @Override
    public void take(DeviceChange change) {}

    /** What a change darkens does not depend on others: only what is dark now can make room. */
    @Override
    public boolean maySubside() {
        return dark.keySet().stream()
                .anyMatch(id -> locked.contains(id) || state.world().waits(id));
    }

    /**
     * Nodes in use that lose light on the way to a repair that is about to be recorded, so none that join: they can be
     * told while the record is being written, before the stage is planned. O(members of the groups of repaired slices).
     *
     * @param records that are written now
     */
    public static SortedSet<String> foreseen(World world, List<Decision.Adopt.Entry> records) {
        SortedSet<String> darkens = new TreeSet<>();
        for (Decision.Adopt.Entry record : records) {
            Allocation next = record.allocation();
            SliceIntent slice = world.slices().get(record.slice());
            RingIntent on = slice == null ? null : world.rings().get(slice.fabric());
            if (on != null && next.origin().filter(Origin::repairs).isPresent()) {
                RingFabric ring = on.ring();
                world.allocation(record.slice())
                        .filter(before -> before.revision() < next.revision())
                        .ifPresent(before -> darkens.addAll(changedNodes(ring, before, next)));
            }
        }
        return darkens;
    }

    /**
     * Nodes in use that lose light in a stage: of a slice that stays, or that pods use. What is placed or given up is
     * not used yet or any more, nor is a node that joins: all its bundles lead back.
     */
    static SortedSet<String> darkens(RingState state, Stage stage, List<Due> due) {
        SortedSet<String> darkens = new TreeSet<>();
        for (Due each : due) {
            boolean inUse = each.underPods() || each.cause() == Stage.Cause.REPAIR;
            if (inUse
                    && !each.change().disconnects().isEmpty()
                    && stage.changes().contains(each.change())
                    && leadsOut(state, each.change().device())) {
                darkens.add(each.change().device().device());
            }
        }
        return darkens;
    }

    private static boolean leadsOut(RingState state, DeviceId id) {
        return state.world().device(id).stream()
                .flatMap(device -> device.circuits().circuits().stream())
                .anyMatch(circuit -> TransceiverPorts.leadsOut(circuit.egress()));
    }

    /** Positions at which the bundles of two records differ. */
    static SortedSet<Integer> changed(RingFabric ring, Allocation before, Allocation next) {
        return states(ring, next).changedNodes(states(ring, before));
    }

    private static SortedSet<String> changedNodes(RingFabric ring, Allocation before, Allocation next) {
        SortedSet<Integer> positions = changed(ring, before, next);
        Set<String> members = before.nodes();
        SortedSet<String> names = new TreeSet<>();
        next.groups()
                .forEach(group -> group.members().stream()
                        .filter(member -> positions.contains(member.position()) && members.contains(member.node()))
                        .forEach(member -> names.add(member.node())));
        return names;
    }

    private static BundleStates states(RingFabric ring, Allocation allocation) {
        return BundleDerivation.derive(ring, SliceState.groupsOf(allocation)).states();
    }
}
