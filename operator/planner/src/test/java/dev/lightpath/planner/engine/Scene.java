package dev.lightpath.planner.engine;

import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.discovery.FabricDiscovery;
import dev.lightpath.planner.fault.FaultTracker;
import dev.lightpath.planner.light.Backoff;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.Stage;
import dev.lightpath.planner.light.StageId;
import dev.lightpath.planner.memory.PlannerCache;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.Unreadable;
import dev.lightpath.planner.world.World;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Builds the world of a scene: a test names only what it is about. */
final class Scene {
    private final Instant now;
    private final StageId nextStage;
    private SortedMap<String, RingIntent> rings = new TreeMap<>();
    private SortedMap<String, OcsIntent> ocsFabrics = new TreeMap<>();
    private SortedMap<SliceId, SliceIntent> slices = new TreeMap<>();
    private SortedMap<SliceId, LedgerEntry> ledger = new TreeMap<>();
    private SortedMap<String, DriverState> drivers = new TreeMap<>();
    private List<Stage> inFlight = List.of();
    private SortedMap<SliceId, Allocation> recording = new TreeMap<>();
    private SortedMap<SliceId, Backoff> refused = new TreeMap<>();
    private SortedSet<DeviceId> unsettled = new TreeSet<>();
    private SortedSet<DeviceId> observing = new TreeSet<>();
    private SortedMap<DeviceId, Backoff> setbacks = new TreeMap<>();
    private SortedMap<String, FaultTracker> faults = new TreeMap<>();
    private Unreadable unreadable = Unreadable.none();
    private SortedMap<String, TopologyAnswer> answers = new TreeMap<>();
    private SortedMap<String, PlannerCache> remembered = new TreeMap<>();
    private SortedMap<String, FabricDiscovery> discoveries = new TreeMap<>();

    private Scene(Instant now, StageId nextStage) {
        this.now = now;
        this.nextStage = nextStage;
    }

    /** Nothing but a moment. */
    static Scene at(Instant now, StageId nextStage) {
        return new Scene(now, nextStage);
    }

    /** What is there in a world already. */
    static Scene like(World was) {
        Scene scene = at(was.now(), was.nextStage())
                .rings(was.rings())
                .ocsFabrics(was.ocsFabrics())
                .slices(was.slices(), was.ledger())
                .drivers(was.drivers())
                .underWay(was.inFlight(), was.recording(), was.unsettled(), was.setbacks())
                .known(was.faults(), was.answers(), was.remembered())
                .unreadable(was.unreadable());
        scene.observing = was.observing();
        scene.refused = was.refused();
        return scene;
    }

    Scene rings(SortedMap<String, RingIntent> next) {
        rings = next;
        return this;
    }

    Scene ocsFabrics(SortedMap<String, OcsIntent> next) {
        ocsFabrics = next;
        return this;
    }

    /** Requests and records. */
    Scene slices(SortedMap<SliceId, SliceIntent> wanted, SortedMap<SliceId, LedgerEntry> recorded) {
        slices = wanted;
        ledger = recorded;
        return this;
    }

    Scene drivers(SortedMap<String, DriverState> next) {
        drivers = next;
        return this;
    }

    /** What was begun and is not done. */
    Scene underWay(
            List<Stage> stages,
            SortedMap<SliceId, Allocation> writing,
            SortedSet<DeviceId> unknown,
            SortedMap<DeviceId, Backoff> waiting) {
        inFlight = stages;
        recording = writing;
        unsettled = unknown;
        setbacks = waiting;
        return this;
    }

    /** Slices whose last record was refused. */
    Scene refused(SortedMap<SliceId, Backoff> next) {
        refused = next;
        return this;
    }

    /** What earlier passes and DELTA left. */
    Scene known(
            SortedMap<String, FaultTracker> trackers,
            SortedMap<String, TopologyAnswer> answered,
            SortedMap<String, PlannerCache> caches) {
        faults = trackers;
        answers = answered;
        remembered = caches;
        return this;
    }

    Scene discoveries(SortedMap<String, FabricDiscovery> found) {
        discoveries = found;
        return this;
    }

    Scene unreadable(Unreadable next) {
        unreadable = next;
        return this;
    }

    World world() {
        return new World(
                now,
                nextStage,
                rings,
                slices,
                ledger,
                drivers,
                inFlight,
                recording,
                refused,
                unsettled,
                observing,
                setbacks,
                faults,
                unreadable,
                ocsFabrics,
                answers,
                remembered,
                discoveries,
                new TreeMap<>());
    }
}
