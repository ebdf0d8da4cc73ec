package dev.lightpath.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.lightpath.driver.adapter.AdapterListener;
import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.adapter.DeviceDescription;
import dev.lightpath.driver.adapter.DeviceReading;
import dev.lightpath.driver.adapter.DeviceSilentException;
import dev.lightpath.driver.adapter.Move;
import dev.lightpath.driver.adapter.MoveAnswer;
import dev.lightpath.driver.adapter.NativeCircuit;
import dev.lightpath.driver.cmis.NodeSession;
import dev.lightpath.driver.config.AdapterConfig;
import dev.lightpath.driver.config.ConfigException;
import dev.lightpath.driver.config.DriverConfig;
import dev.lightpath.driver.config.DriverConfigReader;
import dev.lightpath.driver.session.SessionAdapter;
import dev.lightpath.proto.driver.v1alpha1.Alarm;
import dev.lightpath.proto.driver.v1alpha1.Capabilities;
import dev.lightpath.proto.driver.v1alpha1.CircuitSource;
import dev.lightpath.proto.driver.v1alpha1.Environment;
import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import dev.lightpath.proto.driver.v1alpha1.LockState;
import dev.lightpath.proto.driver.v1alpha1.PortOperState;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import dev.lightpath.sim.core.Optics;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What modules with CMIS do that no switch does. */
final class CmisModulesTest implements AdapterListener {
    private static final Duration WITHIN = Duration.ofSeconds(30);

    private final Map<String, List<Alarm>> alarms = new ConcurrentHashMap<>();
    private final Map<String, List<NativeCircuit>> circuits = new ConcurrentHashMap<>();
    private final Map<String, PortStatus> ports = new ConcurrentHashMap<>();
    private final Map<String, String> silent = new ConcurrentHashMap<>();

    @TempDir
    private Path directory;

    private CmisPlant plant;
    private SessionAdapter adapter;

    private final List<LockState> seen = new CopyOnWriteArrayList<>();
    private final List<String> powerCycled = new CopyOnWriteArrayList<>();
    /** Each silence that was told. */
    private final List<String> silences = new CopyOnWriteArrayList<>();

    private final Map<String, List<DeviceDescription>> descriptions = new ConcurrentHashMap<>();

    private void start(String quirks) throws Exception {
        plant = new CmisPlant(quirks);
        drive();
    }

    private void drive() throws Exception {
        adapter = NodeSession.adapter((AdapterConfig.Cmis) plant.adapter(directory));
        adapter.start(this).join();
    }

    @AfterEach
    void stop() {
        if (adapter != null) {
            adapter.close();
            plant.close();
        }
    }

    private MoveAnswer select(String node, String bundle, String path) throws DeviceSilentException {
        return adapter.move(
                        node, List.of(new Move.Make(new CircuitPair(bundle + ".common", bundle + "." + path))), WITHIN)
                .getFirst();
    }

    private List<String> read(String node) throws DeviceSilentException {
        return adapter.read(node, CircuitSource.CIRCUIT_SOURCE_HARDWARE).stream()
                .map(circuit -> circuit.pair().toString())
                .toList();
    }

    @Test
    void bothEndsHearEachOtherByName() throws Exception {
        start("");
        assertThat(select("n1", "b1", "path1")).isInstanceOf(MoveAnswer.Accepted.class);
        String far = "n2";
        assertThat(select(far, "b0", "path1")).isInstanceOf(MoveAnswer.Accepted.class);
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            PortStatus here = ports.get("n1/b1.path1");
            assertThat(here.getLockState()).isEqualTo(LockState.LOCK_STATE_LOCKED);
            assertThat(here.getHeardNeighbour().getDeviceId() + "/"
                            + here.getHeardNeighbour().getPort())
                    .isEqualTo("n2/b0.path1");
            assertThat(here.getReceivePowerDbm()).isBetween(-6.0, 3.0);
            // the monitor of power has noise
            double expected = Optics.bitErrorRatio(here.getReceivePowerDbm());
            assertThat(here.getPreFecBitErrorRatio()).isBetween(expected / 2, expected * 2);
        });
    }

    @Test
    void aModuleWithoutSuchMonitorsTellsNoBitErrors() throws Exception {
        start("no-monitors");
        assertThat(select("n1", "b1", "path1")).isInstanceOf(MoveAnswer.Accepted.class);
        assertThat(select("n2", "b0", "path1")).isInstanceOf(MoveAnswer.Accepted.class);
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            PortStatus here = ports.get("n1/b1.path1");
            assertThat(here.getLockState()).isEqualTo(LockState.LOCK_STATE_LOCKED);
            assertThat(here.hasPreFecBitErrorRatio()).isFalse();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"slow-pages", "busy", "busy, slow-pages"})
    void slowModulesAreSwitchedOnce(String quirks) throws Exception {
        start(quirks);
        long before = plant.emulator.movesBegun();
        assertThat(select("n1", "b0", "path1")).isInstanceOf(MoveAnswer.Accepted.class);
        assertThat(select("n1", "b0", "path1")).as("it is there").isInstanceOf(MoveAnswer.Accepted.class);
        assertThat(read("n1")).containsExactly("b0.common->b0.path1", "b1.common->b1.loop");
        assertThat(plant.emulator.movesBegun() - before).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "no-vendor-pages|it has no page B0h in bank 0: it selected page 00h of bank 0",
                "other-type|it is a 'SOMEBODY' 'SR8', which is not of the type that"
            })
    void aModuleOfAnotherKindIsSilentWithOneLine(String quirk, String line) throws Exception {
        start(quirk);
        await().atMost(Duration.ofSeconds(60))
                .until(() -> silent.containsKey("n1") || alarms.containsKey("n1") || !quirk.isEmpty());
        assertThatThrownBy(() -> read("n1"))
                .isInstanceOf(DeviceSilentException.class)
                .hasMessageContaining(line);
    }

    @Test
    void aModuleThatIsPulledOutTakesItsPortsAndNoOthers() throws Exception {
        start("");
        long before = plant.emulator.movesBegun();
        plant.emulator.cmis("n1").pull(1, true);
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            assertThat(alarms.getOrDefault("n1", List.of()))
                    .extracting(Alarm::getWhere, Alarm::getNativeText)
                    .containsExactly(org.assertj.core.groups.Tuple.tuple("b1", "it does not acknowledge (NACK)"));
            assertThat(ports.get("n1/b1.path1").getOperState()).isEqualTo(PortOperState.PORT_OPER_STATE_FAILED);
        });
        assertThat(select("n1", "b0", "path1")).isInstanceOf(MoveAnswer.Accepted.class);
        assertThat(read("n1")).containsExactly("b0.common->b0.path1", "b1.common->b1.loop");

        plant.emulator.cmis("n1").pull(1, false);
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            assertThat(alarms.getOrDefault("n1", List.of())).isEmpty();
            assertThat(ports.get("n1/b1.path1").getOperState()).isEqualTo(PortOperState.PORT_OPER_STATE_OK);
        });
        assertThat(read("n1")).containsExactly("b0.common->b0.path1", "b1.common->b1.loop");
        assertThat(plant.emulator.movesBegun() - before).isEqualTo(1);
    }

    @Test
    void aModuleThatComesBackIsNoLossOfPower() throws Exception {
        plant = new CmisPlant("");
        plant.emulator.cmis("n1").pull(1, true);
        drive();
        assertThat(read("n1")).containsExactly("b0.common->b0.loop");
        plant.emulator.cmis("n1").pull(1, false);
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(ports.get("n1/b1.path1").getOperState())
                        .isEqualTo(PortOperState.PORT_OPER_STATE_OK));
        assertThat(powerCycled).isEmpty();
        assertThat(silences).as("of a node that answers").isEmpty();
        assertThat(descriptions.get("n1"))
                .extracting(each -> each.device().getSerial())
                .as("another number would be another device")
                .satisfiesExactly(
                        number -> assertThat(number).isEmpty(),
                        number -> assertThat(number).isNotEmpty());
    }

    @Test
    void nodesWithModulesOfTwoTypesHaveTwoNamesOfCapabilities() throws Exception {
        plant = new CmisPlant("");
        String slow = Files.readString(CmisPlant.TYPE).replace("settleMillis: 1000", "settleMillis: 5000");
        adapter = NodeSession.adapter(
                (AdapterConfig.Cmis) plant.adapter(directory, Files.writeString(directory.resolve("slow.yaml"), slow)));
        adapter.start(this).join();
        assertThat(capabilities("n0").getMaxSwitchTime())
                .isNotEqualTo(capabilities("n1").getMaxSwitchTime());
        assertThat(capabilitiesId("n0")).isNotEqualTo(capabilitiesId("n1"));
        assertThat(capabilities("n0")).isEqualTo(capabilities("n2"));
        assertThat(capabilitiesId("n0")).isEqualTo(capabilitiesId("n2"));
    }

    private Capabilities capabilities(String node) {
        return descriptions.get(node).getLast().capabilities();
    }

    private String capabilitiesId(String node) {
        return descriptions.get(node).getLast().device().getCapabilitiesId();
    }

    @Test
    void anotherModuleIsALossOfPowerAndNoSilence() throws Exception {
        start("");
        String before = descriptions.get("n1").getLast().device().getSerial();
        plant.replace();
        await().atMost(Duration.ofSeconds(60)).until(() -> powerCycled.contains("n1"));
        int told = seen.size();
        await().atMost(Duration.ofSeconds(60)).until(() -> seen.size() > told + 3);
        assertThat(descriptions.get("n1").getLast().device().getSerial()).isNotEqualTo(before);
        // a reading may have found the one of the two exchanged before the other
        assertThat(powerCycled).hasSizeBetween(1, 2).containsOnly("n1");
        assertThat(silences).isEmpty();
    }

    /** Whoever reads the others back after a move would else see it dark, before its ports are told failed. */
    @Test
    void theLightOfAModuleThatFallsSilentIsShownOn() throws Exception {
        start("");
        assertThat(select("n1", "b1", "path1")).isInstanceOf(MoveAnswer.Accepted.class);
        await().atMost(Duration.ofSeconds(60))
                .until(() -> circuits.getOrDefault("n1", List.of()).stream()
                        .anyMatch(circuit -> circuit.pair().equals(new CircuitPair("b1.common", "b1.path1"))));
        plant.emulator.cmis("n1").pull(1, true);
        assertThat(select("n1", "b0", "path2")).isInstanceOf(MoveAnswer.Accepted.class);
        assertThat(adapter.read("n1", CircuitSource.CIRCUIT_SOURCE_HARDWARE))
                .extracting(circuit -> circuit.pair() + " " + circuit.state())
                .containsExactly(
                        "b0.common->b0.path2 CIRCUIT_STATE_CONNECTED", "b1.common->b1.path1 CIRCUIT_STATE_FAILED");
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(ports.get("n1/b1.path1").getOperState())
                        .isEqualTo(PortOperState.PORT_OPER_STATE_FAILED));
        assertThat(circuits.get("n1"))
                .extracting(circuit -> circuit.pair() + "")
                .contains("b1.common->b1.path1");
    }

    /** What it is asked to do reaches no module: nothing is unknown. */
    @Test
    void aMoveOfAModuleThatIsPulledOutIsRefusedAndTheOthersMove() throws Exception {
        start("");
        plant.emulator.cmis("n1").pull(1, true);
        for (int round = 0; round < 2; round++) {
            String path = round == 0 ? "path1" : "path2";
            assertThat(adapter.move(
                            "n1",
                            List.of(
                                    new Move.Make(new CircuitPair("b1.common", "b1." + path)),
                                    new Move.Make(new CircuitPair("b0.common", "b0." + path))),
                            WITHIN))
                    .satisfiesExactly(
                            answer -> assertThat(answer)
                                    .isEqualTo(new MoveAnswer.Refused(
                                            ItemReason.ITEM_REASON_PORT_UNUSABLE, "it does not acknowledge (NACK)")),
                            answer -> assertThat(answer).isInstanceOf(MoveAnswer.Accepted.class));
            assertThat(read("n1")).containsExactly("b0.common->b0." + path, "b1.common->b1.loop");
        }
        assertThat(silences).isEmpty();
    }

    /**
     * The far end is dark. Each reading of its flags clears them, and the module sets them again when it looks next.
     */
    @Test
    void aPathWithoutLightIsDarkAtEachReading() throws Exception {
        start("late-flags");
        assertThat(select("n1", "b1", "path1")).isInstanceOf(MoveAnswer.Accepted.class);
        await().atMost(Duration.ofSeconds(60)).until(() -> seen.contains(LockState.LOCK_STATE_LOSS_OF_SIGNAL));
        int first = seen.indexOf(LockState.LOCK_STATE_LOSS_OF_SIGNAL);
        await().atMost(Duration.ofSeconds(60)).until(() -> seen.size() > first + 3);
        assertThat(seen.subList(first, first + 4)).containsOnly(LockState.LOCK_STATE_LOSS_OF_SIGNAL);
    }

    @Test
    void aModuleWithoutFlagsTellsNoLight() throws Exception {
        start("no-flags");
        assertThat(select("n1", "b1", "path1")).isInstanceOf(MoveAnswer.Accepted.class);
        assertThat(select("n2", "b0", "path1")).isInstanceOf(MoveAnswer.Accepted.class);
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() ->
                        assertThat(ports.get("n2/b0.path1").getLockState()).isEqualTo(LockState.LOCK_STATE_LOCKED));
        int now = seen.size();
        await().atMost(Duration.ofSeconds(60)).until(() -> seen.size() > now + 1);
        PortStatus here = ports.get("n1/b1.path1");
        assertThat(here.getLockState()).isEqualTo(LockState.LOCK_STATE_UNSPECIFIED);
        assertThat(here.hasHeardNeighbour()).isFalse();
        assertThat(here.hasReceivePowerDbm()).isFalse();
        assertThat(here.getOperState()).isEqualTo(PortOperState.PORT_OPER_STATE_OK);
    }

    /** What it is not told to write it must not write: byte 128 of page 10h takes lanes out of service. */
    @Test
    void anotherProgramThatSelectsPagesDisturbsNothing() throws Exception {
        start("second-program");
        long before = plant.emulator.movesBegun();
        assertThat(select("n1", "b0", "path1")).isInstanceOf(MoveAnswer.Accepted.class);
        assertThat(read("n1")).containsExactly("b0.common->b0.path1", "b1.common->b1.loop");
        assertThat(plant.truth()).containsExactly("b0.common->b0.path1", "b1.common->b1.loop");
        assertThat(plant.emulator.movesBegun() - before).isEqualTo(1);
    }

    @Test
    void aSelectorThatTellsNoPositionMayLeadLightAndIsMadeDark() throws Exception {
        start("lost-position");
        assertThat(select("n1", "b0", "path1"))
                .isInstanceOfSatisfying(
                        MoveAnswer.Refused.class,
                        refused -> assertThat(refused.nativeText())
                                .isEqualTo("after 1000 ms the selector of b0 is at failed"));
        assertThat(adapter.read("n1", CircuitSource.CIRCUIT_SOURCE_HARDWARE))
                .extracting(circuit -> circuit.pair() + " " + circuit.state())
                .containsExactly(
                        "b0.common->b0.path1 CIRCUIT_STATE_FAILED", "b1.common->b1.loop CIRCUIT_STATE_CONNECTED");
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            assertThat(alarms.getOrDefault("n1", List.of()))
                    .extracting(Alarm::getWhere, Alarm::getNativeText)
                    .containsExactly(
                            org.assertj.core.groups.Tuple.tuple("b0.common", "its path selector tells no position"));
            assertThat(ports.get("n1/b0.common").getOperState()).isEqualTo(PortOperState.PORT_OPER_STATE_FAILED);
        });
        assertThat(plant.truth()).contains("b0.common->b0.path1");
        assertThat(adapter.move("n1", List.of(new Move.Break(new CircuitPair("b0.common", "b0.path1"))), WITHIN)
                        .getFirst())
                .isInstanceOf(MoveAnswer.Accepted.class);
        assertThat(plant.truth()).containsExactly("b1.common->b1.loop");
        assertThat(read("n1")).containsExactly("b1.common->b1.loop");
    }

    @Test
    void aPathThatTheModuleDoesNotHaveIsRefused() throws Exception {
        start("");
        assertThat(adapter.move("n1", List.of(new Move.Make(new CircuitPair("b0.path1", "b0.path2"))), WITHIN)
                        .getFirst())
                .isInstanceOfSatisfying(
                        MoveAnswer.Refused.class,
                        refused -> assertThat(refused.nativeText())
                                .isEqualTo("a selector leads from b0.common to b0.loop, b0.path1 or b0.path2"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "page: 0xB0|page: 0x11|selector.page: '0x11' is not allowed; allowed is a page of the vendor, from 0xB0 to 0xFF",
                "settleMillis: 1000|settleMillis: soon|settleMillis: 'soon' is not allowed; allowed is a number from 1 to 10000",
                "lanes: 1-8|lanes: 5-2|lanes: '5-2' is not allowed; allowed is the first and last lane, such as 1-4",
                "vendor: LIGHTPATH||vendor: is missing; allowed is the vendor's name as the module has it; * stands for any text",
                "path1: 1, path2: 2, dark|path2: 2, dark|selector.path1: is missing; allowed is a number from 0 to 255, such as 128 or 0x80",
                "lanes: 1-8|colour: red|colour: no such field; allowed are",
                "path2: 2, dark|path2: 1, dark|selector.path2: '1' is not allowed; allowed is a value of its own: path1 has this one",
                "path2: 2, moving|path2: 0, moving|status.path2: '0' is not allowed; allowed is a value of its own: loop has this one",
                "moving: 0x80|moving: 0xFF|status.moving: '0xFF' is not allowed; allowed is a value other than selector.dark",
                "receive: 192|receive: 160|trace.receive: '160' is not allowed; allowed is a byte at least 64 away from transmit",
                "page: 0xB1|page: 0xB0|trace.transmit: '128' is not allowed; allowed is a byte from which 64 bytes do not reach the register B0h:128"
            })
    void aFaultInATypeIsOneLine(String was, String is, String line) throws Exception {
        String type =
                Files.readString(CmisPlant.TYPE).replaceFirst(java.util.regex.Pattern.quote(was), is == null ? "" : is);
        Files.writeString(directory.resolve("type.yaml"), type);
        assertThatThrownBy(() -> configured("{name: b0, type: type.yaml, i2c: /dev/i2c-5}"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("type.yaml:")
                .hasMessageContaining(line);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{name: b1, type: %s, i2c: /dev/i2c-5}|modules[0].name: 'b1' is not allowed; allowed is b0: bundles are numbered in order",
                "{name: b0, type: %s}|modules[0].i2c: is missing: exactly one of i2c, eeprom and socket says how the module is reached",
                "{name: b0, type: %s, i2c: /dev/i2c-5, eeprom: /x}|modules[0].eeprom: '/x' is not allowed; allowed is none beside i2c: exactly one of i2c, eeprom and socket",
                "{name: b0, type: %s, i2c: /dev/i2c-5, socket: 'a:1/0'}|modules[0].socket: 'a:1/0' is not allowed; allowed is none beside i2c: exactly one of",
                "{name: b0, type: none.yaml, eeprom: /x}|none.yaml: cannot be read: no such file",
                "{name: b0, type: %s, socket: nowhere}|modules[0].socket: 'nowhere' is not allowed; allowed is host:port/module"
            })
    void aFaultInTheModulesIsOneLine(String module, String line) {
        assertThatThrownBy(() -> configured(module.formatted(CmisPlant.TYPE)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(line);
    }

    /** A configuration that is read again and is the same asks for no restart. */
    @Test
    void theSameFilesAreTheSameConfiguration() throws Exception {
        String module = "{name: b0, type: %s, i2c: /dev/i2c-5}".formatted(CmisPlant.TYPE);
        assertThat(configured(module)).isEqualTo(configured(module));
    }

    private DriverConfig configured(String module) throws Exception {
        Path file = Files.writeString(directory.resolve("driver.yaml"), """
                listen: 127.0.0.1:0
                stateDirectory: state
                adapters:
                  - kind: cmis
                    devices:
                      - id: n1
                        modules:
                          - %s
                """.formatted(module));
        return DriverConfigReader.read(file);
    }

    @Override
    public void described(DeviceDescription description) {
        descriptions
                .computeIfAbsent(description.deviceId(), id -> new CopyOnWriteArrayList<>())
                .add(description);
    }

    @Override
    public void removed(String deviceId) {}

    @Override
    public void present(String deviceId, DeviceReading reading) {
        circuits(deviceId, reading.circuits());
        ports(deviceId, reading.ports());
        alarms(deviceId, reading.alarms());
        silent.remove(deviceId);
    }

    @Override
    public void silent(String deviceId, String detail) {
        silent.put(deviceId, detail);
        silences.add(deviceId + ": " + detail);
    }

    @Override
    public void circuits(String deviceId, List<NativeCircuit> now) {
        circuits.put(deviceId, now);
    }

    @Override
    public void ports(String deviceId, List<PortStatus> now) {
        now.forEach(port -> ports.put(deviceId + "/" + port.getPort(), port));
        now.stream()
                .filter(port -> (deviceId + "/" + port.getPort()).equals("n1/b1.path1"))
                .forEach(port -> seen.add(port.getLockState()));
    }

    @Override
    public void alarms(String deviceId, List<Alarm> now) {
        alarms.put(deviceId, now);
    }

    @Override
    public void environment(String deviceId, Environment environment) {}

    @Override
    public void powerCycled(String deviceId) {
        powerCycled.add(deviceId);
    }
}
