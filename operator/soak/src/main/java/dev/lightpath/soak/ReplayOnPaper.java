package dev.lightpath.soak;

import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.engine.simulation.Simulation;
import dev.lightpath.planner.engine.simulation.Snapshot;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingShape;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.FabricPolicy;
import dev.lightpath.planner.world.JobId;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.Reconfiguration;
import dev.lightpath.planner.world.Replacement;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.RingNode;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.Workload;
import dev.lightpath.soak.oracle.Beam;
import dev.lightpath.soak.oracle.RingOracle;
import dev.lightpath.soak.oracle.RingScheme;
import dev.lightpath.soak.oracle.Seats;
import dev.lightpath.soak.script.Change;
import dev.lightpath.soak.script.JobWish;
import dev.lightpath.soak.script.Moment;
import dev.lightpath.soak.script.NodeFault;
import dev.lightpath.soak.script.Script;
import dev.lightpath.studies.evaluation.Architecture;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Plays a script against the planner alone: no cluster, no driver, every record written and every change of light made
 * at once. What the records say is judged by the same code as in an environment; there is no light to look at.
 */
final class ReplayOnPaper {
    private static final Instant BEGIN = Instant.EPOCH;
    private static final int TENSOR = 32;
    /** Passes that may record something; an operator whose decisions contradict each other would never come to rest. */
    private static final int MOST_PASSES = 1000;

    private final RingScheme ring;
    private final Site site;
    private final Scene scene;
    private final RingOracle oracle;
    private final Room room;
    private final Consumer<String> progress;
    private final List<Played> played = new ArrayList<>();
    private final List<Finding> findings = new ArrayList<>();
    private final SortedMap<SliceId, SliceIntent> slices = new TreeMap<>();
    private final Instant beganAt = Instant.now();
    private final long began = System.nanoTime();
    private SortedMap<SliceId, LedgerEntry> ledger = new TreeMap<>();
    private Sitting before = new Sitting(List.of(), new TreeMap<>());

    /** Who sits where: as groups, and as words by job and fabric. */
    private record Sitting(List<Seats> seats, SortedMap<String, String> places) {}

    ReplayOnPaper(RingScheme ring, Consumer<String> progress) {
        this.ring = ring;
        this.site = new Site(ring, Optional.empty(), Map.of());
        this.scene = new Scene(site);
        this.oracle = new RingOracle(ring);
        this.room = new Room(ring);
        this.progress = progress;
    }

    Site site() {
        return site;
    }

    Outcome play(Script script) {
        for (int number = 0; number < script.moments().size(); number++) {
            moment(number, script.moments().get(number));
        }
        return new Outcome(
                beganAt, script, played, findings, script.moments().size(), 0, 0, (System.nanoTime() - began) / 1e9);
    }

    private void moment(int number, Moment moment) {
        moment.changes().forEach(change -> {
            scene.note(change);
            wish(change, moment.day());
        });
        long start = System.nanoTime();
        Simulation.Rest rest = rest(moment.day());
        double seconds = (System.nanoTime() - start) / 1e9;
        ledger = new TreeMap<>(rest.ledger());
        ledger.values()
                .removeIf(
                        entry -> entry.allocation().filter(Allocation::released).isPresent());
        slices.values().removeIf(slice -> !slice.wanted() && !ledger.containsKey(slice.id()));
        ledger.keySet().retainAll(slices.keySet());
        Sitting after = sitting(rest);
        SortedSet<Beam> light = oracle.wanted(after.seats());
        List<String> wrong =
                new ArrayList<>(oracle.violations(after.seats(), scene.faulty(), scene.unpowered(), light));
        List<JobWish> waiting = scene.jobs().values().stream()
                .filter(job -> !after.places().containsKey(of(job.name())))
                .toList();
        wrong.addAll(room.neglected(waiting, after.seats(), scene.faulty()));
        Concern concern = new Concern(site, scene, moment);
        List<String> forOthers = forOthers(moment, after, wrong);
        wrong.forEach(line -> note(new Finding(number, moment.day(), moment.words(), line)));
        Set<Beam> came = new HashSet<>(light);
        came.removeAll(oracle.wanted(before.seats()));
        SortedSet<String> degraded = new TreeSet<>();
        int working = 0;
        for (Seats group : after.seats()) {
            if (group.positions().stream().noneMatch(scene.faulty()::contains)) {
                working += group.positions().size() * group.gpusPerMember();
            } else {
                degraded.add(group.job());
            }
        }
        boolean[] faulty = new boolean[ring.positions()];
        scene.faulty().forEach(position -> faulty[position] = true);
        int healthy = (ring.positions() - scene.faulty().size()) * ring.gpusPerNode();
        int usable = new Architecture.KHop(ring.reach(), ring.closed() ? RingShape.RING : RingShape.LINE)
                .usableGpus(faulty, ring.gpusPerNode(), TENSOR);
        played.add(new Played(
                number,
                moment.day(),
                moment.words(),
                moment.hasFault(),
                (start - began) / 1e9,
                seconds,
                concern.movedBundles(came),
                0,
                (int) rest.steps().stream()
                        .map(Simulation.Step::slice)
                        .distinct()
                        .count(),
                forOthers,
                scene.faulty().size(),
                waiting.size(),
                degraded.size(),
                waiting.size() + degraded.size() > 0,
                room.crowdedOut(waiting, after.seats(), Set.of(), scene.faulty()),
                healthy - working,
                healthy - usable,
                healthy - working - room.gatherable(waiting, after.seats(), scene.faulty()),
                wrong));
        before = after;
    }

    /** Jobs that moved and that no fault hit; a line for each if nobody was seated or mended for it. */
    private List<String> forOthers(Moment moment, Sitting after, List<String> wrong) {
        Set<String> hit = new HashSet<>();
        for (Seats group : before.seats()) {
            if (group.positions().stream().anyMatch(scene.faulty()::contains)) {
                hit.add(of(group.job()));
            }
        }
        List<String> moved = new ArrayList<>();
        boolean helped = false;
        for (var place : after.places().entrySet()) {
            String was = before.places().get(place.getKey());
            boolean changed = !place.getValue().equals(was);
            helped |= changed && (was == null || hit.contains(place.getKey()));
            if (changed && was != null && !hit.contains(place.getKey())) {
                moved.add(place.getKey());
            }
        }
        if (!helped) {
            moved.forEach(job -> wrong.add("light moved without need: job " + job + " moved at '" + moment.words()
                    + "', no fault hit it, and it made room for nobody"));
        }
        return moved;
    }

    private void note(Finding finding) {
        findings.add(finding);
        progress.accept("FINDING " + finding.line());
    }

    private void wish(Change change, double day) {
        switch (change) {
            case Change.JobArrives arrives -> wish(arrives.job(), day, true);
            case Change.JobLeaves leaves -> wish(leaves.job(), day, false);
            case Change.NodeFails fails -> {
                // a fault: the scene knows it
            }
            case Change.NodeRecovers recovers -> {
                // no fault any more
            }
            case Change.PortFails none -> throw offRing(change);
            case Change.PortRecovers none -> throw offRing(change);
            case Change.SwitchFails none -> throw offRing(change);
            case Change.SwitchRecovers none -> throw offRing(change);
        }
    }

    private static IllegalStateException offRing(Change change) {
        return new IllegalStateException(change + ": there are no switches on paper");
    }

    private void wish(JobWish job, double day, boolean wanted) {
        SliceId id = new SliceId("study", job.name());
        SliceIntent known = slices.get(id);
        slices.put(
                id,
                new SliceIntent(
                                id,
                                new JobId("study", job.name(), job.name()),
                                1,
                                ring.fabric(),
                                new Demand.ScaleUp(job.groups(), job.tensor()),
                                0,
                                known == null ? at(day) : known.createdAt(),
                                wanted,
                                new Workload.LightOnly(),
                                new Replacement.Immediately(),
                                true)
                        .but()
                        .reconfiguration(Reconfiguration.LIVE)
                        .build());
    }

    private static Instant at(double day) {
        return BEGIN.plus(Duration.ofSeconds((long) (day * 86_400)));
    }

    private Simulation.Rest rest(double day) {
        SortedMap<Integer, RingNode> nodes = new TreeMap<>();
        List<Subject> faulty = new ArrayList<>();
        for (int position = 0; position < ring.positions(); position++) {
            String name = ring.nodes().get(position);
            Optional<NodeFault> nodeFault = scene.nodeFault(position);
            if (nodeFault.filter(NodeFault.DELETED::equals).isEmpty()) {
                nodes.put(position, new RingNode(name, position, List.of(), true, false));
            }
            if (nodeFault.isPresent()) {
                faulty.add(new Subject.OfNode(name));
            }
        }
        RingFabric fabric = RingFabric.of(
                ring.closed() ? RingShape.RING : RingShape.LINE, ring.positions(), ring.reach(), ring.gpusPerNode());
        RingIntent intent = new RingIntent(
                ring.fabric(),
                fabric,
                "paper",
                "paper",
                nodes,
                new TreeMap<>(),
                FabricPolicy.standard(),
                false,
                Optional.empty(),
                false);
        Simulation.Rest rest = Simulation.rest(
                new Snapshot(
                        at(day),
                        new TreeMap<>(Map.of(ring.fabric(), intent)),
                        new TreeMap<>(),
                        slices,
                        ledger,
                        faulty,
                        scene.unpowered()),
                MOST_PASSES);
        if (!rest.settled()) {
            throw new IllegalStateException("ring " + ring.fabric() + ": something is still recorded after "
                    + MOST_PASSES + " passes, last " + rest.steps().getLast());
        }
        return rest;
    }

    private String of(String job) {
        return job + " on " + ring.fabric();
    }

    private Sitting sitting(Simulation.Rest rest) {
        List<Seats> seats = new ArrayList<>();
        SortedMap<String, String> places = new TreeMap<>();
        rest.ledger()
                .forEach((slice, entry) -> entry.allocation()
                        .filter(allocation -> !allocation.groups().isEmpty())
                        .ifPresent(allocation -> {
                            boolean pending = Optional.ofNullable(
                                            rest.verdicts().get(slice))
                                    .filter(verdict -> verdict.placement() instanceof SliceVerdict.Placement.Faulted)
                                    .isPresent();
                            places.put(of(slice.name()), allocation.groups().toString());
                            for (int index = 0; index < allocation.groups().size(); index++) {
                                List<Integer> positions = allocation.groups().get(index).members().stream()
                                        .map(Allocation.Member::position)
                                        .toList();
                                int tensor = java.util.Objects.requireNonNull(slices.get(slice))
                                                .demand()
                                                .gpus()
                                        / allocation.groups().size();
                                seats.add(
                                        new Seats(slice.name(), index, positions, tensor / positions.size(), pending));
                            }
                        }));
        return new Sitting(seats, places);
    }
}
