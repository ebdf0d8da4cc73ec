package dev.lightpath.planner.engine.circuits;

import dev.lightpath.planner.engine.allocation.InvalidAllocation;
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
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
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
    /** What devices show, by what is wanted: it is compared with it several times for every node. */
    private final Map<CrossConnects, CrossConnects> shown = new IdentityHashMap<>();

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
            RingPlanning planning = new RingPlanning(state, RingPlan.empty(state, slices));
            planning.fill(slices, invalid, recognised, doubts);
            return planning.diff;
        }
        RingCircuits diff = RingPlan.before(state, slices)
                .map(plan -> new RingCircuits(state, plan))
                .orElseGet(() -> planned(state, slices));
        state.memory().keep(RingPlan.SLOT, diff.plan());
        return diff;
    }

    private CrossConnects asShown(CrossConnects circuits) {
        return shown.computeIfAbsent(circuits, state.sites()::asShown);
    }

    /** A plan of records that all fit: from that of the pass before, if it is nearly the same. */
    private static RingCircuits planned(RingState state, List<SliceState> slices) {
        RingPlan.Begun begun = RingPlan.begin(state, slices);
        RingPlanning planning = new RingPlanning(state, begun.plan());
        begun.last()
                .ifPresentOrElse(
                        last -> planning.goOn(last, begun.unfinished()),
                        () -> planning.fill(slices, List.of(), Set.of(), Set.of()));
        return planning.diff;
    }

    /** What changed since the plan of the pass before: records, and devices. O(changes and nodes that are being left). */
    private void goOn(RingPlan last, List<SliceState> unfinished) {
        BitSet changed = plan.changed();
        plan.forEachChanged(
                last,
                (was, slice) -> was.recorded()
                        .ifPresent(recorded -> recorded.forEachMember(member -> {
                            plan.clear(member.position());
                            changed.set(member.position());
                        })));
        plan.forEachChanged(last, (was, slice) -> {
            plan(slice);
            slice.recorded().ifPresent(recorded -> recorded.forEachMember(member -> changed.set(member.position())));
        });
        unfinished.forEach(this::leaves);
        Set<String> left = new HashSet<>(plan.releasing);
        left.removeAll(last.releasing);
        Set<String> dark = new HashSet<>(last.releasing);
        dark.removeAll(plan.releasing);
        Stream.of(left, dark)
                .flatMap(Set::stream)
                .mapToInt(state.sites()::positionOf)
                .filter(position -> position != RingPositions.NOWHERE)
                .forEach(changed::set);
        restUntouched();
        CrossConnects loopbacks = asShown(diff.loopbacks());
        boolean removes = diff.removesForeign();
        changed.stream().forEach(position -> {
            RingPositions.Site site = state.sites().at(position);
            if (site != null) {
                plan.explain(site.node().name());
                if (plan.ownerAt(position) == null) {
                    plan.clear(position);
                    rest(site, loopbacks, removes);
                }
            }
        });
        restElsewhere(loopbacks, removes);
        plan.countOn(last);
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
        slices.forEach(this::plan);
        quarantine(slices, invalid);
        rest();
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
        Iterator<CrossConnects> circuits =
                slice.circuits(state.intent().ring(), state.sites()).iterator();
        for (Allocation.Member member : allocation.members()) {
            int position = state.sites().positionOf(member);
            plan.own(member.node(), position, slice);
            plan.want(member.node(), position, asShown(circuits.next()));
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
            SliceState holder = plan.ownerOf(node);
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

    /** Nodes no slice holds: loopback, except foreign light that is not to be touched. */
    private void rest() {
        restUntouched();
        CrossConnects loopbacks = asShown(diff.loopbacks());
        boolean removes = diff.removesForeign();
        for (int position = 0; position < state.sites().size(); position++) {
            RingPositions.Site site = state.sites().at(position);
            if (site != null && plan.ownerAt(position) == null) {
                rest(site, loopbacks, removes);
            }
        }
        restElsewhere(loopbacks, removes);
    }

    private void restUntouched() {
        state.lacking().keySet().stream()
                .filter(node -> plan.ownerOf(node) == null && !plan.releasing.contains(node))
                .forEach(plan.untouched::add);
    }

    private void rest(RingPositions.Site site, CrossConnects loopbacks, boolean removes) {
        String node = site.node().name();
        rest(node, site.device(), loopbacks, removes)
                .ifPresent(circuits -> plan.want(node, site.node().position(), circuits));
    }

    /** Nodes that are being left and sit nowhere on the ring. */
    private void restElsewhere(CrossConnects loopbacks, boolean removes) {
        for (String node : plan.releasing) {
            if (state.sites().positionOf(node) == RingPositions.NOWHERE && plan.ownerOf(node) == null) {
                rest(node, state.sites().device(node), loopbacks, removes)
                        .ifPresent(circuits -> plan.want(node, circuits));
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
