package dev.lightpath.planner.engine.circuits;

import dev.lightpath.planner.engine.allocation.RingPositions;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.allocation.TransceiverPorts;
import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.engine.pacing.Darkness;
import dev.lightpath.planner.engine.pacing.Due;
import dev.lightpath.planner.engine.state.RingState;
import dev.lightpath.planner.fault.Fault;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.light.CrossConnects;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.Stage;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.memory.Lazy;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingGroup;
import dev.lightpath.planner.words.Words;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Announcement.Move;
import dev.lightpath.planner.world.RingNode;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.Workload;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The light that the records of one ring ask for, held against the light that is there. What no slice plans is wanted
 * in loopback; an active path there is foreign, unless an earlier revision of ours lit it.
 */
public final class RingCircuits extends CircuitDiff {
    private static final int MOST_NAMED = 4;

    private final RingState state;

    private final RingPlan plan;

    private final Lazy<BitSet> closed = new Lazy<>(this::findClosed);

    /** What {@link #isUsed} found. */
    private final Map<SliceId, Boolean> used = new HashMap<>();

    RingCircuits(RingState state, RingPlan plan) {
        super(state);
        this.state = state;
        this.plan = plan;
    }

    RingPlan plan() {
        return plan;
    }

    @Override
    public SortedSet<String> quarantinedPorts() {
        return plan.quarantinedPorts;
    }

    /** What a node without a group leads. */
    CrossConnects loopbacks() {
        return TransceiverPorts.loopbacks(state.ports().bundles());
    }

    /** Nodes that carry foreign light: not placeable. */
    public Set<String> foreignNodes() {
        return plan.foreignNodes;
    }

    /** Whether the record of a slice names this node, wherever it sits now. */
    public boolean isHeld(String node) {
        return plan.ownerOf(node) != null;
    }

    /** Whether a node takes new plans, but for foreign light on it and its health. */
    public boolean takes(RingNode node) {
        return node.placeable()
                && !plan.quarantined.contains(node.name())
                && !plan.untouched.contains(node.name())
                && !isAway(node.position());
    }

    /** Stands for all that these circuits follow from: the same object as long as that is the same. */
    public Object grounds() {
        return plan.stamp;
    }

    /** Positions at which they may be others, or devices show others, than those that a stamp of before stands for. */
    public Optional<BitSet> changedSince(Object before) {
        return plan.changedSince(before);
    }

    /** Positions of nodes that take no new plans, or carry foreign light; not to be changed. Linear in these, once. */
    public BitSet closed() {
        return closed.get();
    }

    private BitSet findClosed() {
        BitSet found = (BitSet) state.positions().unfit().clone();
        Stream.of(plan.quarantined, plan.untouched, plan.foreignNodes)
                .flatMap(Collection::stream)
                .mapToInt(state.positions()::positionOf)
                .filter(position -> position != RingPositions.NOWHERE)
                .forEach(found::set);
        return found;
    }

    /** Whether nothing can be made on the transceivers of a node because their own driver is away. */
    private boolean isAway(int position) {
        RingPositions.NodeAt there = state.positions().at(position);
        return there != null && there.device() != null && there.device().away();
    }

    @Override
    boolean unrecorded() {
        return !plan.recorded && plan.releasing.isEmpty();
    }

    @Override
    boolean anyUnexplained() {
        return state.intent().nodes().values().stream()
                .filter(node -> plan.ownerAt(node.position()) == null)
                .flatMap(node -> state.device(node.name()).stream())
                .anyMatch(device -> device.circuits().circuits().stream()
                        .anyMatch(circuit -> TransceiverPorts.leadsOut(circuit.egress())));
    }

    @Override
    Optional<SliceId> doubted() {
        return plan.doubted;
    }

    @Override
    SortedSet<String> removable() {
        SortedSet<String> nodes = new TreeSet<>(plan.foreignNodes);
        nodes.removeIf(node -> isBeyondReachOrRefuses(node)
                || state.device(node).filter(DeviceState::away).isPresent());
        return nodes;
    }

    @Override
    public List<String> foreignNames() {
        return List.copyOf(plan.foreign);
    }

    @Override
    boolean isBeyondReach(Allocation recorded) {
        return state.synced() && recorded.releasing().stream().allMatch(this::isBeyondReach);
    }

    /** The circuits in figures. O(nodes), once for a plan. */
    public FabricVerdict.Circuits figures() {
        return plan.figures();
    }

    @Override
    Darkness darkness() {
        return new RingDarkness(state, this);
    }

    @Override
    SortedSet<String> darkens(Stage stage, List<Due> due) {
        return RingDarkness.darkens(state, stage, due);
    }

    SortedMap<String, CrossConnects> wantedByDevice() {
        return plan.wantedByDevice();
    }

    /** The circuits wanted on a node's transceivers. */
    CrossConnects wanted(String node) {
        return plan.wantedOn(node);
    }

    /** The circuits wanted on the transceivers of a member's node. */
    public CrossConnects wanted(Allocation.Member member) {
        return plan.wantedOn(member);
    }

    @Override
    long budgeted() {
        return plan.lit();
    }

    @Override
    int held(Allocation recorded) {
        return recorded.nodes().size();
    }

    @Override
    int left(Allocation recorded) {
        return recorded.releasing().size();
    }

    @Override
    boolean isBeyondReachOrRefuses(Allocation recorded) {
        return state.driver().synced() && recorded.releasing().stream().allMatch(this::isBeyondReachOrRefuses);
    }

    @Override
    String awaits(Allocation recorded) {
        return "waiting for loopback to be read back" + unread(recorded.releasing()) + refusal(recorded.releasing());
    }

    /** Nodes of whose transceivers nothing tells whether they are dark, and what a person can do. */
    private String unread(SortedSet<String> nodes) {
        List<String> beyond = state.driver().synced()
                ? nodes.stream().filter(this::isBeyondReach).toList()
                : List.of();
        return beyond.isEmpty()
                ? ""
                : "; transceivers of " + Words.first(MOST_NAMED, beyond)
                        + " do not answer or have failed, and may still pass light: mend or replace them, or annotate the"
                        + " slice lightpath.dev/force-release and their light stays as it is";
    }

    @Override
    public Optional<Allocation> readBack(SliceState slice) {
        SortedSet<String> released = state.driver().synced()
                ? readBackReleased(slice.recorded().map(Allocation::releasing).orElseGet(TreeSet::new))
                : new TreeSet<>();
        return slice.recorded()
                .filter(allocation -> !released.isEmpty())
                .map(allocation -> allocation.struck(released, SwitchedLight.none()));
    }

    /** Of these nodes, those read back in loopback or taken over by another slice. */
    private SortedSet<String> readBackReleased(SortedSet<String> nodes) {
        SortedSet<String> dark = new TreeSet<>();
        for (String node : nodes) {
            if (plan.ownerOf(node) != null || isReadDark(node)) {
                dark.add(node);
            }
        }
        return dark;
    }

    /**
     * Whether nothing makes this node dark: its transceivers are beyond reach, or refuse again and again. Those whose
     * own driver is away are waited for.
     */
    public boolean isBeyondReachOrRefuses(String node) {
        return isBeyondReach(node) || refuses(node);
    }

    /**
     * Its transceivers are gone, silent or another's, or what is left to loop back has failed: no one can have lit it
     * since, and no other device tells whether it is lit.
     */
    private boolean isBeyondReach(String node) {
        DeviceState device = state.device(node).orElse(null);
        if (device != null && device.away()) {
            return false;
        }
        if (device == null || !device.present()) {
            return true;
        }
        CrossConnects loopbacks = loopbacks();
        return device.moving().isEmpty()
                && !loopbacks.minus(device.circuits()).isEmpty()
                && RingSteps.possible(device, loopbacks).isEmpty();
    }

    private boolean refuses(String node) {
        return state.world().refuses(state.deviceId(node));
    }

    /** What devices said that refuse to loop back, for people; empty when none does. */
    private String refusal(SortedSet<String> nodes) {
        return nodes.stream()
                .filter(this::refuses)
                .findFirst()
                .map(node -> "; node " + node + ": "
                        + Objects.requireNonNull(state.world().setbacks().get(state.deviceId(node)))
                                .message())
                .orElse("");
    }

    /** Whether a node is read back without light that leads out. */
    boolean isReadDark(String node) {
        return state.device(node)
                .filter(device -> isBelieved(state.deviceId(node), device)
                        && device.moving().isEmpty()
                        && device.circuits().circuits().stream()
                                .noneMatch(circuit -> TransceiverPorts.leadsOut(circuit.egress()))
                        && !leavesOut(device))
                .isPresent();
    }

    /** Whether a device may leave out a circuit that is lit: a failed bundle of which it shows none. */
    private boolean leavesOut(DeviceState device) {
        return !device.failedPorts().isEmpty()
                && IntStream.range(0, state.ports().bundles())
                        .mapToObj(TransceiverPorts::common)
                        .anyMatch(common -> device.failedPorts().containsKey(common)
                                && device.circuits().circuits().stream().noneMatch(circuit -> circuit.isAt(common)));
    }

    @Override
    public List<Due> due() {
        return new RingSteps(state, this).due();
    }

    @Override
    boolean darkens(Allocation recorded, Allocation next) {
        SortedSet<Integer> changed = RingDarkness.changed(state.intent().ring(), recorded, next);
        return recorded.members().stream()
                .filter(member -> changed.contains(member.position()))
                .anyMatch(member -> state.device(member.node()).stream()
                        .flatMap(device -> device.circuits().circuits().stream())
                        .anyMatch(circuit -> TransceiverPorts.leadsOut(circuit.egress())));
    }

    @Override
    boolean isHurt(Allocation recorded) {
        SortedSet<String> nodes = recorded.nodes();
        return losses().map(Fault::subject)
                        .filter(of -> nodes.contains(of.holder()))
                        .anyMatch(of -> switch (of) {
                            case Subject.OfNode node -> true;
                            case Subject.OfDevice device -> true;
                            case Subject.OfPort port ->
                                wanted(port.device()).circuits().stream()
                                        .anyMatch(circuit -> circuit.isAt(port.port()));
                        })
                || recorded.members().stream()
                        .anyMatch(member -> !state.positions().isHome(member));
    }

    @Override
    boolean isUnderWay(Allocation recorded) {
        SortedSet<String> nodes = recorded.nodes();
        return !recorded.releasing().stream().allMatch(node -> isReadDark(node) || isBeyondReachOrRefuses(node))
                || plan.differing().stream()
                        .anyMatch(of -> nodes.contains(of.node()) && !isBeyondReachOrRefuses(of.node()));
    }

    @Override
    boolean isOpen(SliceState slice, Move move) {
        SortedSet<String> nodes = slice.recorded().map(Allocation::nodes).orElseGet(TreeSet::new);
        Set<Allocation.Group> kept = new HashSet<>(slice.groups());
        RingFabric ring = state.intent().ring();
        List<RingGroup> next = slice.seated(ring, move.groups());
        // a group that stays may be broken: the move is none of its business
        return IntStream.range(0, next.size())
                        .filter(index -> !kept.contains(move.groups().get(index)))
                        .allMatch(index -> state.health().supports(ring, next.get(index)))
                && move.groups().stream()
                        .flatMap(group -> group.members().stream())
                        .allMatch(member -> state.positions().isHome(member)
                                && (nodes.contains(member.node())
                                        || state.nodeAt(member.position())
                                                        .filter(this::takes)
                                                        .isPresent()
                                                && plan.ownerOf(member.node()) == null));
    }

    @Override
    boolean takesFrom(Allocation next, Allocation other) {
        return !Collections.disjoint(next.nodes(), other.nodes());
    }

    /** Whether pods may be using the light of a node. */
    boolean underPods(String node) {
        SliceState slice = plan.ownerOf(node);
        return slice != null && isUsed(slice);
    }

    /**
     * Whether pods may be using the light of a slice. Where the operator does not start them, that is whether any pod
     * holds GPUs of its nodes, be it labelled with the job or not.
     */
    public boolean isUsed(SliceState slice) {
        return used.computeIfAbsent(slice.id(), id -> switch (slice.intent().workload()) {
            case Workload.Pods pods -> pods.usesLight();
            case Workload.LightOnly none -> isHeldByOthers(slice, none.holding());
        });
    }

    private boolean isHeldByOthers(SliceState slice, SortedSet<String> holding) {
        return slice.recorded().stream()
                .flatMap(allocation -> allocation.members().stream())
                .anyMatch(member -> holding.contains(member.node())
                        || state.nodeAt(member.position())
                                .filter(RingNode::busy)
                                .isPresent());
    }
}
