package dev.lightpath.planner.engine.state;

import dev.lightpath.planner.fault.Signal;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.memory.Lazy;
import dev.lightpath.planner.words.Words;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.FabricIntent;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.World;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which devices of a fabric are not there for us. One that another role holds although records have light on it is no
 * fault, because only an administrator of the driver gives a device away. The fabric was handed over to another
 * cluster, or its records were restored in a new one that has not got the devices yet. Light is not moved away from
 * them.
 */
final class DevicePresence {
    private static final int MOST_NAMED = 5;

    private final World world;
    private final FabricIntent intent;
    /** By the names of nodes and switches. O(drivers) when another role holds none, else O(records). */
    private final Lazy<SortedSet<String>> lit = new Lazy<>(this::find);

    DevicePresence(World world, FabricIntent intent) {
        this.world = world;
        this.intent = intent;
    }

    /**
     * What a device tells of itself as a whole and of its ports, if anything is wrong; nothing while its own driver is
     * away.
     *
     * @param name of the node or switch
     * @param device null if its driver does not tell of it
     */
    List<Signal> signals(String name, @Nullable DeviceState device) {
        if (device == null) {
            return List.of(signal(Subject.of(name, ""), "DeviceUnknown"));
        }
        return switch (device.presence()) {
            case SILENT -> List.of(signal(Subject.of(name, ""), "DeviceSilent"));
            case FOREIGN ->
                lit.get().contains(name) ? List.of() : List.of(signal(Subject.of(name, ""), "HeldByAnotherRole"));
            case AWAY -> List.of();
            case PRESENT ->
                device.failedPorts().entrySet().stream()
                        .map(port -> signal(Subject.of(name, port.getKey()), port.getValue()))
                        .toList();
        };
    }

    private Signal signal(Subject subject, String reason) {
        return new Signal(subject, reason, intent.policy().hold());
    }

    private SortedSet<String> find() {
        SortedSet<String> held = new TreeSet<>();
        if (intent.drivers().stream()
                .allMatch(driver -> world.driver(driver).foreign().isEmpty())) {
            return held;
        }
        world.forEachAllocation(
                intent,
                (slice, allocation) ->
                        lights(allocation).stream().filter(this::isForeign).forEach(held::add));
        return held;
    }

    /** Devices of which a record says that light is there, or may still be. */
    private Set<String> lights(Allocation allocation) {
        SortedSet<String> names = new TreeSet<>();
        switch (intent) {
            case RingIntent ring -> {
                names.addAll(allocation.nodes());
                names.addAll(allocation.releasing());
            }
            case OcsIntent switches -> {
                names.addAll(allocation.circuits().circuits().keySet());
                names.addAll(allocation.darkening().circuits().keySet());
            }
        }
        return names;
    }

    private boolean isOfAgent(String name) {
        return intent instanceof RingIntent ring
                && world.driver(ring.driver()).agents().containsKey(name);
    }

    private boolean isForeign(String name) {
        return switch (intent) {
            case RingIntent ring -> world.driver(ring.driver()).foreign().contains(name);
            case OcsIntent switches -> {
                OcsSwitch of = switches.switches().get(name);
                DeviceId device = of == null ? null : of.device();
                yield device != null && world.driver(device.driver()).foreign().contains(device.device());
            }
        };
    }

    /**
     * For people; empty when there is none. One agent alone says so of its own node, which is then left alone: it stops
     * no other.
     */
    Optional<String> told() {
        SortedSet<String> held = lit.get();
        return held.isEmpty() || held.size() == 1 && isOfAgent(held.first())
                ? Optional.empty()
                : Optional.of(
                        "another role than " + intent.role() + " holds " + held.size() + " devices with light of jobs ("
                                + Words.first(MOST_NAMED, List.copyOf(held))
                                + "): no light is moved until an administrator of the driver gives them to this one. Who holds"
                                + " them: kubectl lightpath driver transfer fabric/" + intent.name());
    }
}
