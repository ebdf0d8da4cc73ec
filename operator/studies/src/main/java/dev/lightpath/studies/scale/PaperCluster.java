package dev.lightpath.studies.scale;

import dev.lightpath.planner.engine.FabricEngine;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.fault.FaultTracker;
import dev.lightpath.planner.light.DeviceChange;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.StageId;
import dev.lightpath.planner.memory.PlannerCache;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.JobId;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.Replacement;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.Workload;
import dev.lightpath.planner.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** All fabrics of a cluster, their jobs and records, led by one planner. Every record is written at once. */
final class PaperCluster {
    static final int TENSOR = 32;
    static final int GROUPS_PER_JOB = 2;
    static final int NODES_PER_JOB = GROUPS_PER_JOB * TENSOR / PaperRing.GPUS_PER_NODE;

    private final SortedMap<String, PaperRing> rings;
    private final SortedMap<SliceId, SliceIntent> slices = new TreeMap<>();
    private final SortedMap<SliceId, LedgerEntry> ledger = new TreeMap<>();
    private SortedMap<String, FaultTracker> faults = new TreeMap<>();
    private SortedMap<String, PlannerCache> remembered = new TreeMap<>();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    /**
     * What was done until nothing was left to do.
     *
     * @param passes how long each pass took, in nanoseconds of the clock
     * @param records allocations that were written
     * @param changes changes that drivers were asked for, one for each device
     */
    record Settled(List<Long> passes, int records, int changes) {}

    PaperCluster(List<PaperRing> rings) {
        this.rings = new TreeMap<>(rings.stream().collect(Collectors.toMap(PaperRing::name, Function.identity())));
    }

    /** Asks for jobs on each fabric. */
    void admit(int jobsPerFabric) {
        for (String fabric : rings.keySet()) {
            for (int number = 0; number < jobsPerFabric; number++) {
                String job = fabric + "-job-" + number;
                SliceId id = new SliceId("paper", job);
                slices.put(
                        id,
                        new SliceIntent(
                                id,
                                new JobId("paper", job, job),
                                1,
                                fabric,
                                new Demand.ScaleUp(GROUPS_PER_JOB, TENSOR),
                                0,
                                now,
                                true,
                                new Workload.LightOnly(),
                                new Replacement.Immediately(),
                                true));
                ledger.put(id, new LedgerEntry(Optional.empty(), "1"));
            }
        }
    }

    /** Positions of a fabric at which a job has a node. */
    List<Integer> taken(String fabric) {
        List<Integer> taken = new ArrayList<>();
        slices.values().stream()
                .filter(slice -> slice.fabric().equals(fabric))
                .flatMap(slice -> placement(slice.id()).stream())
                .flatMap(allocation -> allocation.groups().stream())
                .forEach(group -> group.members().forEach(member -> taken.add(member.position())));
        return taken;
    }

    /** Jobs that have a place. */
    int placed() {
        return (int) slices.keySet().stream()
                .filter(slice -> placement(slice).isPresent())
                .count();
    }

    private Optional<Allocation> placement(SliceId slice) {
        return Optional.ofNullable(ledger.get(slice)).flatMap(LedgerEntry::allocation);
    }

    void pass(Duration time) {
        now = now.plus(time);
    }

    /**
     * Decides and does until there is nothing to do.
     *
     * @throws IllegalStateException if something about the devices is unknown: on paper all is known
     */
    Settled settle() {
        List<Long> passes = new ArrayList<>();
        int records = 0;
        int changes = 0;
        while (true) {
            World world = world();
            long start = System.nanoTime();
            Deliberation deliberation = FabricEngine.deliberate(world);
            passes.add(System.nanoTime() - start);
            faults = deliberation.faults();
            remembered = deliberation.remembered();
            switch (deliberation.decision()) {
                case Decision.Rest rest -> {
                    return new Settled(passes, records, changes);
                }
                case Decision.Observe observe -> throw new IllegalStateException("nothing is unknown: " + observe);
                case Decision.Adopt adopt -> {
                    records += adopt.entries().size();
                    adopt.entries()
                            .forEach(entry ->
                                    ledger.put(entry.slice(), new LedgerEntry(Optional.of(entry.allocation()), "1")));
                }
                case Decision.Apply apply -> {
                    changes += apply.stage().changes().size();
                    make(apply.stage().changes());
                }
            }
        }
    }

    private void make(List<DeviceChange> changes) {
        Map<String, List<DeviceChange>> byDriver = changes.stream()
                .collect(Collectors.groupingBy(change -> change.device().driver()));
        for (PaperRing ring : rings.values()) {
            ring.make(byDriver.getOrDefault(ring.endpoint(), List.of()));
        }
    }

    private World world() {
        SortedMap<String, RingIntent> intents = new TreeMap<>();
        SortedMap<String, DriverState> drivers = new TreeMap<>();
        for (PaperRing ring : rings.values()) {
            intents.put(ring.name(), ring.intent());
            drivers.put(ring.endpoint(), ring.driver());
        }
        return World.atRest(now, new StageId(1, 1), intents, new TreeMap<>(), slices, ledger, drivers)
                .with(faults, new TreeMap<>(), remembered);
    }
}
