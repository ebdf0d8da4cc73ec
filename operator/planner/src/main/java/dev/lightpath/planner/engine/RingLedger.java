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
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.Origin;
import dev.lightpath.planner.world.Origin.Planner;
import dev.lightpath.planner.world.Reconfiguration;
import dev.lightpath.planner.world.Replacement;
import dev.lightpath.planner.world.RingNode;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
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
 * picture of the seats; what it decides are ledger entries. A slice that is well moves only where that seats another.
 */
final class RingLedger {
    private final RingScene scene;
    private final RingLight light;
    private final Halt halt;
    private final RingFabric ring;
    private final List<Claim> claims;
    private final Seats seats;
    private final Movers movers;
    private final Map<String, Instant> faultySince = new HashMap<>();
    private final List<Decision.Adopt.Entry> losses = new ArrayList<>();
    private final List<Decision.Adopt.Entry> gains = new ArrayList<>();
    private final Set<SliceId> decided = new HashSet<>();
    private final SortedMap<SliceId, Placement> verdicts = new TreeMap<>();
    private Optional<Planner> planner = Optional.empty();
    private Optional<Instant> wakeAt = Optional.empty();

    private RingLedger(RingScene scene, RingLight light, Halt halt, List<Claim> claims) {
        this.scene = scene;
        this.light = light;
        this.halt = halt;
        this.ring = scene.intent().ring();
        this.claims = claims;
        this.seats = new Seats(ring, scene.health());
        this.movers = new Movers(scene, claims);
    }

    /** @param claims in order of precedence */
    static RingLedger of(RingScene scene, RingLight light, Halt halt, List<Claim> claims) {
        RingLedger ledger = new RingLedger(scene, light, halt, claims);
        ledger.sinceWhen();
        ledger.takeSeats();
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

    /** The most laborious planner that ran. */
    Optional<Planner> planner() {
        return planner;
    }

    /** When a job's grace after a fault runs out. */
    Optional<Instant> wakeAt() {
        return wakeAt;
    }

    /** GPUs in groups of the claim's size that there is room for, its own seats included. */
    int usableGpus(Claim claim) {
        if (!claim.demand().fits(ring)) {
            return 0;
        }
        int tensor = claim.demand().tensor();
        return tensor * RingOrchestration.usableGroups(ring, scene.health(), tensor, seats.closedTo(claim.id()));
    }

    /** Free healthy nodes within reach of a member. O(members * reach). */
    int spareNodes(RingPlacement placement) {
        return seats.sparesNear(placement);
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

    private void takeSeats() {
        for (Claim claim : claims) {
            claim.recorded().ifPresent(allocation -> {
                allocation
                        .groups()
                        .forEach(group ->
                                group.members().forEach(member -> seats.take(claim.id(), List.of(member.position()))));
                allocation.releasing().forEach(node -> {
                    Integer position = scene.positions().get(node);
                    if (position != null) {
                        seats.darken(position);
                    }
                });
            });
        }
        elsewhere();
        for (RingNode node : scene.intent().nodes().values()) {
            if (!node.schedulable()
                    || node.busy()
                    || light.foreignNodes().contains(node.name())
                    || light.quarantined().contains(node.name())
                    || light.untouched().contains(node.name())) {
                seats.close(node.position());
            }
        }
    }

    /** Nodes of jobs that hold them on another fabric: a node has its GPUs once. */
    private void elsewhere() {
        for (SliceIntent other : scene.world().slices().values()) {
            if (other.demand() instanceof Demand.Traffic) {
                scene.world()
                        .allocation(other.id())
                        .map(Allocation::nodes)
                        .orElseGet(TreeSet::new)
                        .forEach(node -> {
                            Integer position = scene.positions().get(node);
                            if (position != null) {
                                seats.close(position);
                            }
                        });
            }
        }
    }

    private Optional<Sibling> sibling(Claim claim) {
        return Sibling.of(scene.world(), claim.intent());
    }

    /** What is left of the ring for a slice. */
    RingRoom.Left left() {
        return new RingRoom.Left(ring, scene.health(), scene.positions(), slice -> seats.closedTo(slice.id()));
    }

    private void ran(Planner which) {
        planner = Optional.of(
                planner.filter(before -> before.compareTo(which) > 0).orElse(which));
    }

    // ---- release

    private Placement release(Claim claim) {
        Placement verdict = giveUp(claim);
        if (claim.intent().renewed()
                && halt == Halt.NONE
                && !hasSuccessor(claim)
                && claim.demand().fits(ring)) {
            hold(claim, Placing.of(ring, scene.health(), claim.demand(), seats.closedToSuccessor(claim.id())));
        }
        return verdict;
    }

    private Placement giveUp(Claim claim) {
        Allocation recorded = claim.recorded().orElse(null);
        if (recorded == null || recorded.released()) {
            return new Placement.Released();
        }
        if (!recorded.groups().isEmpty()) {
            if (claim.intent().workload().usesLight() && !claim.intent().forced()) {
                return new Placement.Releasing(recorded.nodes().size(), "pods of the job still run");
            }
            record(losses, claim, claim.giveUp());
            seats.move(claim.id(), claim.placement(ring).positions(), new TreeSet<>());
            return new Placement.Releasing(recorded.nodes().size(), "giving up");
        }
        tidy(claim, recorded);
        String wait = halt == Halt.NONE || halt == Halt.MASS_FAILURE || halt == Halt.RETIRING
                ? "waiting for loopback to be read back"
                : halt.message();
        return new Placement.Releasing(recorded.releasing().size(), wait);
    }

    private boolean hasSuccessor(Claim claim) {
        return claims.stream()
                .anyMatch(other -> other.intent().job().equals(claim.intent().job())
                        && other.intent().attempt() > claim.intent().attempt());
    }

    /** Keeps room for a claim that has to wait for it. */
    private void hold(Claim claim, Placing room) {
        switch (room) {
            case Placing.Found found -> seats.keep(claim.id(), found.placement().positions());
            case Placing.None none -> {
                // nothing to keep: it waits like others
            }
        }
    }

    /** Strikes nodes off the record that are read back released. */
    private void tidy(Claim claim, Allocation recorded) {
        if (!scene.driver().synced() || recorded.releasing().isEmpty()) {
            return;
        }
        SortedSet<String> released = light.readBackReleased(recorded.releasing());
        if (!released.isEmpty()) {
            record(losses, claim, claim.without(released));
        }
    }

    private void record(List<Decision.Adopt.Entry> entries, Claim claim, Allocation next) {
        claim.version().ifPresent(version -> {
            decided.add(claim.id());
            entries.add(new Decision.Adopt.Entry(claim.id(), version, next));
        });
    }

    // ---- a place

    private Placement serve(Claim claim) {
        if (!claim.demand().fits(ring)) {
            return new Placement.Unplaced(
                    "InvalidParallelism",
                    "tensor " + claim.demand().tensor() + " is neither a multiple nor a divisor of the "
                            + ring.gpusPerNode() + " GPUs of a node of fabric "
                            + scene.intent().name());
        }
        if (claim.inherits()) {
            ran(Planner.INHERITANCE);
            record(gains, claim, claim.recorded().orElseThrow());
            return new Placement.Placed();
        }
        return claim.placed() ? keep(claim) : place(claim);
    }

    private Placement place(Claim claim) {
        if (halt != Halt.NONE) {
            return new Placement.Unplaced(halt.reason(), halt.message());
        }
        Optional<Sibling> sibling = sibling(claim);
        if (sibling.isPresent()) {
            return placeInPods(claim, sibling.get());
        }
        Optional<String> never = Shortage.forGood(scene, claim);
        if (never.isPresent()) {
            return new Placement.Unplaced("InsufficientCapacity", never.get());
        }
        return switch (Placing.of(ring, scene.health(), claim.demand(), seats.closedTo(claim.id()))) {
            case Placing.Found found -> {
                give(claim, found.placement(), found.planner(), found.why());
                yield new Placement.Unplaced("Recording", "a place was found and is being recorded");
            }
            case Placing.None none -> {
                String shortage = Shortage.of(scene, seats, claim, none.usableGroups());
                yield new Placement.Unplaced("InsufficientCapacity", shortage + outlook(claim));
            }
        };
    }

    /** On two fabrics the pods come first: they decide which nodes may hold which stage. */
    private Placement placeInPods(Claim claim, Sibling sibling) {
        Optional<Placing> placing =
                sibling.place(ring, scene.health(), claim.demand(), seats.closedTo(claim.id()), scene.positions());
        return switch (placing.orElse(null)) {
            case null ->
                new Placement.Unplaced(
                        "AwaitingPods",
                        "waits for the pods of fabric " + sibling.spine().name());
            case Placing.Found found -> {
                give(claim, found.placement(), found.planner(), found.why());
                yield new Placement.Unplaced("Recording", "a place was found and is being recorded");
            }
            case Placing.None none ->
                new Placement.Unplaced(
                        "InsufficientCapacity",
                        "its pods of fabric " + sibling.spine().name() + " have room for " + none.usableGroups()
                                + " of " + claim.demand().groups() + " groups of "
                                + claim.demand().tensor() + " GPUs");
        };
    }

    /** What will make room; nothing is moved while what others left may be enough. */
    private String outlook(Claim claim) {
        if (seats.anyDarkening()) {
            Placing later = Placing.of(ring, scene.health(), claim.demand(), seats.closedOnceDark(claim.id()));
            hold(claim, later);
            if (later instanceof Placing.Found) {
                return "; there is room once the light of nodes that others left is read back dark";
            }
            return "";
        }
        if (claim.demand().groupsPerNode(ring) > 1) {
            return "";
        }
        for (List<Claim> may : movers.tiers(claim, decided)) {
            Optional<Map<SliceId, RingPlacement>> moves =
                    mending(may, scene.health(), Map.of()).makeRoom(claim.demand(), movers.budget(may));
            if (moves.isPresent()) {
                moves.get()
                        .forEach((slice, placement) -> give(
                                claim(slice),
                                placement,
                                Planner.COMPACTION,
                                "makes room for " + claim.demand().groups() + " groups of "
                                        + claim.demand().tensor() + " GPUs of job "
                                        + claim.intent().job()));
                hold(claim, Placing.of(ring, scene.health(), claim.demand(), seats.closedOnceDark(claim.id())));
                return "; room is being made by moving jobs that allow it";
            }
        }
        return "";
    }

    private Mending mending(List<Claim> may, RingHealth health, Map<SliceId, RingPlacement> besides) {
        Map<SliceId, RingPlacement> moved = new HashMap<>(besides);
        may.forEach(claim -> moved.put(claim.id(), claim.placement(ring)));
        return new Mending(ring, health, seats, moved);
    }

    private Claim claim(SliceId slice) {
        return claims.stream()
                .filter(claim -> claim.id().equals(slice))
                .findFirst()
                .orElseThrow();
    }

    private void give(Claim claim, RingPlacement placement, Planner which, String why) {
        ran(which);
        RingPlacement before = claim.placement(ring);
        seats.move(claim.id(), before.positions(), placement.positions());
        int bundles = RingRepair.changedBundles(ring, before.groups(), placement.groups());
        record(gains, claim, claim.give(scene.intent(), placement, new Origin(which, bundles, why)));
    }

    // ---- repair

    private Placement keep(Claim claim) {
        if (decided.contains(claim.id())) {
            return new Placement.Placed();
        }
        RingPlacement placement = claim.placement(ring);
        Allocation recorded = claim.recorded().orElseThrow();
        RingHealth health = healthFor(recorded);
        SortedSet<Integer> broken = broken(placement, health);
        if (broken.isEmpty()) {
            tidy(claim, recorded);
            return new Placement.Placed();
        }
        List<String> members = faultyMembers(recorded, placement, broken, health);
        Optional<String> wait = wait(claim, members);
        RepairOutcome local = local(claim, placement, health, broken);
        if (wait.isPresent()) {
            tidy(claim, recorded);
            return new Placement.Faulted(members, wait.get() + prospect(claim, placement, local), false, false);
        }
        return repair(claim, placement, health, members, local);
    }

    private SortedSet<Integer> broken(RingPlacement placement, RingHealth health) {
        SortedSet<Integer> broken = new TreeSet<>();
        for (int index = 0; index < placement.groups().size(); index++) {
            if (!health.supports(ring, placement.groups().get(index))) {
                broken.add(index);
            }
        }
        return broken;
    }

    /** A member whose Node is gone or elsewhere does not hold its seat, whoever sits there now. */
    private RingHealth healthFor(Allocation recorded) {
        Set<Integer> strayed = new HashSet<>();
        for (Allocation.Group group : recorded.groups()) {
            for (Allocation.Member member : group.members()) {
                boolean holds = scene.nodeAt(member.position())
                        .filter(node -> node.name().equals(member.node()))
                        .isPresent();
                if (!holds && !scene.health().isFaulty(member.position())) {
                    strayed.add(member.position());
                }
            }
        }
        if (strayed.isEmpty()) {
            return scene.health();
        }
        strayed.addAll(scene.health().faulty());
        return RingHealth.of(strayed, scene.health().lost());
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
                .ifPresent(
                        due -> wakeAt = Optional.of(wakeAt.filter(due::isAfter).orElse(due)));
        return wait.map(RepairKeys.Wait::reason);
    }

    private RepairOutcome local(Claim claim, RingPlacement placement, RingHealth health, SortedSet<Integer> broken) {
        Set<Integer> spares = seats.spares(placement, health, seats.closedTo(claim.id()));
        Optional<Sibling> sibling = sibling(claim);
        sibling.ifPresent(pods -> spares.retainAll(pods.territory(scene.positions())));
        RepairOutcome outcome = RingRepair.repair(ring, health, placement.groups(), broken, spares);
        boolean strays = sibling.isPresent()
                && outcome instanceof RepairOutcome.Repaired repaired
                && !sibling.get()
                        .holds(
                                new RingPlacement(repaired.groups()),
                                claim.demand().tensor(),
                                scene.positions());
        return strays ? new RepairOutcome.NoRepair("no spare within reach in the pod of its stage") : outcome;
    }

    /** The spares that a repair will take once it may are kept for it. */
    private String prospect(Claim claim, RingPlacement placement, RepairOutcome local) {
        boolean never = claim.intent().replacement() instanceof Replacement.Never;
        return switch (local) {
            case RepairOutcome.Repaired repaired
            when !never && !repaired.changed().isEmpty() -> {
                RingPlacement after = new RingPlacement(repaired.groups());
                SortedSet<Integer> joining = new TreeSet<>(after.positions());
                joining.removeAll(placement.positions());
                seats.keep(claim.id(), joining);
                yield joining.isEmpty() ? "" : "; then " + names(joining) + " will join";
            }
            case RepairOutcome.Repaired repaired -> "";
            case RepairOutcome.NoRepair none -> "";
        };
    }

    private Placement repair(
            Claim claim, RingPlacement placement, RingHealth health, List<String> members, RepairOutcome local) {
        ran(Planner.LOCAL_REPAIR);
        Placement repaired = new Placement.Faulted(members, "a repair was found and is being recorded", false, false);
        if (local instanceof RepairOutcome.Repaired all && all.lost().isEmpty()) {
            give(claim, new RingPlacement(all.groups()), Planner.LOCAL_REPAIR, change(placement, all.groups()));
            return repaired;
        }
        boolean alone = sibling(claim).isEmpty();
        if (halt == Halt.NONE && alone && minimal(claim, placement, health)) {
            return repaired;
        }
        String why = switch (local) {
            case RepairOutcome.Repaired some -> {
                if (!some.changed().isEmpty()) {
                    give(
                            claim,
                            new RingPlacement(some.groups()),
                            Planner.LOCAL_REPAIR,
                            change(placement, some.groups()));
                }
                yield "no spare within reach for " + some.lost().size() + " of its groups";
            }
            case RepairOutcome.NoRepair none -> none.reason();
        };
        boolean relocatable = claim.intent().relocatable()
                && alone
                && !seats.anyDarkening()
                && RingOrchestration.place(ring, health, claim.demand(), seats.closedToSuccessor(claim.id()))
                        instanceof PlacementOutcome.Placed;
        String where = alone ? "" : "; only nodes in the pod of its stage may join";
        return new Placement.Faulted(members, why + where + Shortage.ofSpares(scene, seats), true, relocatable);
    }

    /** Lets other jobs make way, those without running pods first. */
    private boolean minimal(Claim claim, RingPlacement placement, RingHealth health) {
        if (claim.demand().groupsPerNode(ring) > 1 || claim.intent().reconfiguration() == Reconfiguration.NEVER) {
            return false;
        }
        ran(Planner.MINIMAL_REPAIR);
        List<List<Claim>> tiers = new ArrayList<>();
        tiers.add(List.of());
        tiers.addAll(movers.tiers(claim, decided));
        for (List<Claim> may : tiers) {
            Optional<Map<SliceId, RingPlacement>> moves = mending(may, health, Map.of(claim.id(), placement))
                    .repair(claim.demand().tensor());
            if (moves.isPresent() && claim.intent().relocatable() && isElsewhere(placement, moves.get(), claim.id())) {
                return false;
            }
            if (moves.isPresent()) {
                moves.get().forEach((slice, after) -> {
                    RingPlacement before = claim(slice).placement(ring);
                    give(
                            claim(slice),
                            after,
                            Planner.MINIMAL_REPAIR,
                            (slice.equals(claim.id())
                                            ? ""
                                            : "makes way for job "
                                                    + claim.intent().job() + ": ")
                                    + change(before, after.groups()));
                });
                return true;
            }
        }
        return false;
    }

    /** Where nothing of a job stays, it is no repair: the whole job is placed anew, as well as can be. */
    private static boolean isElsewhere(RingPlacement before, Map<SliceId, RingPlacement> moves, SliceId slice) {
        RingPlacement after = moves.get(slice);
        return after != null && java.util.Collections.disjoint(before.positions(), after.positions());
    }

    private String change(RingPlacement before, List<RingGroup> after) {
        SortedSet<Integer> leaving = new TreeSet<>(before.positions());
        SortedSet<Integer> joining = new TreeSet<>(new RingPlacement(after).positions());
        joining.removeAll(leaving);
        leaving.removeAll(new RingPlacement(after).positions());
        long groups = java.util.stream.IntStream.range(0, after.size())
                .filter(index -> !after.get(index).equals(before.groups().get(index)))
                .count();
        return names(joining) + " in for " + names(leaving) + ", " + groups + " of " + after.size() + " groups changed";
    }

    private String names(SortedSet<Integer> positions) {
        if (positions.isEmpty()) {
            return "nobody";
        }
        List<String> names = positions.stream()
                .limit(8)
                .map(position -> scene.nodeAt(position).map(RingNode::name).orElse("position " + position))
                .toList();
        return String.join(", ", names) + (positions.size() > 8 ? " and " + (positions.size() - 8) + " more" : "");
    }
}
