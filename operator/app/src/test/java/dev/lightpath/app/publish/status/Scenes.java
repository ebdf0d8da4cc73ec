package dev.lightpath.app.publish.status;

import dev.lightpath.planner.engine.FabricEngine;
import dev.lightpath.planner.engine.decision.Agenda;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.fault.Fault;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.CrossConnects;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.DriverState.Contact;
import dev.lightpath.planner.light.Inventory;
import dev.lightpath.planner.light.StageId;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingShape;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.FabricPolicy;
import dev.lightpath.planner.world.JobId;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.Origin;
import dev.lightpath.planner.world.Replacement;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.RingNode;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.Unreadable;
import dev.lightpath.planner.world.Workload;
import dev.lightpath.planner.world.World;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** A ring of eight nodes of four GPUs, reach 2, with one slice of two nodes recorded on n0 and n1. */
public final class Scenes {
    public static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    public static final String DRIVER = "driver:9440";
    public static final SliceId SLICE = new SliceId("team", "llm-ring-a-1-abcde");

    public static final String MASS_FAILURE = "5 of 8 nodes failed: annotate it resume-after-mass-failure";

    private Scenes() {}

    public static RingIntent ring(boolean paused) {
        SortedMap<Integer, RingNode> nodes = new TreeMap<>();
        for (int position = 0; position < 8; position++) {
            nodes.put(position, new RingNode("n" + position, position, List.of(), true, false));
        }
        return new RingIntent(
                "ring-a",
                RingFabric.of(RingShape.RING, 8, 2, 4),
                DRIVER,
                "cluster/ring-a",
                nodes,
                new TreeMap<>(),
                FabricPolicy.standard(),
                paused,
                Optional.empty(),
                false);
    }

    public static DriverState driver(Contact contact, String problem) {
        SortedMap<String, DeviceState> devices = new TreeMap<>();
        for (int position = 0; position < 8; position++) {
            devices.put("n" + position, loopbacks());
        }
        return new DriverState(
                contact, problem.isEmpty() ? Optional.empty() : Optional.of(problem), "toy", "1.2", 7, devices);
    }

    private static DeviceState loopbacks() {
        return new DeviceState(
                DeviceState.Presence.PRESENT,
                new CrossConnects(List.of(new Circuit("b0.common", "b0.loop"), new Circuit("b1.common", "b1.loop"))),
                new TreeSet<>(),
                "digest",
                new TreeMap<>(),
                new TreeMap<>(),
                Optional.empty(),
                Optional.of(transceivers()));
    }

    private static Inventory transceivers() {
        SortedMap<String, Inventory.Side> ports = new TreeMap<>();
        SortedMap<String, SortedSet<String>> paths = new TreeMap<>();
        for (String bundle : List.of("b0", "b1")) {
            ports.put(bundle + ".common", Inventory.Side.COMMON);
            SortedSet<String> choice = new TreeSet<>(List.of(bundle + ".loop", bundle + ".path1", bundle + ".path2"));
            choice.forEach(port -> ports.put(port, port.endsWith("loop") ? Inventory.Side.LOOP : Inventory.Side.LINE));
            paths.put(bundle + ".common", choice);
        }
        return new Inventory(Inventory.Make.unnamed(), ports, paths);
    }

    public static DriverState synced() {
        return driver(Contact.SYNCED, "");
    }

    /** Two nodes, now, wherever they are. */
    public static SliceIntent wish() {
        return new SliceIntent(
                SLICE,
                new JobId("team", "llm", "uid"),
                1,
                "ring-a",
                new Demand.ScaleUp(1, 8),
                0,
                NOW,
                true,
                new Workload.LightOnly(),
                new Replacement.Immediately(),
                true);
    }

    /** n0 and n1. */
    public static List<Allocation.Group> seats() {
        return List.of(new Allocation.Group(List.of(new Allocation.Member("n0", 0), new Allocation.Member("n1", 1))));
    }

    public static World world(DriverState driver) {
        Allocation allocation = new Allocation(1, seats(), new TreeSet<>());
        return World.atRest(
                NOW,
                new StageId(7, 1),
                new TreeMap<>(Map.of("ring-a", ring(false))),
                new TreeMap<>(),
                new TreeMap<>(Map.of(SLICE, wish())),
                new TreeMap<>(Map.of(SLICE, new LedgerEntry(Optional.of(allocation), "v1"))),
                new TreeMap<>(Map.of(DRIVER, driver)));
    }

    /** The fabric contradicts itself. */
    public static World leftAlone(String problem) {
        return of(world(synced()), new TreeMap<>(), new TreeMap<>(Map.of("ring-a", problem)));
    }

    /** The same of other rings, beside fabrics that cannot be read. */
    public static World of(World like, SortedMap<String, RingIntent> rings, SortedMap<String, String> unreadable) {
        return new World(
                like.now(),
                like.nextStage(),
                rings,
                like.slices(),
                like.ledger(),
                like.drivers(),
                like.inFlight(),
                like.recording(),
                like.refused(),
                like.unsettled(),
                like.observing(),
                like.setbacks(),
                like.faults(),
                new Unreadable(unreadable, new TreeMap<>()),
                like.ocsFabrics(),
                like.answers(),
                like.remembered(),
                like.discoveries(),
                like.lineages());
    }

    public static Outcome outcome() {
        World world = world(synced());
        return new Outcome(world, FabricEngine.deliberate(world));
    }

    public static FabricVerdict sound() {
        return verdict(new FabricVerdict.Circuits(16, 16, 0, 0));
    }

    public static FabricVerdict verdict(FabricVerdict.Circuits circuits) {
        List<String> foreign = new ArrayList<>();
        for (int index = 0; index < circuits.foreign(); index++) {
            foreign.add("n" + index + "/b0.common->b0.path1");
        }
        return verdict(circuits, List.of(), foreign, "", false, false);
    }

    public static FabricVerdict faulty(int count) {
        List<Fault> faults = new ArrayList<>();
        for (int index = 0; index < count; index++) {
            faults.add(new Fault(
                    new Subject.OfNode("n" + index), "NodeNotReady", NOW.minusSeconds(index), index == 1, ""));
        }
        return verdict(new FabricVerdict.Circuits(16, 16, 0, 0), faults, List.of(), "", false, false);
    }

    public static FabricVerdict verdict(
            FabricVerdict.Circuits circuits,
            List<Fault> faults,
            List<String> foreign,
            String wiring,
            boolean massFailure,
            boolean awaiting) {
        return verdict(
                new FabricVerdict.Nodes(8, 8 - faults.size(), faults.size(), 0, 2),
                new FabricVerdict.Gpus(32, 24, 8),
                circuits,
                faults,
                foreign,
                wiring.isEmpty() ? Optional.empty() : Optional.of(wiring),
                massFailure ? Optional.of(MASS_FAILURE) : Optional.empty(),
                awaiting);
    }

    /** A fabric whose records can all be read, without ports in quarantine. */
    public static FabricVerdict verdict(
            FabricVerdict.Nodes nodes,
            FabricVerdict.Gpus gpus,
            FabricVerdict.Circuits circuits,
            List<Fault> faults,
            List<String> foreign,
            Optional<String> invalidWiring,
            Optional<String> massFailure,
            boolean awaitingAdoption) {
        return new FabricVerdict(
                nodes,
                gpus,
                circuits,
                new FabricVerdict.Darkness(1, 3),
                faults,
                foreign,
                invalidWiring,
                massFailure,
                awaitingAdoption,
                Optional.empty(),
                Optional.empty(),
                "",
                new TreeSet<>(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                FabricVerdict.Optical.NONE);
    }

    /** The same, where light fares so. */
    public static FabricVerdict with(FabricVerdict was, FabricVerdict.Optical optical) {
        return with(was, optical, was.refused());
    }

    /** The same, where the API server refuses this record. */
    public static FabricVerdict refusing(FabricVerdict was, String record) {
        return with(was, was.optical(), Optional.of(record));
    }

    private static FabricVerdict with(FabricVerdict was, FabricVerdict.Optical optical, Optional<String> refused) {
        return new FabricVerdict(
                was.nodes(),
                was.gpus(),
                was.circuits(),
                was.darkness(),
                was.faults(),
                was.foreign(),
                was.invalidWiring(),
                was.massFailure(),
                was.awaitingAdoption(),
                was.newerDevices(),
                was.heldElsewhere(),
                was.ledgerDigest(),
                was.quarantinedPorts(),
                was.unreadable(),
                refused,
                was.foreignStays(),
                optical);
    }

    /** Of a pass that decided this, without fabrics of optical switches. */
    public static Deliberation deliberation(
            Decision decision,
            SortedMap<SliceId, SliceVerdict> slices,
            SortedMap<String, FabricVerdict> fabrics,
            Optional<Origin.Planner> planner) {
        return new Deliberation(
                decision,
                slices,
                fabrics,
                new TreeMap<>(),
                Agenda.NOTHING,
                planner,
                new TreeMap<>(),
                new TreeMap<>(),
                new TreeMap<>());
    }
}
