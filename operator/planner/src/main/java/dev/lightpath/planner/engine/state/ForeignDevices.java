package dev.lightpath.planner.engine.state;

import dev.lightpath.planner.light.DeviceId;
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
 * Devices that another role holds although records have light on them. Only an administrator of the driver gives a
 * device away: the fabric was handed over to another cluster, or its records were restored in a new one that has not
 * got the devices yet. Their light is no fault, and is not moved away from them.
 */
final class ForeignDevices {
    private static final int MOST_NAMED = 5;

    private final World world;
    private final FabricIntent intent;
    private @Nullable SortedSet<String> lit;

    ForeignDevices(World world, FabricIntent intent) {
        this.world = world;
        this.intent = intent;
    }

    /** Whether another role holds the device of this node or switch, and a record has light on it. */
    boolean isLit(String name) {
        return lit().contains(name);
    }

    /** By the names of nodes and switches. O(drivers) when another role holds none, else O(records), once. */
    private SortedSet<String> lit() {
        SortedSet<String> known = lit;
        if (known == null) {
            known = find();
            lit = known;
        }
        return known;
    }

    private SortedSet<String> find() {
        SortedSet<String> held = new TreeSet<>();
        if (intent.drivers().stream()
                .allMatch(driver -> world.driver(driver).foreign().isEmpty())) {
            return held;
        }
        world.slices().values().stream()
                .filter(slice -> slice.fabric().equals(intent.name()))
                .flatMap(slice -> world.allocation(slice.id()).stream())
                .forEach(allocation ->
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
        SortedSet<String> held = lit();
        return held.isEmpty() || held.size() == 1 && isOfAgent(held.first())
                ? Optional.empty()
                : Optional.of(
                        "another role than " + intent.role() + " holds " + held.size() + " devices with light of jobs ("
                                + Words.first(MOST_NAMED, List.copyOf(held))
                                + "): no light is moved until an administrator of the driver gives them to this one. Who holds"
                                + " them: kubectl lightpath driver transfer fabric/" + intent.name());
    }
}
