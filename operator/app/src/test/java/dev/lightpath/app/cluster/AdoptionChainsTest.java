package dev.lightpath.app.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.SliceId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class AdoptionChainsTest {
    @Test
    void recordsWithoutACommonNodeAreIndependent() {
        assertThat(AdoptionChains.of(List.of(entry("a", 1, "n1"), entry("b", 1, "n2")), Map.of()))
                .containsExactly(List.of(entry("a", 1, "n1")), List.of(entry("b", 1, "n2")));
    }

    @Test
    void theLoserOfANodeIsWrittenBeforeItsWinner() {
        var loser = entry("z", 2, "n1");
        var bystander = entry("m", 1, "n7");
        var winner = entry("a", 1, "n2");
        assertThat(AdoptionChains.of(List.of(loser, bystander, winner), Map.of(id("z"), seated(1, "n2"))))
                .containsExactly(List.of(bystander), List.of(loser, winner));
    }

    @Test
    void aNodeThatIsStillToBeReleasedCounts() {
        var releasing =
                new Decision.Adopt.Entry(id("z"), "1", new Allocation(2, List.of(), new TreeSet<>(List.of("n2"))));
        var winner = entry("a", 1, "n2");
        assertThat(AdoptionChains.of(List.of(releasing, winner), Map.of())).containsExactly(List.of(releasing, winner));
    }

    @Test
    void oneRecordCanJoinTwoChains() {
        var one = entry("a", 1, "n1");
        var two = entry("b", 1, "n2");
        var both = entry("c", 1, "n1", "n2");
        assertThat(AdoptionChains.of(List.of(one, two, both), Map.of())).containsExactly(List.of(one, two, both));
    }

    @Test
    void circuitsOfSwitchesMakeAllWaitForEachOther() {
        var ring = entry("a", 1, "n1");
        var spine = new Decision.Adopt.Entry(
                id("b"),
                "1",
                new Allocation(
                        1,
                        List.of(),
                        new TreeSet<>(),
                        Optional.empty(),
                        new SwitchedLight(
                                new TreeMap<>(Map.of("ocs-0", new TreeSet<>(List.of(new Circuit("1", "2")))))),
                        SwitchedLight.none()));
        var other = entry("c", 1, "n2");
        assertThat(AdoptionChains.of(List.of(ring, spine, other), Map.of()))
                .containsExactly(List.of(ring, spine, other));
    }

    private static Decision.Adopt.Entry entry(String name, long revision, String... nodes) {
        return new Decision.Adopt.Entry(id(name), "1", seated(revision, nodes));
    }

    private static Allocation seated(long revision, String... nodes) {
        List<Allocation.Member> members = List.of(nodes).stream()
                .map(node -> new Allocation.Member(node, 0))
                .toList();
        return new Allocation(revision, List.of(new Allocation.Group(members)), new TreeSet<>());
    }

    private static SliceId id(String name) {
        return new SliceId("default", name);
    }
}
