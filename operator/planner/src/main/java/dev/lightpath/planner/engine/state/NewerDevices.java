package dev.lightpath.planner.engine.state;

import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.light.AgentMemory;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.EpochMark;
import dev.lightpath.planner.memory.PassMemory;
import dev.lightpath.planner.memory.Slot;
import dev.lightpath.planner.world.FabricIntent;
import dev.lightpath.planner.world.Lineage;
import dev.lightpath.planner.world.World;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Devices that were written to under an epoch which this installation never gave, or that remember a later revision of
 * the records: the API server was set back to an older state, the ConfigMap of the epoch was lost, or a second operator
 * writes under the same role. Which of these, only a person can tell.
 *
 * <p>Where each node has an agent, one of them alone may lie, and is then left alone with its node. Two stop the
 * fabric: a circuit has two ends, so light that the records do not know of is remembered at two nodes.
 */
final class NewerDevices {
    /** As many agents as no single node can speak for. */
    private static final int WITNESSES = 2;

    private final World world;
    private final FabricIntent intent;
    private final Lineage lineage;

    private NewerDevices(World world, FabricIntent intent) {
        this.world = world;
        this.intent = intent;
        this.lineage = world.lineage(intent);
    }

    /**
     * What a person has to know before changes of the fabric go on, or of a node that is left alone; empty when nothing
     * stands against it. O(drivers and agents that remember more), and O(slices) where there are any.
     */
    static Optional<FabricVerdict.Newer> of(World world, FabricIntent intent) {
        return new NewerDevices(world, intent).told();
    }

    /**
     * A driver with one agent taken for away. While nothing new is told, of the driver or of that device, the object of
     * the pass before is kept: what follows from it is found by identity.
     *
     * @param of as it told of itself
     */
    private record LeftAlone(DriverState of, String device, DriverState left) {
        static final Slot<SortedMap<String, LeftAlone>> SLOT = new Slot<>("agents left alone");

        static LeftAlone of(DriverState driver, String device, Optional<LeftAlone> before) {
            return before.filter(last -> last.isOf(driver, device))
                    .orElseGet(() -> new LeftAlone(driver, device, left(driver, device, before)));
        }

        private static DriverState left(DriverState driver, String device, Optional<LeftAlone> before) {
            DeviceState known = driver.devices().get(device);
            return known == null || known.away()
                    ? driver
                    : driver.with(
                            device,
                            before.flatMap(last -> last.away(device, known)).orElseGet(known::goneAway));
        }

        @SuppressWarnings("ReferenceEquality")
        private boolean isOf(DriverState driver, String other) {
            return of == driver && device.equals(other);
        }

        /** That device as it was left, if the same was told of it. */
        @SuppressWarnings("ReferenceEquality")
        private Optional<DeviceState> away(String other, DeviceState known) {
            return device.equals(other) && of.devices().get(device) == known
                    ? Optional.ofNullable(left.devices().get(device))
                    : Optional.empty();
        }
    }

    /**
     * A world in which the agent is away that alone of its fabric remembers more. The same world where there is none.
     * What it makes of a driver is the same object as in the pass before while that driver tells nothing new. O(agents
     * that remember more), and O(devices) where there is one and its driver tells something new.
     */
    static World leavingOneAlone(World world, FabricIntent intent, PassMemory memory) {
        SortedMap<String, LeftAlone> before = memory.before(LeftAlone.SLOT).orElseGet(TreeMap::new);
        SortedMap<String, LeftAlone> alone = new TreeMap<>();
        for (String driver : intent.drivers()) {
            DriverState state = world.driver(driver);
            SortedSet<String> doubted =
                    state.agents().isEmpty() ? new TreeSet<>() : new NewerDevices(world, intent).doubted(state);
            if (doubted.size() == 1) {
                alone.put(driver, LeftAlone.of(state, doubted.first(), Optional.ofNullable(before.get(driver))));
            }
        }
        memory.keep(LeftAlone.SLOT, alone);
        if (alone.isEmpty()) {
            return world;
        }
        SortedMap<String, DriverState> drivers = new TreeMap<>(world.drivers());
        alone.forEach((driver, one) -> drivers.put(driver, one.left()));
        return world.with(drivers);
    }

    private Optional<FabricVerdict.Newer> told() {
        long revision = newerRevision();
        for (String driver : intent.drivers()) {
            DriverState state = world.driver(driver);
            SortedSet<String> doubted = doubted(state);
            if (doubted.size() == 1 && revision == 0) {
                return Optional.of(alone(doubted.first(), state));
            }
            EpochMark mark = strange(state).orElse(null);
            if (mark != null && isTooHigh(mark)) {
                return Optional.of(new FabricVerdict.Newer(
                        "driver " + driver + ": its devices were written to under " + mark + ", which is more than 2^20"
                                + " above ours and cannot be accepted; no light is moved. Set the epoch of the driver"
                                + " (docs/operating.md, \"Epochs that a driver refuses\")",
                        revision,
                        true));
            }
            if (mark != null && mark.epoch() > lineage.acceptedEpoch()) {
                return newer(
                        revision,
                        "driver " + driver + ": its devices were written to under " + mark
                                + ", which this installation never gave: its records may be older than the light, or a second"
                                + " operator writes");
            }
            if (mark != null && mark.epoch() >= world.nextStage().epoch()) {
                return Optional.of(new FabricVerdict.Newer(
                        "driver " + driver + ": " + mark + " was accepted; waiting for an epoch above it",
                        revision,
                        true));
            }
        }
        return revision == 0
                ? Optional.empty()
                : newer(
                        revision,
                        "devices remember revision " + revision + " of the records, which are of revision "
                                + lineage.revision()
                                + " here: they are older than the light, or a second operator writes");
    }

    /** Agents that remember more than this installation told. */
    private SortedSet<String> doubted(DriverState driver) {
        SortedSet<String> doubted = new TreeSet<>();
        driver.agents().forEach((device, memory) -> {
            if (isStrange(memory) || isLater(memory)) {
                doubted.add(device);
            }
        });
        return doubted;
    }

    private boolean isStrange(AgentMemory memory) {
        EpochMark mark = memory.strange().get(intent.role());
        return mark != null
                && (mark.epoch() > lineage.acceptedEpoch()
                        || mark.epoch() >= world.nextStage().epoch());
    }

    private boolean isLater(AgentMemory memory) {
        long revision = memory.revisions().getOrDefault(intent.role(), 0L);
        return isNews(revision) && revision > world.ledgerRevision(intent);
    }

    private boolean isNews(long revision) {
        return lineage.revision() > 0 && revision > Math.max(lineage.revision(), lineage.acceptedRevision());
    }

    /** No process of ours ever gave such an epoch, and none could follow the highest there is. */
    private boolean isTooHigh(EpochMark mark) {
        return mark.isTooHighAfter(world.nextStage().epoch());
    }

    private FabricVerdict.Newer alone(String device, DriverState driver) {
        AgentMemory memory = java.util.Objects.requireNonNull(driver.agents().get(device));
        EpochMark mark = memory.strange().get(intent.role());
        return new FabricVerdict.Newer(
                "the agent of " + device + " alone "
                        + (isStrange(memory)
                                ? "tells of " + mark + ", which this installation never gave"
                                : "remembers revision " + memory.revisions().get(intent.role())
                                        + " of the records, which are of revision " + lineage.revision() + " here")
                        + ": this node is left as it is, and all others are cared for. Look who controls the node"
                        + " (docs/security.md, \"Agents on nodes\"). If it is yours, remove /var/lib/lightpath-agent"
                        + " there and restart its agent",
                0,
                false);
    }

    /** That of the driver; of agents, what as many of them as are needed tell, or the only one in doubt. */
    private Optional<EpochMark> strange(DriverState driver) {
        if (driver.agents().isEmpty()) {
            return Optional.ofNullable(driver.strange().get(intent.role()));
        }
        List<EpochMark> marks = new ArrayList<>();
        driver.agents().values().stream()
                .filter(this::isStrange)
                .forEach(memory ->
                        Optional.ofNullable(memory.strange().get(intent.role())).ifPresent(marks::add));
        marks.sort(Comparator.comparingLong(EpochMark::epoch).reversed());
        return marks.isEmpty() ? Optional.empty() : Optional.of(marks.get(Math.min(marks.size(), WITNESSES) - 1));
    }

    /** The same of revisions; 0 where none is remembered. */
    private long remembered(DriverState driver) {
        if (driver.agents().isEmpty()) {
            return driver.revisions().getOrDefault(intent.role(), 0L);
        }
        List<Long> revisions = driver.agents().values().stream()
                .filter(this::isLater)
                .map(memory -> memory.revisions().getOrDefault(intent.role(), 0L))
                .sorted(Comparator.reverseOrder())
                .toList();
        boolean several = doubted(driver).size() >= WITNESSES;
        return revisions.isEmpty() || !several ? 0 : revisions.get(Math.min(revisions.size(), WITNESSES) - 1);
    }

    /** 0 when devices remember none that is above that of the records. */
    private long newerRevision() {
        long remembered = lineage.newer();
        for (String driver : intent.drivers()) {
            remembered = Math.max(remembered, remembered(world.driver(driver)));
        }
        if (!isNews(remembered)) {
            return 0;
        }
        boolean found = remembered == lineage.newer() || remembered > world.ledgerRevision(intent);
        return found ? remembered : 0;
    }

    private Optional<FabricVerdict.Newer> newer(long revision, String why) {
        return Optional.of(new FabricVerdict.Newer(why + "; no light is moved. " + accept(), revision, true));
    }

    private String accept() {
        return "When no other operator writes: kubectl lightpath accept-devices fabric/" + intent.name();
    }
}
