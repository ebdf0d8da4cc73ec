package dev.lightpath.planner.ocs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.discovery.FibreEnd;
import dev.lightpath.planner.discovery.Found;
import dev.lightpath.planner.discovery.Found.Evidence;
import dev.lightpath.planner.discovery.SwitchDiscovery;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.FarEnd;
import dev.lightpath.planner.light.Inventory;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.OcsSwitch.Wire;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class FoundWiringTest {
    private static final Instant NOW = Instant.parse("2026-11-28T12:00:00Z");
    private static final Set<String> PODS = Set.of("a", "b", "c");

    private final SortedMap<FibreEnd, Found> found = new TreeMap<>();
    private SortedMap<String, FarEnd> hints = new TreeMap<>();

    private static OcsSwitch twoSided(Wire... wires) {
        return new OcsSwitch(
                "ocs-0",
                new DeviceId("driver:1", "ocs-0"),
                DeviceKind.TWO_SIDED,
                OptionalInt.empty(),
                List.of(wires),
                new TreeSet<>(),
                false);
    }

    private static OcsSwitch written() {
        return twoSided(new Wire("1", "11", "a", 0), new Wire("2", "12", "b", 0));
    }

    private void leads(FibreEnd end, String device, String port) {
        found.put(end, Found.heard(new FarEnd(device, port), OptionalDouble.empty(), NOW));
    }

    private void silent(FibreEnd end, Evidence evidence) {
        found.put(end, Found.silent(evidence, OptionalDouble.empty(), NOW));
    }

    private void asWritten() {
        leads(FibreEnd.ingress("1"), "a", "1");
        leads(FibreEnd.egress("11"), "a", "1");
        leads(FibreEnd.ingress("2"), "b", "1");
        leads(FibreEnd.egress("12"), "b", "1");
    }

    private List<String> findings(OcsSwitch of) {
        SwitchDiscovery discovery =
                SwitchDiscovery.begun("now", new TreeSet<>()).and(found);
        Inventory inventory = new Inventory(Inventory.Make.unnamed(), new TreeMap<>(), new TreeMap<>(), hints);
        return FoundWiring.findings(of, PODS, discovery, Optional.of(inventory));
    }

    @Test
    void saysNothingWhereAllIsAsWritten() {
        asWritten();
        silent(FibreEnd.ingress("9"), Evidence.DARK);
        assertThat(findings(written())).isEmpty();
    }

    @Test
    void namesAWrongPodAndADeviceThatIsNone() {
        asWritten();
        leads(FibreEnd.ingress("1"), "c", "4");
        leads(FibreEnd.egress("12"), "spare", "1");
        assertThat(findings(written()))
                .containsExactly(
                        "wrong pod: ingress 1 leads to c/4, which is not pod a as written",
                        "wrong pod: egress 12 leads to spare/1, which is no pod of the fabric, not pod b as written");
    }

    @Test
    void namesEachCrossedPairOnce() {
        asWritten();
        leads(FibreEnd.egress("11"), "b", "1");
        leads(FibreEnd.egress("12"), "a", "1");
        assertThat(findings(written()))
                .containsExactly(
                        "crossed: egress 11 leads to b/1 and is written as pod a, egress 12 leads to a/1 and is written as"
                                + " pod b");
    }

    @Test
    void tellsADeadFibreFromOneThatIsNotThereByHints() {
        asWritten();
        silent(FibreEnd.egress("11"), Evidence.DARK);
        assertThat(findings(written()))
                .containsExactly("dead fibre or not wired: egress 11 is dark and written as pod a");
        hints = new TreeMap<>(Map.of("1", new FarEnd("a", "1")));
        assertThat(findings(written()))
                .containsExactly(
                        "not wired: egress 11 is dark and written as pod a, and the device knows of no fibre there");
        hints = new TreeMap<>(Map.of("11", new FarEnd("a", "1")));
        assertThat(findings(written()))
                .containsExactly("dead fibre: egress 11 is dark; its fibre leads to a/1, says the device");
        silent(FibreEnd.egress("11"), Evidence.UNHEARD);
        assertThat(findings(written())).singleElement().asString().startsWith("not heard: egress 11");
    }

    /** A two-sided device may name the far ends of its egress ports alone. */
    @Test
    void namesDarkEndsOfASwitchOfUnknownWiring() {
        asWritten();
        silent(FibreEnd.ingress("3"), Evidence.DARK);
        silent(FibreEnd.ingress("5"), Evidence.DARK);
        silent(FibreEnd.egress("13"), Evidence.DARK);
        silent(FibreEnd.egress("14"), Evidence.DARK);
        hints = new TreeMap<>(
                Map.of("11", new FarEnd("a", "1"), "12", new FarEnd("b", "1"), "13", new FarEnd("c", "1")));
        assertThat(findings(twoSided()))
                .as("of egress 14 the device knows that there is no fibre")
                .containsExactly(
                        "dead fibre: egress 13 is dark; its fibre leads to c/1, says the device",
                        "dead fibre or not wired: ingress 3, ingress 5 are dark, and nothing says where a fibre leads"
                                + " there");
        assertThat(findings(written())).as("what is written is whole").hasSize(1);
    }

    @Test
    void namesTheFirstOfManyDarkEnds() {
        asWritten();
        for (int port = 20; port < 40; port++) {
            silent(FibreEnd.ingress(Integer.toString(port)), Evidence.DARK);
        }
        assertThat(findings(twoSided()))
                .singleElement()
                .asString()
                .contains("ingress 20, ingress 21,")
                .contains("ingress 35 and 4 more are dark")
                .hasSizeLessThan(512);
    }

    @Test
    void namesWhatIsNotWritten() {
        asWritten();
        leads(FibreEnd.ingress("3"), "c", "1");
        leads(FibreEnd.egress("13"), "c", "1");
        leads(FibreEnd.ingress("4"), "spare", "1");
        assertThat(findings(written()))
                .containsExactly(
                        "not written: ingress 3 leads to c/1, and spec.wiring does not name it",
                        "no pod: ingress 4 leads to spare/1, and the fabric has no pod spare",
                        "not written: egress 13 leads to c/1, and spec.wiring does not name it");
        assertThat(findings(twoSided()))
                .as("of a switch of unknown wiring")
                .containsExactly("no pod: ingress 4 leads to spare/1, and the fabric has no pod spare");
    }

    @Test
    void namesFibresOfOnePortThatArePartedOrMissing() {
        asWritten();
        leads(FibreEnd.egress("11"), "a", "2");
        assertThat(findings(written()))
                .containsExactly(
                        "parted: ingress 1 leads to a/1 and egress 11 to a/2, and they are written as one port");
        assertThat(findings(twoSided()))
                .containsExactly(
                        "one way: a/1 was found at ingress 1 alone", "one way: a/2 was found at egress 11 alone");
    }

    /** Applied as it is written, a wire that is left out takes a pod its ports, and a job its light. */
    @Test
    void keepsWiresThatNothingWasFoundAgainst() {
        silent(FibreEnd.ingress("1"), Evidence.UNHEARD);
        silent(FibreEnd.egress("11"), Evidence.UNHEARD);
        leads(FibreEnd.ingress("2"), "a", "2");
        silent(FibreEnd.egress("12"), Evidence.UNHEARD);
        leads(FibreEnd.ingress("3"), "b", "1");
        silent(FibreEnd.ingress("4"), Evidence.DARK);
        leads(FibreEnd.ingress("5"), "a", "5");
        leads(FibreEnd.egress("15"), "a", "6");
        leads(FibreEnd.ingress("6"), "a", "7");
        OcsSwitch of = twoSided(
                new Wire("1", "11", "a", 0),
                new Wire("2", "12", "a", 1),
                new Wire("3", "13", "a", 2),
                new Wire("4", "14", "a", 3),
                new Wire("5", "15", "a", 4),
                new Wire("6", "16", "a", 5));
        assertThat(FoundWiring.wires(of, PODS, found))
                .as("3 leads elsewhere, 4 is dark, 5 and 15 are parted; the egress of 6 is in use")
                .containsExactly(new Wire("1", "11", "a", 0), new Wire("2", "12", "a", 1), new Wire("6", "16", "a", 2));
    }

    @Test
    void writesWiresInOrderOfTheFarEndsAndKeepsWhatIsInUse() {
        leads(FibreEnd.ingress("1"), "a", "10");
        leads(FibreEnd.egress("12"), "a", "10");
        leads(FibreEnd.ingress("2"), "a", "9");
        leads(FibreEnd.egress("11"), "a", "9");
        leads(FibreEnd.ingress("3"), "b", "1");
        silent(FibreEnd.egress("13"), Evidence.DARK);
        leads(FibreEnd.ingress("4"), "spare", "1");
        leads(FibreEnd.egress("14"), "spare", "1");
        OcsSwitch of = twoSided(new Wire("1", "11", "b", 0), new Wire("3", "13", "b", 1), new Wire("5", "15", "a", 7));
        assertThat(FoundWiring.wires(of, PODS, found))
                .containsExactly(new Wire("2", "11", "a", 0), new Wire("1", "12", "a", 1), new Wire("5", "15", "a", 2));
    }
}
