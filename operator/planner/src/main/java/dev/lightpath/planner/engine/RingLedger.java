package dev.lightpath.planner.engine;

import dev.lightpath.planner.engine.SliceVerdict.Placement;
import dev.lightpath.planner.fault.Fault;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.ring.PlacementOutcome;
import dev.lightpath.planner.ring.RepairOutcome;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingGroup;
import dev.lightpath.planner.ring.RingHealth;
import dev.lightpath.planner.ring.RingOrchestration;
import dev.lightpath.planner.ring.RingPlacement;
import dev.lightpath.planner.ring.RingRepair;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.RingNode;
import dev.lightpath.planner.world.SliceId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Who sits where on one ring: places, repairs and releases slices, in order of precedence. Changes nothing but its own
 * picture of the seats; what it decides are ledger entries.
 */
final class RingLedger {
    private final RingScene scene;
    private final RingLight light;
    private final Halt halt;
    private final RingFabric ring;
    private final Map<String, Instant> faultySince = new HashMap<>();
    private final SortedMap<Integer, SliceId> seats = new TreeMap<>();
    private final Set<Integer> closed = new HashSet<>();
    private final List<Decision.Adopt.Entry> losses = new ArrayList<>();
    private final List<Decision.Adopt.Entry> gains = new ArrayList<>();
    private final SortedMap<SliceId, Placement> verdicts = new TreeMap<>();
    private Optional<Instant> wakeAt = Optional.empty();

    private RingLedger(RingScene scene, RingLight light, Halt halt) {
        this.scene = scene;
        this.light = light;
        this.halt = halt;
        this.ring = scene.intent().ring();
    }

    /** @param claims in order of precedence */
    static RingLedger of(RingScene scene, RingLight light, Halt halt, List<Claim> claims) {
        RingLedger ledger = new RingLedger(scene, light, halt);
        ledger.sinceWhen();
        ledger.closeSeats(claims);
        for (Claim claim : claims) {
            ledger.verdicts.put(claim.id(), claim.intent().wanted() ? ledger.serve(claim) : ledger.release(claim));
        }
        return ledger;
    }

    /** What to record, losers before winners. */
    List<Decision.Adopt.Entry> entries() {
        List<Decision.Adopt.Entry> entries = new ArrayList<>(losses);
        entries.addAll(gains);
        return entries;
    }

    SortedMap<SliceId, Placement> verdicts() {
        return verdicts;
    }

    /** When a job's grace after a fault runs out. */
    Optional<Instant> wakeAt() {
        return wakeAt;
    }

    private void sinceWhen() {
        for (Fault fault : scene.book().faults()) {
            String node = switch (fault.subject()) {
                case Subject.OfNode of -> of.node();
                case Subject.OfDevice of -> of.device();
                case Subject.OfPort of -> of.device();
            };
            faultySince.merge(node, fault.since(), (a, b) -> a.isBefore(b) ? a : b);
        }
    }

    /** Seats that a new plan may not use: taken, still being released, cordoned, busy or under foreign light. */
    private void closeSeats(List<Claim> claims) {
        SortedMap<String, Integer> positions = RingScene.positions(scene.intent());
        for (Claim claim : claims) {
            claim.recorded().ifPresent(allocation -> {
                allocation
                        .groups()
                        .forEach(group -> group.members().forEach(member -> seats.put(member.position(), claim.id())));
                allocation.releasing().forEach(node -> {
                    Integer position = positions.get(node);
                    if (position != null) {
                        closed.add(position);
                    }
                });
            });
        }
        for (RingNode node : scene.intent().nodes().values()) {
            if (!node.schedulable() || node.busy() || light.foreignNodes().contains(node.name())) {
                closed.add(node.position());
            }
        }
    }

    private Set<Integer> closedTo(SliceId slice) {
        Set<Integer> occupied = new HashSet<>(closed);
        seats.forEach((position, owner) -> {
            if (owner.equals(slice)) {
                occupied.remove(position);
            } else {
                occupied.add(position);
            }
        });
        return occupied;
    }

    private Placement release(Claim claim) {
        Allocation recorded = claim.recorded().orElse(null);
        if (recorded == null || recorded.released()) {
            return new Placement.Released();
        }
        if (!recorded.groups().isEmpty()) {
            if (claim.intent().workload().usesLight()) {
                return new Placement.Releasing(recorded.nodes().size(), "pods of the job still run");
            }
            losses.add(entry(claim, claim.giveUp()));
            return new Placement.Releasing(recorded.nodes().size(), "giving up");
        }
        tidy(claim, recorded);
        String wait = halt == Halt.NONE || halt == Halt.MASS_FAILURE || halt == Halt.RETIRING
                ? "waiting for loopback to be read back"
                : halt.message();
        return new Placement.Releasing(recorded.releasing().size(), wait);
    }

    /** Strikes nodes off the record that are read back released. */
    private void tidy(Claim claim, Allocation recorded) {
        if (!scene.driver().synced() || recorded.releasing().isEmpty()) {
            return;
        }
        SortedSet<String> released = light.readBackReleased(recorded.releasing());
        if (!released.isEmpty()) {
            losses.add(entry(claim, claim.without(released)));
        }
    }

    private Placement serve(Claim claim) {
        if (!claim.demand().fits(ring)) {
            return new Placement.Unplaced(
                    "InvalidParallelism",
                    "tensor " + claim.demand().tensor() + " is neither a multiple nor a divisor of the "
                            + ring.gpusPerNode() + " GPUs of a node of fabric "
                            + scene.intent().name());
        }
        return claim.placed() ? keep(claim) : place(claim);
    }

    private Placement place(Claim claim) {
        if (halt != Halt.NONE) {
            return new Placement.Unplaced(halt.reason(), halt.message());
        }
        PlacementOutcome outcome = RingOrchestration.place(ring, scene.health(), claim.demand(), closedTo(claim.id()));
        return switch (outcome) {
            case PlacementOutcome.Placed placed -> {
                give(claim, placed.placement());
                yield new Placement.Unplaced("Recording", "a place was found and is being recorded");
            }
            case PlacementOutcome.Infeasible none ->
                new Placement.Unplaced("InsufficientCapacity", shortage(claim, none.usableGroups()));
        };
    }

    private String shortage(Claim claim, int usableGroups) {
        int tensor = claim.demand().tensor();
        long busy =
                scene.intent().nodes().values().stream().filter(RingNode::busy).count();
        return "wanted " + claim.intent().demand().gpus() + " GPUs in "
                + claim.demand().groups() + " groups of " + tensor + ", usable " + (long) usableGroups * tensor
                + " GPUs in " + usableGroups + " such groups: of " + ring.positions() + " nodes "
                + scene.health().faulty().size() + " are faulty, " + busy + " busy with other pods, "
                + seats.size() + " allocated to jobs";
    }

    private void give(Claim claim, RingPlacement placement) {
        seats.values().removeIf(claim.id()::equals);
        Allocation next = claim.give(scene.intent(), placement);
        placement.positions().forEach(position -> seats.put(position, claim.id()));
        gains.add(entry(claim, next));
    }

    private static Decision.Adopt.Entry entry(Claim claim, Allocation next) {
        return new Decision.Adopt.Entry(claim.id(), claim.version(), next);
    }

    private Placement keep(Claim claim) {
        RingPlacement placement = claim.placement(ring);
        Allocation recorded = claim.recorded().orElseThrow();
        RingHealth health = healthFor(recorded);
        SortedSet<Integer> broken = new TreeSet<>();
        for (int index = 0; index < placement.groups().size(); index++) {
            if (!health.supports(ring, placement.groups().get(index))) {
                broken.add(index);
            }
        }
        if (broken.isEmpty()) {
            tidy(claim, recorded);
            return new Placement.Placed();
        }
        List<String> members = faultyMembers(recorded, placement, broken, health);
        Optional<String> wait = wait(claim, members);
        if (wait.isPresent()) {
            tidy(claim, recorded);
            return new Placement.Faulted(members, wait.get(), false, false);
        }
        return repair(claim, placement, health, broken, members);
    }

    /** A member whose Node is gone or elsewhere does not hold its seat, whoever sits there now. */
    private RingHealth healthFor(Allocation recorded) {
        Set<Integer> faulty = new HashSet<>(scene.health().faulty());
        for (Allocation.Group group : recorded.groups()) {
            for (Allocation.Member member : group.members()) {
                boolean holds = scene.nodeAt(member.position())
                        .filter(node -> node.name().equals(member.node()))
                        .isPresent();
                if (!holds) {
                    faulty.add(member.position());
                }
            }
        }
        return faulty.equals(scene.health().faulty())
                ? scene.health()
                : RingHealth.of(faulty, scene.health().lost());
    }

    private static List<String> faultyMembers(
            Allocation recorded, RingPlacement placement, Set<Integer> broken, RingHealth health) {
        SortedSet<String> names = new TreeSet<>();
        for (int index : broken) {
            RingGroup group = placement.groups().get(index);
            for (int rank = 0; rank < group.size(); rank++) {
                int position = group.members().get(rank);
                if (health.isFaulty(position) || health.lost().containsKey(position)) {
                    names.add(recorded.groups().get(index).members().get(rank).node());
                }
            }
        }
        return List.copyOf(names);
    }

    /** What a repair waits for; empty when it may go ahead. */
    private Optional<String> wait(Claim claim, List<String> members) {
        Instant now = scene.world().now();
        Instant since = members.stream()
                .map(faultySince::get)
                .filter(java.util.Objects::nonNull)
                .min(Instant::compareTo)
                .orElse(now);
        Optional<RepairKeys.Wait> wait = RepairKeys.wait(claim.intent(), halt, since, now);
        wait.flatMap(RepairKeys.Wait::until)
                .ifPresent(due ->
                        wakeAt = Optional.of(wakeAt.filter(due::isAfter).orElse(due)));
        return wait.map(RepairKeys.Wait::reason);
    }

    private Placement repair(
            Claim claim, RingPlacement placement, RingHealth health, SortedSet<Integer> broken, List<String> members) {
        Set<Integer> occupied = closedTo(claim.id());
        RepairOutcome outcome =
                RingRepair.repair(ring, health, placement.groups(), broken, spares(placement, health, occupied));
        String why = switch (outcome) {
            case RepairOutcome.Repaired repaired -> {
                if (!repaired.changed().isEmpty()) {
                    give(claim, new RingPlacement(repaired.groups()));
                }
                yield repaired.lost().isEmpty()
                        ? ""
                        : "no spare within reach for " + repaired.lost().size() + " of its groups";
            }
            case RepairOutcome.NoRepair none -> none.reason();
        };
        if (why.isEmpty()) {
            return new Placement.Faulted(members, "a repair was found and is being recorded", false, false);
        }
        boolean relocatable = claim.intent().relocatable()
                && RingOrchestration.place(ring, health, claim.demand(), occupied) instanceof PlacementOutcome.Placed;
        return new Placement.Faulted(members, why, true, relocatable);
    }

    private Set<Integer> spares(RingPlacement placement, RingHealth health, Set<Integer> occupied) {
        SortedSet<Integer> held = placement.positions();
        Set<Integer> spares = new HashSet<>();
        for (int position = 0; position < ring.positions(); position++) {
            if (!occupied.contains(position) && !held.contains(position) && !health.isFaulty(position)) {
                spares.add(position);
            }
        }
        return spares;
    }
}
