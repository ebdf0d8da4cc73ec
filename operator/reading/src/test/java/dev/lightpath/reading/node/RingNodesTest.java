package dev.lightpath.reading.node;

import static dev.lightpath.reading.Cases.node;
import static dev.lightpath.reading.Cases.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.reading.Cases;
import dev.lightpath.reading.RingIntentReader;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * What is remembered of nodes against a reader that remembers nothing, while nodes and the fabric's description change.
 */
final class RingNodesTest {
    private static final int POSITIONS = 12;

    private final RingIntentReader reader = new RingIntentReader("uid-1");

    @Test
    void readsLikeOneWhoRemembersNothing() {
        for (long seed = 1; seed <= 60; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            RingNodes remembered = new RingNodes();
            List<Node> nodes = new ArrayList<>();
            OpticalFabric fabric = fabric(random);
            for (int step = 0; step < 40; step++) {
                List<Node> before = List.copyOf(nodes);
                fabric = change(random, nodes, fabric);
                remembered.changed(different(before, nodes));
                Map<String, Set<String>> busy =
                        random.nextInt(4) == 0 ? Map.of(Cases.GPU, Set.of("n" + random.nextInt(POSITIONS))) : Map.of();
                assertThat(reader.read(fabric, List.copyOf(nodes), busy, remembered))
                        .as("seed %d, step %d", seed, step)
                        .isEqualTo(reader.read(fabric, List.copyOf(nodes), busy));
            }
        }
    }

    @Test
    void looksAgainOnlyAtWhatItIsToldOf() {
        OpticalFabric fabric = fabric(new SplittableRandom(1));
        Node well = member(fabric);
        Node faulty = annotated(well, LightpathAnnotations.FAULTY, "test");
        RingNodes remembered = new RingNodes();
        var first = reader.read(fabric, List.of(well), Map.of(), remembered).orElseThrow();

        assertThat(reader.read(fabric, List.of(faulty), Map.of(), remembered)).contains(first);
        remembered.changed(Map.of("n1", Optional.of(faulty)));
        assertThat(reader.read(fabric, List.of(faulty), Map.of(), remembered)
                        .orElseThrow()
                        .nodes()
                        .get(1)
                        .signals())
                .hasSize(first.nodes().get(1).signals().size() + 1);
    }

    private static Node member(OpticalFabric fabric) {
        return node("n1", 1)
                .editMetadata()
                .addToLabels("ring", selected(fabric))
                .endMetadata()
                .build();
    }

    private static String selected(OpticalFabric fabric) {
        return fabric.getSpec().ocsTrx().nodeSelector().getMatchLabels().get("ring");
    }

    /** What a watch tells of. */
    private static Map<String, Optional<Node>> different(List<Node> before, List<Node> now) {
        Map<String, Optional<Node>> different = new HashMap<>();
        before.stream()
                .filter(node -> now.stream().noneMatch(other -> other == node))
                .forEach(node -> different.put(node.getMetadata().getName(), Optional.empty()));
        now.stream()
                .filter(node -> before.stream().noneMatch(other -> other == node))
                .forEach(node -> different.put(node.getMetadata().getName(), Optional.of(node)));
        return different;
    }

    /** Of ten thousand nodes one fails, and its repair waits for this. */
    @Test
    void othersAreNotGoneThroughWhileNoneComesGoesOrMoves() {
        OpticalFabric fabric = fabric(new SplittableRandom(1));
        Node well = member(fabric);
        RingNodes remembered = new RingNodes();
        var first = reader.read(fabric, List.of(well), Map.of(), remembered).orElseThrow();
        Node faulty = annotated(well, LightpathAnnotations.FAULTY, "test");
        remembered.changed(Map.of("n1", Optional.of(faulty)));
        Collection<Node> unread = new AbstractList<>() {
            @Override
            public Node get(int index) {
                throw new AssertionError("nodes are gone through");
            }

            @Override
            public int size() {
                return 1;
            }
        };
        assertThat(reader.read(fabric, unread, Map.of(), remembered)
                        .orElseThrow()
                        .nodes())
                .isNotEqualTo(first.nodes());
    }

    private static OpticalFabric change(SplittableRandom random, List<Node> nodes, OpticalFabric fabric) {
        int at = nodes.isEmpty() ? -1 : random.nextInt(nodes.size());
        switch (random.nextInt(at < 0 ? 1 : 7)) {
            case 0 -> {
                String name = "n" + random.nextInt(POSITIONS);
                nodes.removeIf(node -> node.getMetadata().getName().equals(name));
                Node node = node(name, random.nextInt(POSITIONS)).build();
                if (random.nextInt(5) == 0) {
                    node.getMetadata().getLabels().put("lightpath.dev/ring-position", "x");
                }
                nodes.add(node);
            }
            case 1 -> nodes.remove(at);
            case 2 -> nodes.set(at, annotated(nodes.get(at), LightpathAnnotations.FAULTY, "test"));
            case 3 -> nodes.set(at, annotated(nodes.get(at), LightpathAnnotations.CLEAR_FAULT, "2026-01-02T03:04:05Z"));
            case 4 ->
                nodes.set(
                        at,
                        new NodeBuilder(nodes.get(at))
                                .editMetadata()
                                .addToLabels("ring", random.nextBoolean() ? "a" : "b")
                                .addToLabels("rack", "r" + random.nextInt(3))
                                .endMetadata()
                                .build());
            case 5 ->
                nodes.set(
                        at,
                        new NodeBuilder(nodes.get(at))
                                .editOrNewSpec()
                                .withUnschedulable(random.nextBoolean())
                                .endSpec()
                                .build());
            default -> {
                return fabric(random);
            }
        }
        return fabric;
    }

    private static Node annotated(Node node, String key, String value) {
        return new NodeBuilder(node)
                .editMetadata()
                .addToAnnotations(key, value)
                .endMetadata()
                .build();
    }

    private static OpticalFabric fabric(SplittableRandom random) {
        return yaml(OpticalFabric.class, """
                apiVersion: lightpath.dev/v1alpha1
                kind: OpticalFabric
                metadata: {name: ring-a}
                spec:
                  ocsTrx:
                    shape: Line
                    reach: 3
                    gpusPerNode: %d
                    nodesPerTor: 2
                    torLabel: rack
                    nodeSelector: {matchLabels: {ring: %s}}
                    driver: {endpoint: "driver:9440"}
                  policy: {faults: {holdMillis: %d}}
                """.formatted(
                        4 + 4 * random.nextInt(2), random.nextBoolean() ? "a" : "b", random.nextInt(500)));
    }
}
