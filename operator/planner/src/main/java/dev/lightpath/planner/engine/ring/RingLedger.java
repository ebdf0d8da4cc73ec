package dev.lightpath.planner.engine.ring;

import dev.lightpath.planner.engine.allocation.FabricLedger;
import dev.lightpath.planner.engine.allocation.LedgerDraft;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.circuits.RingCircuits;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.engine.pacing.ChangeFreeze;
import dev.lightpath.planner.engine.state.RingState;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingPlacement;
import dev.lightpath.planner.words.Counted;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.JobId;
import dev.lightpath.planner.world.Origin.Planner;
import dev.lightpath.planner.world.RingNode;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Who sits where on one ring: places, repairs and releases slices, in order of precedence. Changes nothing but its own
 * picture of the seats; what it decides are ledger entries. A slice that is well moves only where that seats another.
 */
public final class RingLedger implements FabricLedger {
    /** So long after a fault nobody is moved to make room for others. */
    public static final Duration REPAIRS_FIRST = Duration.ofSeconds(1);

    private final RingState scene;
    private final RingCircuits light;
    private final ChangeFreeze freeze;
    private final RingFabric ring;
    private final List<SliceState> claims;
    private final Occupancy seats;
    private final RelocatableJobs movers;
    private final LedgerDraft draft = new LedgerDraft();
    private final AllocationWriter seating;
    private final RepairPlanner keeping;
    private final Preemption preemption;
    private final SortedMap<SliceId, Placement> verdicts = new TreeMap<>();
    /** Seats that are free once all is decided. */
    private Optional<BitSet> free = Optional.empty();

    private RingLedger(RingState scene, RingCircuits light, ChangeFreeze freeze, List<SliceState> claims) {
        this.scene = scene;
        this.light = light;
        this.freeze = freeze;
        this.ring = scene.intent().ring();
        this.claims = claims;
        this.seats = new Occupancy(ring, scene.health());
        this.movers = new RelocatableJobs(scene, light, claims);
        this.seating = new AllocationWriter(scene, claims, seats, draft);
        this.keeping = new RepairPlanner(scene, freeze, seats, movers, seating, draft);
        this.preemption = new Preemption(scene, light, claims, seats);
    }

    /** @param claims in order of precedence */
    public static RingLedger of(RingState scene, RingCircuits light, ChangeFreeze freeze, List<SliceState> claims) {
        RingLedger ledger = new RingLedger(scene, light, freeze, claims);
        ledger.takeSeats();
        for (SliceState claim : claims) {
            ledger.verdicts.put(claim.id(), claim.intent().wanted() ? ledger.serve(claim) : ledger.release(claim));
        }
        ledger.free = Optional.of(ledger.seats.free());
        return ledger;
    }

    @Override
    public List<Decision.Adopt.Entry> entries() {
        return draft.entries();
    }

    @Override
    public SortedMap<SliceId, Placement> verdicts() {
        return verdicts;
    }

    @Override
    public SortedMap<SliceId, JobId> preemptors() {
        return preemption.preemptors();
    }

    /** The most laborious planner that ran. */
    public Optional<Planner> planner() {
        return draft.planner();
    }

    /** When a job's grace after a fault runs out. */
    @Override
    public Optional<Instant> wakeAt() {
        return draft.wakeAt();
    }

    /** Free healthy nodes within reach of a member. O(members * reach). */
    public int spareNodes(RingPlacement placement) {
        return seats.sparesNear(placement, free.orElseThrow());
    }

    private void takeSeats() {
        for (SliceState claim : claims) {
            claim.recorded().ifPresent(allocation -> {
                allocation
                        .groups()
                        .forEach(group -> group.members().forEach(member -> seats.take(claim.id(), member.position())));
                allocation.releasing().forEach(node -> {
                    Integer position = scene.positions().get(node);
                    if (position != null) {
                        seats.darken(position);
                        if (light.isOutOfHand(node)) {
                            seats.close(position);
                        }
                    }
                });
            });
        }
        elsewhere();
        leftWithPods();
        for (RingNode node : scene.intent().nodes().values()) {
            if (!light.takes(node) || light.foreignNodes().contains(node.name())) {
                seats.close(node.position());
            }
        }
    }

    /**
     * A node that a repair left, or that was let go by force, is whose pods run there until they are gone: another job's would have to
     * share its GPUs. Of several attempts of a job the last has it: its pods may be the same.
     */
    private void leftWithPods() {
        List<SliceState> newestFirst = claims.stream()
                .sorted(Comparator.comparingInt(claim -> -claim.intent().attempt()))
                .toList();
        for (SliceState claim : newestFirst) {
            SortedSet<String> held = claim.recorded().map(Allocation::nodes).orElseGet(TreeSet::new);
            linger(claim.intent(), held);
        }
        for (SliceIntent other : scene.world().slices().values()) {
            if (!other.fabric().equals(scene.intent().name())) {
                linger(other, new TreeSet<>());
            }
        }
    }

    private void linger(SliceIntent of, SortedSet<String> held) {
        for (String node : of.workload().holding()) {
            Integer position = scene.positions().get(node);
            if (position != null && !held.contains(node) && !light.isHeld(node)) {
                seats.linger(of.id(), position);
            }
        }
    }

    /** Nodes of jobs that hold them on another fabric, of whatever kind: a node has its GPUs once. */
    private void elsewhere() {
        for (SliceIntent other : scene.world().slices().values()) {
            if (!other.fabric().equals(scene.intent().name())) {
                scene.world()
                        .allocation(other.id())
                        .map(Allocation::nodes)
                        .orElseGet(TreeSet::new)
                        .forEach(node -> {
                            Integer position = scene.positions().get(node);
                            if (position != null) {
                                seats.closeElsewhere(position);
                            }
                        });
            }
        }
    }

    private Optional<ScaleOutPlacement> sibling(SliceState claim) {
        return ScaleOutPlacement.of(scene.world(), claim.intent());
    }

    /** What is left of the ring for a slice. */
    public RingCapacity.Left left() {
        return new RingCapacity.Left(ring, scene.health(), scene.positions(), slice -> seats.closedTo(slice.id()));
    }

    // ---- release

    private Placement release(SliceState claim) {
        Placement verdict = giveUp(claim);
        if (claim.intent().renewed()
                && freeze == ChangeFreeze.NONE
                && !hasSuccessor(claim)
                && claim.demand().fits(ring)) {
            hold(claim, InitialPlacement.of(ring, scene.health(), claim.demand(), seats.closedToSuccessor(claim.id())));
        }
        return verdict;
    }

    private Placement giveUp(SliceState claim) {
        Allocation recorded = claim.recorded().orElse(null);
        if (recorded == null || recorded.released()) {
            return new Placement.Released();
        }
        if (!recorded.groups().isEmpty()) {
            if (claim.intent().workload().usesLight() && !claim.intent().forced()) {
                return new Placement.Releasing(recorded.nodes().size(), "pods of the job still run");
            }
            draft.lose(claim, claim.giveUp());
            seats.move(claim.id(), claim.placement(ring).positions(), new TreeSet<>());
            return new Placement.Releasing(recorded.nodes().size(), "giving up");
        }
        seating.tidy(claim, recorded, light);
        String wait = freeze.releases()
                ? "waiting for loopback to be read back" + light.refusal(recorded.releasing())
                : freeze.message();
        return new Placement.Releasing(recorded.releasing().size(), wait, light.onlySilent(recorded.releasing()));
    }

    private boolean hasSuccessor(SliceState claim) {
        return claims.stream()
                .anyMatch(other -> other.intent().job().equals(claim.intent().job())
                        && other.intent().attempt() > claim.intent().attempt());
    }

    /** Keeps room for a claim that has to wait for it. */
    private void hold(SliceState claim, InitialPlacement room) {
        switch (room) {
            case InitialPlacement.Found found ->
                seats.keep(claim.id(), found.placement().positions());
            case InitialPlacement.None none -> {
                // nothing to keep: it waits like others
            }
        }
    }

    // ---- a place

    private Placement serve(SliceState claim) {
        if (!claim.demand().fits(ring)) {
            return new Placement.Unplaced(
                    Reason.INVALID_PARALLELISM,
                    "tensor " + claim.demand().tensor() + " is neither a multiple nor a divisor of the "
                            + ring.gpusPerNode() + " GPUs of a node of fabric "
                            + scene.intent().name());
        }
        if (claim.lost()) {
            draft.ran(Planner.INHERITANCE);
            draft.gain(claim, claim.recorded().orElseThrow());
            return new Placement.Placed();
        }
        if (claim.placed()) {
            return keeping.keep(claim, light);
        }
        Placement placement = place(claim);
        if (!draft.decided().contains(claim.id())) {
            // wanted again before all that it gave up was read back dark: it may be its own seats that it waits for
            claim.recorded().ifPresent(recorded -> seating.tidy(claim, recorded, light));
        }
        return placement;
    }

    private Placement place(SliceState claim) {
        if (freeze != ChangeFreeze.NONE) {
            return new Placement.Unplaced(freeze.reason(), freeze.message());
        }
        Optional<String> awaited = ScaleOutPlacement.awaited(scene.world(), claim.intent());
        if (awaited.isPresent()) {
            return new Placement.Unplaced(Reason.AWAITING_PODS, "waits for its slice on fabric " + awaited.get());
        }
        Optional<ScaleOutPlacement> sibling = sibling(claim);
        if (sibling.isPresent()) {
            return placeInPods(claim, sibling.get());
        }
        Optional<String> never = Shortage.forGood(scene, claim);
        if (never.isPresent()) {
            return new Placement.Unplaced(Reason.INSUFFICIENT_CAPACITY, never.get());
        }
        return switch (InitialPlacement.of(ring, scene.health(), claim.demand(), seats.closedTo(claim.id()))) {
            case InitialPlacement.Found found -> {
                seating.give(claim, found.placement(), found.planner(), found.why());
                yield Placement.Unplaced.recording();
            }
            case InitialPlacement.None none -> {
                String shortage = Shortage.of(scene, seats, claim, none.usableGroups());
                String outlook = outlook(claim);
                if (outlook.isEmpty() && !anyFreshFault()) {
                    outlook = preemption.makeRoom(claim);
                }
                yield new Placement.Unplaced(
                        Reason.INSUFFICIENT_CAPACITY,
                        shortage
                                + (outlook.isEmpty()
                                        ? Shortage.underForeignLight(scene, light, seats, claim)
                                        : outlook));
            }
        };
    }

    /** On two fabrics the pods come first: they decide which nodes may hold which stage. */
    private Placement placeInPods(SliceState claim, ScaleOutPlacement sibling) {
        Optional<InitialPlacement> placing =
                sibling.place(ring, scene.health(), claim.demand(), seats.closedTo(claim.id()), scene.positions());
        return switch (placing.orElse(null)) {
            case null ->
                new Placement.Unplaced(
                        Reason.AWAITING_PODS,
                        "waits for the pods of fabric " + sibling.spine().name());
            case InitialPlacement.Found found -> {
                seating.give(claim, found.placement(), found.planner(), found.why());
                yield Placement.Unplaced.recording();
            }
            case InitialPlacement.None none ->
                new Placement.Unplaced(
                        Reason.INSUFFICIENT_CAPACITY,
                        "its pods of fabric " + sibling.spine().name() + " have room for " + none.usableGroups()
                                + " of " + Counted.of(claim.demand().groups(), "group") + " of "
                                + claim.demand().tensor() + " GPUs");
        };
    }

    /** Nobody's repair waits for a search that takes its time: room is made for others once what broke has had its answer. */
    private boolean anyFreshFault() {
        Instant now = scene.world().now();
        Optional<Instant> settled = scene.tracker().faults().stream()
                .map(fault -> fault.since().plus(REPAIRS_FIRST))
                .max(Comparator.naturalOrder())
                .filter(now::isBefore);
        settled.ifPresent(draft::wake);
        return settled.isPresent();
    }

    /** What will make room; nothing is moved while what others left may be enough. */
    private String outlook(SliceState claim) {
        if (seats.anyDarkening() || seats.anyLeftWithPods()) {
            InitialPlacement later =
                    InitialPlacement.of(ring, scene.health(), claim.demand(), seats.closedOnceLeft(claim.id()));
            hold(claim, later);
            if (later instanceof InitialPlacement.Found) {
                return seats.anyDarkening()
                        ? "; there is room once the light of nodes that others left is read back dark"
                        : "; there is room once the pods of jobs that left nodes are gone";
            }
            if (seats.anyDarkening()) {
                return "";
            }
        }
        if (claim.demand().groupsPerNode(ring) > 1 || anyFreshFault()) {
            return "";
        }
        for (List<SliceState> may : movers.tiers(claim, draft.decided())) {
            Optional<MultiJobRepair.Moves> moves =
                    seating.mending(may, scene.health(), Map.of()).makeRoom(claim.demand(), movers.budget(may));
            if (moves.isPresent()) {
                seating.give(
                        moves.get().records(),
                        Planner.COMPACTION,
                        (slice, change) -> "makes room for "
                                + Counted.of(claim.demand().groups(), "group") + " of "
                                + claim.demand().tensor() + " GPUs of job "
                                + claim.intent().job());
                hold(
                        claim,
                        InitialPlacement.of(ring, scene.health(), claim.demand(), seats.closedOnceLeft(claim.id())));
                return "; room is being made by moving jobs that allow it";
            }
        }
        return "";
    }
}
