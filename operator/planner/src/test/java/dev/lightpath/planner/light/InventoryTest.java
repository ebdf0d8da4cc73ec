package dev.lightpath.planner.light;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.light.Inventory.Make;
import dev.lightpath.planner.light.Inventory.Side;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class InventoryTest {
    private static Inventory twoSided(int perSide) {
        SortedMap<String, Side> ports = new TreeMap<>();
        for (int port = 1; port <= perSide; port++) {
            ports.put(Integer.toString(port), Side.INGRESS);
            ports.put(Integer.toString(perSide + port), Side.EGRESS);
        }
        return new Inventory(Make.unnamed(), ports, new TreeMap<>());
    }

    @Test
    void makesACircuitFromOneSideToTheOther() {
        assertThat(twoSided(160).refusal(new Circuit("1", "161"))).isEmpty();
        assertThat(twoSided(160).refusal(new Circuit("160", "320"))).isEmpty();
    }

    @Test
    void namesThePortThatIsNotThereAndThosePortsThatAre() {
        assertThat(twoSided(160).refusal(new Circuit("1", "321")))
                .contains("there is no port 321; its 320 ports are 1 to 320");
        assertThat(twoSided(160).refusal(new Circuit("0", "161")).orElseThrow()).contains("no port 0");
    }

    @Test
    void namesTheSideThatForbidsACircuit() {
        assertThat(twoSided(160).refusal(new Circuit("161", "162")).orElseThrow())
                .contains("port 161 begins no circuit", "1 to 160");
        assertThat(twoSided(160).refusal(new Circuit("1", "2")).orElseThrow())
                .contains("port 2 ends no circuit", "161 to 320");
    }

    @Test
    void anyTwoPortsOfAnAnyToAnyDeviceMeetButNoneMeetsItself() {
        Inventory any =
                new Inventory(Make.unnamed(), new TreeMap<>(Map.of("a", Side.BOTH, "b", Side.BOTH)), new TreeMap<>());
        assertThat(any.refusal(new Circuit("a", "b"))).isEmpty();
        assertThat(any.refusal(new Circuit("b", "a"))).isEmpty();
        assertThat(any.refusal(new Circuit("a", "a"))).contains("port a cannot be joined to itself");
    }

    @Test
    void aTransceiverIsSwitchedToPathsOfItsOwnModuleOnly() {
        Inventory transceivers = new Inventory(
                Make.unnamed(),
                new TreeMap<>(Map.of("b0.common", Side.COMMON, "b0.loop", Side.LOOP, "b1.path1", Side.LINE)),
                new TreeMap<>(Map.of("b0.common", new TreeSet<>(Set.of("b0.loop")))));
        assertThat(transceivers.refusal(new Circuit("b0.common", "b0.loop"))).isEmpty();
        assertThat(transceivers.refusal(new Circuit("b0.common", "b1.path1")))
                .contains("port b0.common cannot be switched to b1.path1, only to b0.loop");
        assertThat(transceivers.refusal(new Circuit("b0.loop", "b0.common")).orElseThrow())
                .contains("it is the loop of its module", "b0.common");
    }

    @Test
    void aDriverThatDoesNotSayTheSideForbidsNothing() {
        Inventory silent = new Inventory(
                Make.unnamed(), new TreeMap<>(Map.of("1", Side.UNKNOWN, "2", Side.UNKNOWN)), new TreeMap<>());
        assertThat(silent.refusal(new Circuit("2", "1"))).isEmpty();
    }
}
