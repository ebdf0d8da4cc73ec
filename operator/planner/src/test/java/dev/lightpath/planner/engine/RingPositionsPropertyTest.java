package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.allocation.RingPositions;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.PortLight;
import dev.lightpath.planner.ring.BundleState;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingShape;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.FabricPolicy;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.RingNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Nodes come, go and move, devices change and vanish: who goes on from the pass before sees what one sees who looks
 * anew.
 */
class RingPositionsPropertyTest {
    private static final int POSITIONS = 24;

    /** Objects stay the same as long as nothing changes of them, as in the operator. */
    private static final class Changing {
        private final Random random;
        private final SortedMap<Integer, RingNode> nodes = new TreeMap<>();
        private final SortedMap<String, DeviceState> devices = new TreeMap<>();
        private int positions = POSITIONS;
        private RingIntent intent;

        Changing(long seed) {
            random = new Random(seed);
            devices.putAll(device(ToyRing.of(POSITIONS, 2)));
            for (int position = 0; position < POSITIONS; position++) {
                nodes.put(position, node("n" + position, position));
            }
            intent = described();
        }

        private static SortedMap<String, DeviceState> device(ToyRing ring) {
            return ring.world().driver(ToyRing.DRIVER).devices();
        }

        private static RingNode node(String name, int position) {
            return new RingNode(name, position, List.of(), true, false);
        }

        private RingIntent described() {
            return new RingIntent(
                    "ring-a",
                    RingFabric.of(RingShape.RING, positions, 2, 4),
                    ToyRing.DRIVER,
                    "role",
                    nodes.headMap(positions),
                    new TreeMap<>(),
                    FabricPolicy.standard(),
                    false,
                    Optional.empty(),
                    false);
        }

        DriverState driver() {
            return new DriverState(DriverState.Contact.SYNCED, Optional.empty(), "d", "1", 1, devices);
        }

        void happen() {
            int position = random.nextInt(POSITIONS);
            String name = "n" + random.nextInt(POSITIONS + 2);
            switch (random.nextInt(8)) {
                case 0 -> {
                    nodes.remove(position);
                    intent = described();
                }
                case 1 -> {
                    nodes.values().removeIf(node -> node.name().equals(name));
                    nodes.put(position, node(name, position));
                    intent = described();
                }
                case 2 -> {
                    nodes.computeIfPresent(
                            position, (at, node) -> new RingNode(node.name(), at, List.of(), false, false));
                    intent = described();
                }
                case 3 -> devices.remove(name);
                case 4 -> put(name, ring -> ring.silent.add(name));
                case 5 -> put(name, ring -> {});
                case 6 ->
                    put(name, ring -> {
                        if (random.nextBoolean()) {
                            ring.failedPorts.put(name, new TreeMap<>(Map.of("b0.path1", "PortFailed")));
                        } else {
                            Objects.requireNonNull(ring.bundles.get(name))[1] = BundleState.PATH_1;
                            ring.deaf.add(name);
                        }
                    });
                case 7 -> {
                    positions = POSITIONS - random.nextInt(3);
                    intent = described();
                }
                default -> throw new IllegalStateException();
            }
        }

        private void put(String name, Consumer<ToyRing> how) {
            ToyRing ring = ToyRing.of(POSITIONS + 2, 2);
            how.accept(ring);
            devices.put(name, Objects.requireNonNull(device(ring).get(name)));
        }
    }

    @Test
    void whoRemembersSeesWhatOneSeesWhoDoesNot() {
        int kept = 0;
        for (long seed = 1; seed <= 30; seed++) {
            Changing world = new Changing(seed);
            RingPositions before = RingPositions.of(world.intent, world.driver(), Optional.empty());
            for (int event = 0; event < 60; event++) {
                String where = "seed " + seed + ", event " + event;
                for (int changes = world.random.nextInt(3); changes > 0; changes--) {
                    world.happen();
                }
                RingPositions known = RingPositions.of(world.intent, world.driver(), Optional.of(before));
                RingPositions anew = RingPositions.of(world.intent, world.driver(), Optional.empty());
                for (int position = 0; position < anew.size(); position++) {
                    assertThat(known.at(position)).as(where).isEqualTo(anew.at(position));
                }
                assertThat(known.byName()).as(where).isEqualTo(anew.byName());
                check(world, known, where);
                kept += keptSites(before, known);
                before = known;
            }
        }
        assertThat(kept).as("positions that are the same object").isPositive();
    }

    private static void check(Changing world, RingPositions positions, String where) {
        assertThat(positions.size()).as(where).isEqualTo(world.positions);
        for (int position = 0; position < world.positions; position++) {
            RingNode node = world.nodes.get(position);
            RingPositions.NodeAt there = positions.at(position);
            if (node == null) {
                assertThat(there).as("%s, position %d", where, position).isNull();
                continue;
            }
            DeviceState device = world.devices.get(node.name());
            assertThat(there).as("%s, position %d", where, position).isNotNull();
            assertThat(Objects.requireNonNull(there).node()).as(where).isEqualTo(node);
            assertThat(there.device()).as("%s, %s", where, node.name()).isSameAs(device);
            assertThat(there.calm())
                    .as("%s, %s", where, node.name())
                    .isEqualTo(device != null
                            && device.present()
                            && device.failedPorts().isEmpty()
                            && device.light().values().stream()
                                    .noneMatch(light -> light.lock() == PortLight.Lock.NO_LIGHT));
        }
        List<String> names = new ArrayList<>(world.devices.keySet());
        names.add("stranger");
        for (String name : names) {
            int sits = world.intent.nodes().values().stream()
                    .filter(node -> node.name().equals(name))
                    .map(RingNode::position)
                    .findFirst()
                    .orElse(RingPositions.NOWHERE);
            assertThat(positions.positionOf(name)).as("%s, %s", where, name).isEqualTo(sits);
            assertThat(positions.device(name)).as("%s, %s", where, name).isSameAs(world.devices.get(name));
            for (int recorded : new int[] {0, 7, POSITIONS - 1, POSITIONS + 5}) {
                assertThat(positions.positionOf(new Allocation.Member(name, recorded)))
                        .as("%s, %s recorded at %d", where, name, recorded)
                        .isEqualTo(sits);
            }
        }
    }

    private static int keptSites(RingPositions before, RingPositions after) {
        int kept = 0;
        for (int position = 0; position < Math.min(before.size(), after.size()); position++) {
            if (before.at(position) != null && before.at(position) == after.at(position)) {
                kept++;
            }
        }
        return kept;
    }
}
