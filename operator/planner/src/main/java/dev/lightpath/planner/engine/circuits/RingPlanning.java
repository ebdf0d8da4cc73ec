package dev.lightpath.planner.engine.circuits;

import dev.lightpath.planner.engine.allocation.InvalidAllocation;
import dev.lightpath.planner.engine.allocation.RecordedSeats;
import dev.lightpath.planner.engine.allocation.RingPositions;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.allocation.TransceiverPorts;
import dev.lightpath.planner.engine.state.RingState;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.CrossConnects;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.SliceId;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Fills the plan of a ring: from all of its records, or from the plan of the pass before by what changed. What no slice
 * plans is wanted in loopback.
 */
public final class RingPlanning {
    private final RingState state;
    private final RingPlan plan;
    /** What is planned so far, held against what is there. */
    private final RingCircuits diff;

    private RingPlanning(RingState state, RingPlan plan) {
        this.state = state;
        this.plan = plan;
        this.diff = new RingCircuits(state, plan);
    }

    /**
     * O(nodes * reach + members).
     *
     * @param recognised slices whose record was lost and is not written again yet
     * @param doubts slices whose light may burn and cannot be told
     */
    public static RingCircuits of(
            RingState state,
            List<SliceState> slices,
            List<InvalidAllocation> invalid,
            Set<SliceId> recognised,
            Set<SliceId> doubts) {
        if (!invalid.isEmpty() || !recognised.isEmpty() || !doubts.isEmpty()) {
            RingPlanning planning = new RingPlanning(state, RingPlan.empty(state, null, false));
            planning.fill(slices, invalid, recognised, doubts);
            return planning.diff;
        }
        RecordedSeats seats = RecordedSeats.ofRecords(state.intent().ring(), slices, state.memory());
        RingCircuits diff = RingPlan.before(state, seats)
                .map(plan -> new RingCircuits(state, plan))
                .orElseGet(() -> planned(state, seats));
        state.memory().keep(RingPlan.SLOT, diff.plan());
        return diff;
    }

    /** A plan of records that all fit: from that of the pass before, if it is nearly the same. */
    private static RingCircuits planned(RingState state, RecordedSeats seats) {
        boolean plain = !seats.overlaps()
                && state.displaced().isEmpty()
                && state.intent().quarantinedPorts().isEmpty()
                && seats.slices().stream().noneMatch(slice -> slice.intent().forced());
        RingPlanning planning = new RingPlanning(state, RingPlan.empty(state, seats, plain));
        planning.fill(seats.slices(), List.of(), Set.of(), Set.of());
        return planning.diff;
    }

    private void fill(
            List<SliceState> slices, List<InvalidAllocation> invalid, Set<SliceId> recognised, Set<SliceId> doubts) {
        invalid.stream()
                .map(InvalidAllocation::slice)
                .filter(slice -> !slice.intent().forced())
                .forEach(this::leave);
        plan.recorded = !plan.untouched.isEmpty()
                || slices.stream().anyMatch(slice -> slice.placed() && !recognised.contains(slice.id()));
        plan.doubted = slices.stream()
                .filter(slice -> doubts.contains(slice.id())
                        || !plan.recorded
                                && slice.intent().wanted()
                                && slice.recorded().isEmpty())
                .map(SliceState::id)
                .findFirst();
        Optional<RingPlan> before = state.memory().before(RingPlan.SLOT);
        Optional<RingPlan> last = before.filter(plan::mayGoOnFrom);
        last.ifPresentOrElse(known -> goOn(known, slices), () -> slices.forEach(this::plan));
        quarantine(slices, invalid);
        rest(last.isPresent() ? plan.changed() : all());
        if (last.isEmpty()) {
            before.ifPresent(plan::compareWith);
        }
        before.ifPresent(plan::countOn);
    }

    /** Goes on from the plan of the pass before by records and devices that changed. O(slices and changes). */
    private void goOn(RingPlan last, List<SliceState> slices) {
        plan.goOnFrom(last);
        BitSet changed = plan.changed();
        plan.forEachChanged(
                last,
                (was, slice) -> forEachPosition(was, position -> {
                    plan.clear(position);
                    changed.set(position);
                }));
        plan.forEachChanged(last, (was, slice) -> {
            plan(slice);
            forEachPosition(slice, changed::set);
        });
        slices.forEach(this::leaves);
        Set<String> left = new HashSet<>(plan.releasing);
        left.removeAll(last.releasing);
        Set<String> dark = new HashSet<>(last.releasing);
        dark.removeAll(plan.releasing);
        Stream.of(left, dark)
                .flatMap(Set::stream)
                .mapToInt(state.positions()::positionOf)
                .filter(position -> position != RingPositions.NOWHERE)
                .forEach(changed::set);
    }

    private static void forEachPosition(SliceState slice, IntConsumer each) {
        slice.recorded().ifPresent(recorded -> recorded.forEachMember(member -> each.accept(member.position())));
    }

    private void leave(SliceState slice) {
        slice.recorded().ifPresent(allocation -> {
            plan.untouched.addAll(allocation.nodes());
            plan.untouched.addAll(allocation.releasing());
        });
    }

    private void plan(SliceState slice) {
        Allocation allocation = slice.recorded().orElse(null);
        if (allocation == null) {
            return;
        }
        leaves(slice);
        if (!slice.placed()) {
            return;
        }
        Iterator<CrossConnects> circuits = slice.circuits(state.intent().ring()).iterator();
        for (Allocation.Member member : allocation.members()) {
            int position = state.positions().positionOf(member);
            plan.owner.put(member.node(), position, slice);
            plan.wanted.put(member.node(), position, circuits.next());
        }
    }

    private void leaves(SliceState slice) {
        SortedSet<String> releasing =
                slice.recorded().map(Allocation::releasing).orElseGet(TreeSet::new);
        plan.releasing.addAll(releasing);
        releasing.forEach(node -> plan.leavers.put(node, slice.id()));
        if (slice.placed()) {
            plan.left.addAll(releasing);
        }
    }

    /**
     * Ports that slices released by force left behind, until they are read back dark: ours to take down, not to use.
     */
    private void quarantine(List<SliceState> slices, List<InvalidAllocation> invalid) {
        SortedSet<String> ports = new TreeSet<>(state.intent().quarantinedPorts());
        slices.stream().filter(slice -> slice.intent().forced()).forEach(slice -> ports.addAll(left(slice)));
        invalid.stream()
                .map(InvalidAllocation::slice)
                .filter(slice -> slice.intent().forced())
                .flatMap(slice -> slice.recorded().stream())
                .forEach(allocation -> {
                    allocation.nodes().forEach(node -> ports.addAll(all(node)));
                    allocation.releasing().forEach(node -> ports.addAll(all(node)));
                });
        for (String port : ports) {
            String node = port.substring(0, Math.max(0, port.lastIndexOf('/')));
            SliceState holder = plan.owner.get(node);
            boolean taken = holder != null && !holder.intent().forced();
            if (!node.isEmpty() && !taken && !diff.isReadDark(node)) {
                plan.quarantined.add(node);
                plan.quarantinedPorts.add(port);
            }
        }
        plan.releasing.addAll(plan.quarantined);
    }

    /** The ports that a slice may have lit. */
    private SortedSet<String> left(SliceState slice) {
        SortedSet<String> ports = new TreeSet<>();
        Allocation allocation = slice.recorded().orElse(null);
        if (allocation == null) {
            return ports;
        }
        for (String node : allocation.nodes()) {
            diff.wanted(node).circuits().stream()
                    .filter(circuit -> TransceiverPorts.leadsOut(circuit.egress()))
                    .forEach(circuit -> ports.add(node + "/" + circuit.egress()));
        }
        allocation.releasing().forEach(node -> ports.addAll(all(node)));
        return ports;
    }

    private SortedSet<String> all(String node) {
        SortedSet<String> ports = new TreeSet<>();
        for (int bundle = 0; bundle < state.ports().bundles(); bundle++) {
            ports.add(node + "/" + TransceiverPorts.common(bundle));
        }
        return ports;
    }

    private BitSet all() {
        BitSet all = new BitSet();
        all.set(0, state.positions().size());
        return all;
    }

    /**
     * Nodes no slice holds: loopback, except foreign light that is not to be touched.
     *
     * @param open positions at which that is not planned yet
     */
    private void rest(BitSet open) {
        state.lacking().keySet().stream()
                .filter(node -> plan.owner.get(node) == null && !plan.releasing.contains(node))
                .forEach(plan.untouched::add);
        CrossConnects loopbacks = diff.loopbacks();
        boolean removes = diff.removesForeign();
        open.stream().forEach(position -> {
            RingPositions.NodeAt there = state.positions().at(position);
            if (there != null) {
                String node = there.node().name();
                plan.explain(node);
                if (plan.owner.at(position) == null) {
                    plan.clear(position);
                    rest(node, there.device(), loopbacks, removes)
                            .ifPresent(circuits -> plan.wanted.put(node, position, circuits));
                }
            }
        });
        restElsewhere(loopbacks, removes);
    }

    /** Nodes that are being left and sit nowhere on the ring. */
    private void restElsewhere(CrossConnects loopbacks, boolean removes) {
        for (String node : plan.releasing) {
            if (state.positions().positionOf(node) == RingPositions.NOWHERE && plan.owner.get(node) == null) {
                rest(node, state.positions().device(node), loopbacks, removes)
                        .ifPresent(circuits -> plan.wanted.put(node, circuits));
            }
        }
    }

    /** What is wanted of one of them; nothing where it is to be left alone. */
    private Optional<CrossConnects> rest(
            String node, @Nullable DeviceState device, CrossConnects loopbacks, boolean removes) {
        if (plan.untouched.contains(node)) {
            return Optional.empty();
        }
        if (device == null || plan.releasing.contains(node)) {
            return Optional.of(possible(loopbacks, device));
        }
        if (device.circuits().equals(loopbacks)) {
            return Optional.of(loopbacks);
        }
        List<Circuit> active = device.circuits().circuits().stream()
                .filter(circuit -> TransceiverPorts.leadsOut(circuit.egress()))
                .toList();
        if (active.isEmpty()) {
            return Optional.of(loopbacks);
        }
        active.forEach(circuit -> plan.foreign.add(node + "/" + circuit));
        plan.foreignNodes.add(node);
        return Optional.of(removes ? loopbacks : overlay(loopbacks, active));
    }

    /** What was lit before the device lost some of its ports is taken down on those that it has. */
    private static CrossConnects possible(CrossConnects circuits, @Nullable DeviceState device) {
        return device == null
                ? circuits
                : new CrossConnects(circuits.circuits().stream()
                        .filter(circuit -> device.refusal(circuit).isEmpty())
                        .toList());
    }

    private static CrossConnects overlay(CrossConnects below, List<Circuit> above) {
        Map<String, Circuit> byIngress = new TreeMap<>();
        below.circuits().forEach(circuit -> byIngress.put(circuit.ingress(), circuit));
        above.forEach(circuit -> byIngress.put(circuit.ingress(), circuit));
        return new CrossConnects(byIngress.values());
    }
}
