package dev.lightpath.planner.engine.circuits;

import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.engine.decision.ForeignRule;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.engine.pacing.ChangeFreeze;
import dev.lightpath.planner.engine.pacing.Darkness;
import dev.lightpath.planner.engine.pacing.DisruptionBudget;
import dev.lightpath.planner.engine.pacing.Due;
import dev.lightpath.planner.engine.pacing.Rollout;
import dev.lightpath.planner.engine.state.FabricState;
import dev.lightpath.planner.fault.Fault;
import dev.lightpath.planner.health.Finding;
import dev.lightpath.planner.light.DeviceChange;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.Stage;
import dev.lightpath.planner.memory.Lazy;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Announcement.Move;
import dev.lightpath.planner.world.SliceId;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The circuits that the records of one fabric ask for, held against those that its devices show. A circuit that no
 * record names is foreign, unless an earlier revision of ours lit it. What differs by kind is how a record becomes
 * circuits, what a device at rest shows, and what is taken: a node with all its bundles, or a port of a switch.
 */
public abstract sealed class CircuitDiff permits RingCircuits, OcsCircuits {
    private final FabricState state;
    private final SortedSet<DeviceId> locked;

    private final Lazy<DisruptionBudget> budget = new Lazy<>(this::newBudget);
    private final Lazy<AnnouncedMoves> announced = new Lazy<>(() -> new AnnouncedMoves(this));
    private final Lazy<Optional<FabricVerdict.Newer>> newerDevices = new Lazy<>(() -> state().newerDevices());
    private final Lazy<Optional<String>> heldElsewhere = new Lazy<>(() -> state().heldElsewhere());
    private final Lazy<ChangeFreeze> freeze = new Lazy<>(this::newFreeze);

    CircuitDiff(FabricState state) {
        this.state = state;
        this.locked = state.world().locked();
    }

    /** Whether no record at all stands on this fabric. */
    abstract boolean unrecorded();

    /** Whether circuits are there that no record and no plan explains. */
    abstract boolean anyUnexplained();

    /** A slice that waits for its record, and whose circuits those may be that no record explains. */
    abstract Optional<SliceId> doubted();

    /** Devices that show foreign circuits and can take them down. */
    abstract SortedSet<String> removable();

    /** Whether what a record gave up is on devices that no change reaches, behind drivers that answer. */
    abstract boolean isBeyondReach(Allocation recorded);

    /** The same where devices that refuse again and again count as beyond reach too. */
    boolean isBeyondReachOrRefuses(Allocation recorded) {
        return isBeyondReach(recorded);
    }

    /** Foreign circuits, as device/circuit. */
    public abstract List<String> foreignNames();

    /** Ports of slices released by force that are not read back dark, as device/port. */
    public abstract SortedSet<String> quarantinedPorts();

    /** What is due now, on devices that take a change. */
    public abstract List<Due> due();

    /** When more may be due though nothing is heard. */
    public Optional<Instant> wakeAt() {
        return Optional.empty();
    }

    /** How many circuits in use are dark. */
    abstract Darkness darkness();

    /** Circuits of which the policy allows a share to be dark. */
    abstract long budgeted();

    /** How many nodes or circuits a record holds. */
    abstract int held(Allocation recorded);

    /** How many that it gave up are not read back dark. */
    abstract int left(Allocation recorded);

    /** What a slice waits for that gave all up, for people. */
    abstract String awaits(Allocation recorded);

    /** The record of a slice without what is read back dark; empty where that is nothing. */
    public abstract Optional<Allocation> readBack(SliceState slice);

    /** Whether a record has left something behind, and all of it is beyond reach. */
    public final boolean leftOnlySilence(Allocation recorded) {
        return left(recorded) > 0 && isBeyondReach(recorded);
    }

    /** Whether light of a record burns that another record of its slice does not name. */
    abstract boolean darkens(Allocation recorded, Allocation next);

    /** Whether a fault took light or nodes that a record names: its job is interrupted already. */
    abstract boolean isHurt(Allocation recorded);

    /** Whether light of a record is still being made, or what it left taken down, on devices that do so. */
    abstract boolean isUnderWay(Allocation recorded);

    /** Whether a slice can have what it is to have: that is well, and no other slice has it. */
    abstract boolean isOpen(SliceState slice, Move move);

    /** Whether a record takes nodes or ports that another one names. */
    abstract boolean takesFrom(Allocation next, Allocation other);

    /** Whether a slice whose job is asked has no answer yet, and its limit has not passed. */
    public final boolean waits(SliceState asked) {
        return announced().ending(asked).isEmpty();
    }

    /** Whether the waiting of a slice whose job is asked is over, and its light moves. */
    public final boolean makesWay(SliceState asked) {
        return announced().ending(asked).filter(AnnouncedMoves::moves).isPresent();
    }

    /** Of this pass: what becomes of each question is worked out once. */
    final AnnouncedMoves announced() {
        return announced.get();
    }

    /** Without ports that carry light still: whose light only gets worse, or that a person took out of service. */
    final Stream<Fault> losses() {
        return state.tracker().faults().stream()
                .filter(fault -> !fault.reason().equals(Finding.REASON)
                        && !fault.reason().equals(DeviceState.OUT_OF_SERVICE));
    }

    /** The verdict in words that a person can act on. */
    public Placement told(Placement decided) {
        return decided;
    }

    public final FabricState state() {
        return state;
    }

    /** Nodes in use that lose light in a stage. */
    SortedSet<String> darkens(Stage stage, List<Due> due) {
        return Collections.emptySortedSet();
    }

    final boolean removesForeign() {
        return foreignRule().removes();
    }

    /** How many circuits in use are dark, and how many may be: before {@link #next}, which begins more. */
    public final FabricVerdict.Darkness darkened() {
        return new FabricVerdict.Darkness(budget.get().dark(), budget.get().most());
    }

    private DisruptionBudget newBudget() {
        return new DisruptionBudget(
                budgeted(),
                state.intent().policy().maxConcurrentPercent(),
                darkness(),
                state.tracker().stage().awaits());
    }

    /**
     * What a person has to know of devices that know more than the records; empty when nothing stands against changes.
     */
    public final Optional<FabricVerdict.Newer> newerDevices() {
        return newerDevices.get();
    }

    /** Which devices with recorded light another role holds, in words for people; empty when none is. */
    public final Optional<String> heldElsewhere() {
        return heldElsewhere.get();
    }

    /** Why nothing, or not all, is changed on the fabric now. */
    public final ChangeFreeze freeze() {
        return freeze.get();
    }

    /** The first that applies. */
    private ChangeFreeze newFreeze() {
        if (!state.world().unreadable().records().isEmpty()) {
            return ChangeFreeze.UNREADABLE_RECORD;
        }
        if (state.intent().paused()) {
            return ChangeFreeze.PAUSED;
        }
        if (!state.synced()) {
            return ChangeFreeze.DRIVER_AWAY;
        }
        if (heldElsewhere().isPresent()) {
            return ChangeFreeze.HELD_ELSEWHERE;
        }
        if (newerDevices().filter(FabricVerdict.Newer::stops).isPresent()) {
            return ChangeFreeze.NEWER_DEVICES;
        }
        if (awaitingAdoption() && state.intent().policy().adopt().isEmpty()) {
            return ChangeFreeze.AWAITING_ADOPTION;
        }
        if (state.massFailure().isPresent()) {
            return ChangeFreeze.MASS_FAILURE;
        }
        return state.intent().retiring() ? ChangeFreeze.RETIRING : ChangeFreeze.NONE;
    }

    /** The next stage of what is due, within the disruption budget. */
    public final Optional<Decision.Apply> next(List<Due> due, boolean exchanging) {
        return Rollout.next(state.world(), state.intent(), freeze(), budget.get(), due, exchanging)
                .map(stage -> new Decision.Apply(stage, slices(stage, due), darkens(stage, due)));
    }

    private static SortedSet<SliceId> slices(Stage stage, List<Due> due) {
        Map<DeviceId, DeviceChange> changes = new HashMap<>();
        stage.changes().forEach(change -> changes.put(change.device(), change));
        SortedSet<SliceId> slices = new TreeSet<>();
        for (Due each : due) {
            DeviceChange change = changes.get(each.change().device());
            if (change != null && change.includes(each.change())) {
                each.slice().ifPresent(slices::add);
            }
        }
        return slices;
    }

    /** Circuits on devices that answer. */
    static long lit(Stream<DeviceState> devices) {
        return devices.filter(DeviceState::present)
                .mapToLong(device -> device.circuits().circuits().size())
                .sum();
    }

    /** Circuits are there that no record and no plan explains, at first contact. */
    public final boolean awaitingAdoption() {
        return unrecorded() && !state.intent().policy().adopted() && state.synced() && anyUnexplained();
    }

    /** What becomes of foreign circuits. */
    public final ForeignRule foreignRule() {
        return new ForeignRule(state.intent().policy(), awaitingAdoption(), doubted());
    }

    /** Why foreign circuits stay against the policy; empty where there are none. */
    public final Optional<String> foreignStays() {
        return foreignNames().isEmpty() ? Optional.empty() : foreignRule().stays();
    }

    /**
     * Devices whose circuits of the first contact are being taken down, as a person asked: a slice that is placed
     * meanwhile would make them stay. Devices that are silent, refuse again and again or are stuck are not waited for
     * (ADR 29).
     */
    public final SortedSet<String> resetting() {
        return awaitingAdoption() && foreignRule().removes() ? removable() : Collections.emptySortedSet();
    }

    /** Whether what a device shows can be believed: it answers, its driver has listed all, and no stage changes it. */
    final boolean isBelieved(DeviceId id, DeviceState device) {
        return device.present() && state.world().driver(id.driver()).synced() && !locked.contains(id);
    }

    /** Whether a device takes a change now: it is at rest and has told what it consists of. */
    final boolean takesChange(DeviceId id, DeviceState device) {
        return isBelieved(id, device)
                && !state.world().waits(id)
                && device.inventory().isPresent();
    }
}
