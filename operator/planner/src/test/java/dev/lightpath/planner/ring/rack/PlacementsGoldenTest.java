package dev.lightpath.planner.ring.rack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lightpath.planner.ring.FaultDraw;
import dev.lightpath.planner.ring.RingDemand;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingHealth;
import dev.lightpath.planner.ring.RingShape;
import dev.lightpath.planner.ring.placement.RingOrchestration;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PlacementsGoldenTest {

    private static final Pattern HEADER = Pattern.compile("GOLD GPUs=(\\d+) R=(\\d+) p=(\\d+) d=(\\d+) K=(\\d+)"
            + " seed=(\\d+) f=([\\d.]+) faulty=(\\d+) first faulty: (.*)");
    private static final Pattern SCALE =
            Pattern.compile("\\s+J=([\\d.]+) G=(\\d+) nc=(\\d+) X=([\\d.]+) DPclass(?:-opt X=([\\d.]+)| infeasible)");

    private record Case(RingFabric fabric, SortedSet<Integer> faulty, List<String> lines) {}

    private static List<Case> cases() throws IOException {
        List<String> all;
        try (var in = PlacementsGoldenTest.class.getResourceAsStream("/golden/ring/placements.txt")) {
            all = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
        return IntStream.range(0, all.size())
                .filter(at -> all.get(at).startsWith("GOLD"))
                .mapToObj(at -> {
                    Matcher header = HEADER.matcher(all.get(at));
                    assertThat(header.matches()).isTrue();
                    int gpus = Integer.parseInt(header.group(2));
                    RingFabric fabric = new RingFabric(
                            RingShape.LINE,
                            Integer.parseInt(header.group(1)) / gpus,
                            Integer.parseInt(header.group(5)),
                            gpus,
                            Integer.parseInt(header.group(3)),
                            Integer.parseInt(header.group(4)));
                    SortedSet<Integer> faulty = FaultDraw.networkNumbers(
                            fabric.positions(), Double.parseDouble(header.group(7)), Long.parseLong(header.group(6)));
                    assertThat(faulty).hasSize(Integer.parseInt(header.group(8)));
                    assertThat(faulty.stream().limit(6).map(String::valueOf).collect(Collectors.joining(" ")))
                            .isEqualTo(header.group(9));
                    return new Case(fabric, faulty, all.subList(at + 1, at + 5));
                })
                .toList();
    }

    private static RingHealth health(Case golden) {
        return RingHealth.faulty(
                golden.faulty().stream().map(golden.fabric()::positionOf).collect(Collectors.toSet()));
    }

    @Test
    void usableGpusInNaturalOrderAreThoseOfTheReference() throws IOException {
        for (Case golden : cases()) {
            for (RingShape shape : RingShape.values()) {
                RingFabric natural = RingFabric.of(
                        shape,
                        golden.fabric().positions(),
                        golden.fabric().reach(),
                        golden.fabric().gpusPerNode());
                String usable = IntStream.of(8, 16, 32, 64)
                        .map(tensor -> tensor
                                * RingOrchestration.usableGroups(
                                        natural, RingHealth.faulty(golden.faulty()), tensor, Set.of()))
                        .mapToObj(String::valueOf)
                        .collect(Collectors.joining(" "));
                String before = shape == RingShape.LINE ? "TP8/16/32/64: " : "  ring: ";
                assertThat(golden.lines().getFirst()).contains(before + usable + "  ");
            }
        }
    }

    @Test
    void countsUnderEveryNumberOfConstraintsAreThoseOfTheReference() throws IOException {
        for (Case golden : cases()) {
            FatTree tree = new FatTree(
                    golden.fabric(),
                    RackOrchestration.usable(golden.fabric(), health(golden), Set.of()),
                    32 / golden.fabric().gpusPerNode());
            String counts = IntStream.rangeClosed(0, tree.mostConstraints())
                    .map(tree::count)
                    .mapToObj(String::valueOf)
                    .collect(Collectors.joining(" "));
            assertThat(golden.lines().get(1))
                    .isEqualTo("  |placement(nc)| nc=0..%d: %s", tree.mostConstraints(), counts);
            for (int constraints = 0; constraints <= tree.mostConstraints(); constraints++) {
                assertThat(tree.groups(constraints)).hasSize(tree.count(constraints));
            }
        }
    }

    @Test
    void crossTorTrafficIsThatOfTheReferenceAndTheOptimumIsReached() throws IOException {
        int scales = 0;
        for (Case golden : cases()) {
            for (String line : golden.lines().subList(2, 4)) {
                Matcher scale = SCALE.matcher(line);
                assertThat(scale.matches()).as(line).isTrue();
                scales++;
                RingDemand demand = new RingDemand(32, Integer.parseInt(scale.group(2)));
                var paper = (RackOutcome.Placed)
                        RackOrchestration.place(golden.fabric(), health(golden), demand, Set.of(), RackAlgorithm.PAPER);
                assertThat(paper.constraints()).isEqualTo(Integer.parseInt(scale.group(3)));
                assertThat(paper.crossTorRatio()).isCloseTo(Double.parseDouble(scale.group(4)), within(5e-7));
                var exact = (RackOutcome.Placed)
                        RackOrchestration.place(golden.fabric(), health(golden), demand, Set.of(), RackAlgorithm.EXACT);
                assertThat(exact.placement().groups()).hasSize(demand.groups());
                if (scale.group(5) == null) {
                    assertThat(exact.crossTorRatio()).isLessThan(paper.crossTorRatio());
                } else {
                    assertThat(exact.crossTorRatio()).isLessThanOrEqualTo(Double.parseDouble(scale.group(5)) + 5e-7);
                }
            }
        }
        assertThat(scales).isEqualTo(4);
    }
}
