package dev.lightpath.app.publish.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.fabric.OpticalFabricStatus;
import dev.lightpath.crds.opticalswitch.OpticalSwitchStatus;
import dev.lightpath.crds.opticalswitch.PortCounts;
import dev.lightpath.crds.opticalswitch.Sides;
import dev.lightpath.crds.opticalswitch.SwitchDevice;
import dev.lightpath.planner.discovery.DiscoveryRequest;
import dev.lightpath.planner.engine.FabricEngine;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.fault.RecordedFaults;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.CrossConnects;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.Inventory;
import dev.lightpath.planner.light.StageId;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.FabricPolicy;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.OcsPod;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.OcsTopology;
import dev.lightpath.planner.world.World;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What a fabric of switches and its switches say of themselves. */
class OcsStatusTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final List<Circuit> lit = new ArrayList<>();
    private OcsTopology topology = new OcsTopology.Logical();
    private DriverState.Contact contact = DriverState.Contact.SYNCED;
    private Optional<String> silence = Optional.empty();
    private DeviceState.Presence presence = DeviceState.Presence.PRESENT;
    private Optional<Inventory> inventory = Optional.empty();
    private final SortedMap<String, DiscoveryRequest> asked = new TreeMap<>();
    private boolean paused;
    private boolean drained;
    private String podOfSecond = "b";
    /** Switches that answer and lead nowhere. */
    private final List<String> others = new ArrayList<>();

    private Outcome outcome() {
        OcsSwitch of = new OcsSwitch(
                "ocs-1",
                new DeviceId("driver:1", "device-1"),
                DeviceKind.ANY_TO_ANY,
                OptionalInt.of(0),
                List.of(new OcsSwitch.Wire("1", "1", "a", 0), new OcsSwitch.Wire("2", "2", podOfSecond, 0)),
                new TreeSet<>(),
                drained);
        SortedMap<String, OcsSwitch> switches = new TreeMap<>(Map.of("ocs-1", of));
        SortedMap<String, DeviceState> devices = new TreeMap<>();
        for (String other : others) {
            switches.put(
                    other,
                    new OcsSwitch(
                            other,
                            new DeviceId("driver:1", other),
                            DeviceKind.ANY_TO_ANY,
                            OptionalInt.empty(),
                            List.of(),
                            new TreeSet<>(),
                            false));
            devices.put(other, device(DeviceState.Presence.PRESENT, List.of()));
        }
        OcsIntent intent = new OcsIntent(
                "spine",
                "cluster/spine",
                List.of(
                        new OcsPod("a", 0, 8, 0, new TreeMap<>(), true),
                        new OcsPod("b", 1, 8, 0, new TreeMap<>(), true)),
                switches,
                topology,
                FabricPolicy.standard(),
                paused,
                Optional.empty(),
                false,
                List.of(),
                new TreeSet<>(),
                RecordedFaults.none(),
                new TreeMap<>(),
                8,
                400,
                new TreeMap<>(asked));
        devices.put("device-1", device(presence, lit));
        DriverState driver = new DriverState(contact, Optional.empty(), "toy", "1", 1, devices);
        World world = World.atRest(
                NOW,
                new StageId(1, 1),
                new TreeMap<>(),
                new TreeMap<>(Map.of("spine", intent)),
                new TreeMap<>(),
                new TreeMap<>(),
                new TreeMap<>(Map.of("driver:1", driver)));
        Deliberation deliberation = FabricEngine.deliberate(world);
        return new Outcome(world, deliberation);
    }

    private DeviceState device(DeviceState.Presence is, List<Circuit> circuits) {
        return new DeviceState(
                is,
                new CrossConnects(circuits),
                new TreeSet<>(),
                "sha256:0",
                new TreeMap<>(),
                new TreeMap<>(),
                Optional.empty(),
                inventory,
                CrossConnects.none(),
                new TreeMap<>(),
                new TreeMap<>(),
                silence);
    }

    private String fabric(String type) {
        OpticalFabricStatus status = OcsStatusProjector.project(outcome(), "spine", null, 1, NOW);
        return said(status.conditions(), type);
    }

    private OpticalSwitchStatus device() {
        return SwitchStatusProjector.project("ocs-1", "spine", outcome(), null, 1, NOW);
    }

    private static String said(List<Condition> conditions, String type) {
        return conditions.stream()
                .filter(condition -> condition.getType().equals(type))
                .map(condition -> condition.getStatus() + " " + condition.getReason())
                .findFirst()
                .orElseThrow();
    }

    private static String message(List<Condition> conditions, String type) {
        return conditions.stream()
                .filter(condition -> condition.getType().equals(type))
                .map(Condition::getMessage)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aFabricWithoutATopologyOfItsOwnIsReadyWhenItsDriversAnswer() {
        assertThat(fabric("Ready")).isEqualTo("True Satisfied");
        assertThat(said(device().conditions(), "Ready")).isEqualTo("True Satisfied");
        contact = DriverState.Contact.UNREACHABLE;
        assertThat(fabric("Ready")).isEqualTo("False DriverUnreachable");
        assertThat(fabric("InSync")).isEqualTo("Unknown Unread");
        assertThat(said(device().conditions(), "Connected")).isEqualTo("False DriverUnreachable");
    }

    @Test
    void aFabricIsNotReadyWhileMostOfItsSwitchesDoNotAnswer() {
        presence = DeviceState.Presence.SILENT;
        OpticalFabricStatus status = OcsStatusProjector.project(outcome(), "spine", null, 1, NOW);
        assertThat(said(status.conditions(), "Ready")).isEqualTo("False DriverUnreachable");
        assertThat(message(status.conditions(), "Ready"))
                .isEqualTo("1 of 1 switch does not answer (ocs-1); the condition Connected of each says why");
        assertThat(said(status.conditions(), "Connected")).as("the driver does").isEqualTo("True Satisfied");
        others.add("ocs-2");
        assertThat(fabric("Ready")).isEqualTo("True Satisfied");
    }

    @Test
    void foreignLightIsToldOfBoth() {
        lit.add(new Circuit("1", "2"));
        assertThat(fabric("Ready")).isEqualTo("False AwaitingAdoption");
        assertThat(fabric("InSync")).isEqualTo("False ForeignCircuits");
        assertThat(said(device().conditions(), "InSync")).isEqualTo("False ForeignCircuits");
        assertThat(device().observed().foreign()).isEqualTo(1);
    }

    @Test
    void wiringThatCannotBeIsNamed() {
        topology = new OcsTopology.PolarFly(7, List.of());
        assertThat(fabric("Ready")).isEqualTo("False InvalidWiring");
        assertThat(fabric("Stalled")).isEqualTo("True InvalidWiring");
    }

    @Test
    void aWireToAPodThatIsNotThereIsToldAlikeByFabricAndSwitch() {
        podOfSecond = "x";
        String told = "switch ocs-1: port 2 is wired to pod x, and fabric spine has only a, b";
        assertThat(device().conditions())
                .filteredOn(condition -> condition.getType().equals("Ready"))
                .singleElement()
                .satisfies(condition -> {
                    assertThat(condition.getReason()).isEqualTo("InvalidWiring");
                    assertThat(condition.getMessage()).isEqualTo(told);
                });
        assertThat(OcsStatusProjector.project(outcome(), "spine", null, 1, NOW).conditions())
                .filteredOn(condition -> condition.getType().equals("Ready"))
                .singleElement()
                .satisfies(condition -> {
                    assertThat(condition.getReason()).isEqualTo("InvalidWiring");
                    assertThat(condition.getMessage()).contains(told);
                });
    }

    @Test
    void aPausedFabricIsNeitherReconcilingNorStalled() {
        paused = true;
        assertThat(fabric("Ready")).isEqualTo("False Paused");
        assertThat(fabric("Reconciling")).startsWith("False");
        assertThat(fabric("Stalled")).startsWith("False");
    }

    private List<String> happens(OpticalSwitchStatus before) {
        return SwitchEvents.between(before, device()).stream()
                .map(happening -> happening.reason().word())
                .toList();
    }

    @Test
    void aSwitchTellsOfContactForeignLightAndItsBeingDrained() {
        assertThat(happens(null)).containsExactly("Connected");
        OpticalSwitchStatus there = device();
        assertThat(happens(there)).isEmpty();
        lit.add(new Circuit("1", "2"));
        assertThat(happens(there)).containsExactly("ForeignCircuit");
        OpticalSwitchStatus foreign = device();
        lit.clear();
        drained = true;
        assertThat(happens(foreign)).containsExactly("Drained");
        OpticalSwitchStatus empty = device();
        assertThat(happens(empty)).isEmpty();
        contact = DriverState.Contact.UNREACHABLE;
        assertThat(happens(empty)).containsExactly("Disconnected");
    }

    @Test
    void aSwitchTellsOfFailedPortsOnceForAll() {
        OpticalSwitchStatus sound = device();
        OpticalSwitchStatus failed = new OpticalSwitchStatus(
                sound.observedGeneration(),
                sound.conditions(),
                sound.device(),
                sound.observed(),
                new PortCounts(2, 0, 0, 2),
                sound.discovery());
        assertThat(SwitchEvents.between(sound, failed)).singleElement().satisfies(found -> {
            assertThat(found.reason().word()).isEqualTo("FaultDetected");
            assertThat(found.message()).contains("2 of 2", "2 more");
        });
        assertThat(SwitchEvents.between(failed, sound)).singleElement().satisfies(gone -> {
            assertThat(gone.reason().word()).isEqualTo("FaultCleared");
            assertThat(gone.warning()).isFalse();
        });
    }

    @Test
    void aSwitchDescribesItselfAndNamesPortsThatItDoesNotHave() {
        inventory = Optional.of(new Inventory(
                new Inventory.Make("acme", "m-320", "2.1"),
                new TreeMap<>(Map.of("1", Inventory.Side.BOTH, "3", Inventory.Side.BOTH)),
                new TreeMap<>()));
        assertThat(device().device().vendor()).isEqualTo("acme");
        assertThat(device().device().ports()).isEqualTo(2);
        assertThat(device().device().sides()).isEqualTo(Sides.ONE_SIDED);
        assertThat(said(device().conditions(), "Ready")).isEqualTo("False InvalidWiring");
        assertThat(device().conditions().stream()
                        .filter(condition -> condition.getType().equals("Ready"))
                        .findFirst()
                        .orElseThrow()
                        .getMessage())
                .contains("device device-1", "no port 2", "its 2 ports are 1, 3", "pod b is wired to it");
        assertThat(fabric("Ready")).isEqualTo("False InvalidWiring");
    }

    /** A later process reads there whose light it is. */
    @Test
    void aProbeIsWrittenBeforeItIsMadeAndWhatWasFoundStays() {
        assertThat(device().discovery()).isNull();
        inventory = Optional.of(new Inventory(
                Inventory.Make.unnamed(),
                new TreeMap<>(Map.of("1", Inventory.Side.BOTH, "2", Inventory.Side.BOTH)),
                new TreeMap<>()));
        asked.put("ocs-1", new DiscoveryRequest(Optional.of("now"), Optional.empty()));
        OpticalSwitchStatus told = device();
        assertThat(told.discovery().request()).isEqualTo("now");
        assertThat(told.discovery().ends()).isEqualTo(2);
        assertThat(told.discovery().probes()).containsExactly("1->2");
        assertThat(told.discovery().ended()).isFalse();
        asked.clear();
        assertThat(SwitchStatusProjector.project("ocs-1", "spine", outcome(), told, 1, NOW)
                        .discovery())
                .isEqualTo(told.discovery());
        assertThat(SwitchStatusProjector.project("ocs-1", "gone", outcome(), told, 1, NOW)
                        .discovery())
                .isEqualTo(told.discovery());
    }

    @Test
    void aSilentSwitchSaysSo() {
        presence = DeviceState.Presence.SILENT;
        assertThat(said(device().conditions(), "Connected")).isEqualTo("False DriverUnreachable");
        assertThat(said(device().conditions(), "InSync")).isEqualTo("Unknown Unread");
        assertThat(message(device().conditions(), "Connected"))
                .isEqualTo("device device-1 does not answer its driver, whose log says why");
        silence = Optional.of("the certificate has expired");
        assertThat(message(device().conditions(), "Connected"))
                .isEqualTo("device device-1 does not answer its driver: the certificate has expired");
    }

    @Test
    void aSwitchIsShownAsItDescribesItself() {
        assertThat(device().device()).isEqualTo(new SwitchDevice(null, null, null, Sides.ONE_SIDED, null));
        SortedMap<String, Inventory.Side> ports = new TreeMap<>();
        for (int port = 1; port <= 64; port++) {
            ports.put(Integer.toString(port), Inventory.Side.BOTH);
        }
        inventory = Optional.of(new Inventory(new Inventory.Make("Acme", "Mems-64", ""), ports, new TreeMap<>()));
        OpticalSwitchStatus told = device();
        assertThat(told.device()).isEqualTo(new SwitchDevice("Acme", "Mems-64", null, Sides.ONE_SIDED, 64));
        inventory = Optional.empty();
        assertThat(SwitchStatusProjector.project("ocs-1", "spine", outcome(), told, 1, NOW)
                        .device())
                .isEqualTo(told.device());
    }

    @Test
    void aSwitchSaysWhyItsFabricDoesNotCareForItUntilItDoes() {
        OpticalSwitchStatus missing = SwitchStatusProjector.project("ocs-1", "spine", Scenes.outcome(), null, 1, NOW);
        assertThat(said(missing.conditions(), "Ready")).isEqualTo("False FabricNotFound");
        assertThat(said(missing.conditions(), "Connected")).isEqualTo("Unknown FabricNotFound");
        assertThat(said(missing.conditions(), "Stalled"))
                .as("it may be on its way")
                .startsWith("False");
        assertThat(said(missing.conditions(), "Reconciling")).isEqualTo("True FabricNotFound");
        assertThat(message(missing.conditions(), "Ready"))
                .isEqualTo("spec.fabric: there is no OpticalFabric spine; create it or name another");

        OpticalSwitchStatus other = SwitchStatusProjector.project("ocs-1", "ring-a", Scenes.outcome(), null, 1, NOW);
        assertThat(said(other.conditions(), "Ready")).isEqualTo("False FabricKindMismatch");
        assertThat(said(other.conditions(), "Stalled")).isEqualTo("True FabricKindMismatch");
        assertThat(message(other.conditions(), "Ready")).contains("OpticalFabric ring-a has transceivers (ocsTrx)");

        World impossible = Scenes.leftAlone("positions 7 is no multiple of 2");
        OpticalSwitchStatus astray = SwitchStatusProjector.project(
                "ocs-1", "ring-a", new Outcome(impossible, FabricEngine.deliberate(impossible)), null, 1, NOW);
        assertThat(said(astray.conditions(), "Ready")).isEqualTo("False InvalidWiring");
        assertThat(message(astray.conditions(), "Ready")).contains("OpticalFabric ring-a: positions 7");

        OpticalSwitchStatus found = SwitchStatusProjector.project("ocs-1", "spine", outcome(), missing, 1, NOW);
        assertThat(said(found.conditions(), "Ready")).isEqualTo("True Satisfied");
        assertThat(said(found.conditions(), "Stalled")).isEqualTo("False Satisfied");
    }
}
