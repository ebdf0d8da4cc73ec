package dev.lightpath.driver.cmis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.adapter.Move;
import dev.lightpath.driver.adapter.MoveAnswer;
import dev.lightpath.driver.config.AdapterConfig.CmisBus;
import dev.lightpath.driver.config.AdapterConfig.CmisModuleConfig;
import dev.lightpath.driver.config.ModuleType;
import dev.lightpath.driver.config.ModuleType.Register;
import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is told of a selector between its positions. An emulated one is there for microseconds only. */
final class BayTest {
    private static final int PAGE = 0xB0;
    private static final int SELECTOR = 128;
    private static final int STATUS = 129;
    private static final int MOVING = 0x80;
    private static final int DARK = 0xFF;
    private static final int PATH_1 = 1;

    /** Bytes of a module that does nothing by itself. */
    private static final class Pages implements ModuleMemory {
        private final Map<Integer, byte[]> pages = new TreeMap<>();
        private int readsOfValues;
        /** Accesses that are not answered, beginning with the next of the page of the vendor. */
        private int missed;

        byte[] page(int page) {
            return pages.computeIfAbsent(page, number -> new byte[256]);
        }

        @Override
        public byte[] read(int bank, int page, int offset, int length) throws NotAnsweredException {
            if (missed > 0 && page == PAGE) {
                missed--;
                throw new NotAnsweredException("it does not acknowledge (NACK)");
            }
            readsOfValues += page == 0x24 ? 1 : 0;
            byte[] bytes = new byte[length];
            System.arraycopy(page(offset > LAST_LOWER ? page : 0), offset, bytes, 0, length);
            return bytes;
        }

        @Override
        public void write(int bank, int page, int offset, byte[] bytes) {
            System.arraycopy(bytes, 0, page(offset > LAST_LOWER ? page : 0), offset, bytes.length);
        }

        @Override
        public void close() {}
    }

    private final Pages memory = new Pages();
    private final Bay bay = new Bay(
            "n1",
            new CmisModuleConfig(
                    "b0",
                    new CmisBus.I2c(Path.of("/dev/i2c-1")),
                    new ModuleType(
                            "type.yaml",
                            "*",
                            "*",
                            0x0F,
                            new ModuleType.Selector(register(SELECTOR), 0, PATH_1, 2, Optional.of(DARK)),
                            new ModuleType.Status(
                                    register(STATUS), 0, PATH_1, 2, Optional.of(MOVING), Optional.empty()),
                            Duration.ofMillis(1),
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty())),
            config -> memory);

    private static Register register(int offset) {
        return new Register(0, PAGE, offset);
    }

    @BeforeEach
    void plugIn() {
        memory.page(0)[1] = 0x52;
        memory.page(0)[3] = 3 << 1;
        System.arraycopy("LIGHTPATH".getBytes(StandardCharsets.US_ASCII), 0, memory.page(0), 129, 9);
        assertThat(bay.look()).isTrue();
    }

    private void at(int selector, int status) {
        memory.page(PAGE)[SELECTOR] = (byte) selector;
        memory.page(PAGE)[STATUS] = (byte) status;
    }

    private List<String> circuits() throws NotAnsweredException {
        return bay.circuits().stream()
                .map(circuit -> circuit.pair() + " " + circuit.state())
                .toList();
    }

    private MoveAnswer breakPath1() throws NotAnsweredException {
        return bay.move(new Move.Break(new CircuitPair("b0.common", "b0.path1")));
    }

    @Test
    void aSelectorOnItsWayToDarkStillLeadsLight() throws Exception {
        at(PATH_1, PATH_1);
        assertThat(circuits()).containsExactly("b0.common->b0.path1 CIRCUIT_STATE_CONNECTED");
        at(DARK, MOVING);
        assertThat(circuits()).containsExactly("b0.common->b0.path1 CIRCUIT_STATE_TUNING");
        at(DARK, DARK);
        assertThat(circuits()).isEmpty();
    }

    @Test
    void aCircuitThatIsOnItsWayIsTakenBack() throws Exception {
        at(PATH_1, MOVING);
        assertThat(circuits()).containsExactly("b0.common->b0.path1 CIRCUIT_STATE_TUNING");
        assertThat(breakPath1()).isInstanceOf(MoveAnswer.Accepted.class);
        assertThat(memory.page(PAGE)[SELECTOR] & 0xFF).isEqualTo(DARK);
        assertThat(circuits()).as("it has not arrived").containsExactly("b0.common->b0.path1 CIRCUIT_STATE_TUNING");
    }

    @Test
    void aSelectorThatWasToldToGoDarkAndTellsNoPositionMayLeadLightOn() throws Exception {
        at(PATH_1, PATH_1);
        assertThat(circuits()).hasSize(1);
        at(DARK, 0x7F);
        assertThat(circuits()).containsExactly("b0.common->b0.path1 CIRCUIT_STATE_FAILED");
        assertThat(breakPath1()).isInstanceOf(MoveAnswer.Refused.class);
    }

    @Test
    void aBreakOfWhatIsNotThereWritesNothing() throws Exception {
        at(2, MOVING);
        assertThat(breakPath1()).isInstanceOf(MoveAnswer.Accepted.class);
        assertThat(memory.page(PAGE)[SELECTOR]).isEqualTo((byte) 2);
        at(2, 0x7F);
        assertThat(breakPath1()).isInstanceOf(MoveAnswer.Accepted.class);
        assertThat(memory.page(PAGE)[SELECTOR]).isEqualTo((byte) 2);
    }

    @Test
    void aBreakOfAModuleThatMissesAnAnswerIsRefusedAndItsCircuitReadOn() throws Exception {
        at(PATH_1, PATH_1);
        memory.missed = 1;
        assertThat(breakPath1())
                .isEqualTo(
                        new MoveAnswer.Refused(ItemReason.ITEM_REASON_PORT_UNUSABLE, "it does not acknowledge (NACK)"));
        assertThat(circuits()).containsExactly("b0.common->b0.path1 CIRCUIT_STATE_CONNECTED");
        assertThat(breakPath1()).as("it is there").isNotNull();
        assertThat(memory.page(PAGE)[SELECTOR] & 0xFF).isEqualTo(DARK);
    }

    @Test
    void aReadingThatMissesAnAnswerLeavesNothingOut() throws Exception {
        at(PATH_1, PATH_1);
        memory.missed = 1;
        assertThat(circuits()).containsExactly("b0.common->b0.path1 CIRCUIT_STATE_CONNECTED");
        memory.missed = 1;
        Bay.Said said = bay.read();
        assertThat(said.circuits()).hasSize(1);
        assertThat(said.trouble()).isEmpty();
        assertThat(bay.look()).as("another module").isFalse();
    }

    @Test
    void anotherModuleThatAMoveFindsIsToldByTheNextLook() throws Exception {
        at(PATH_1, PATH_1);
        memory.page(0)[166] = 'B';
        memory.missed = 1;
        assertThat(breakPath1()).isInstanceOf(MoveAnswer.Refused.class);
        assertThat(bay.look()).isTrue();
        assertThat(bay.look()).isFalse();
    }

    /** Locked, with monitors, of which the third and fourth are those of bit errors of the first two lanes. */
    private void advertiseMonitors() {
        at(PATH_1, PATH_1);
        memory.page(1)[142] = 1 << 6;
        memory.page(1)[158] = 0b110;
        memory.page(0x20)[131] = 16;
        memory.page(0x20)[133] = 15;
        memory.page(0x20)[134] = 1;
        memory.page(0x20)[135] = 15;
        plugInAgain();
    }

    private void plugInAgain() {
        memory.page(0)[166] = (byte) (memory.page(0)[166] == 'A' ? 'B' : 'A');
        assertThat(bay.look()).isTrue();
    }

    private void value(int offset, int raw) {
        memory.page(0x24)[offset] = (byte) (raw >> 8);
        memory.page(0x24)[offset + 1] = (byte) raw;
    }

    private OptionalDouble bitErrors() {
        PortStatus path1 = bay.read().ports().get(2);
        return path1.hasPreFecBitErrorRatio()
                ? OptionalDouble.of(path1.getPreFecBitErrorRatio())
                : OptionalDouble.empty();
    }

    @Test
    void bitErrorsAreThoseOfTheWorstLane() {
        advertiseMonitors();
        value(130, 0x7FFF);
        // 150e-9 and 24e-8
        value(132, 15 << 11 | 150);
        value(134, 16 << 11 | 24);
        assertThat(bitErrors().orElseThrow()).isCloseTo(2.4e-7, Percentage.withPercentage(0.001));
        value(132, 0);
        value(134, 0);
        assertThat(bitErrors()).hasValue(0);
    }

    @Test
    void aLaneThatTellsMoreThanAllBitsIsLeftOut() {
        advertiseMonitors();
        value(132, 15 << 11 | 150);
        value(134, 0xFFFF);
        assertThat(bitErrors().orElseThrow()).isCloseTo(1.5e-7, Percentage.withPercentage(0.001));
        value(132, 0xFFFF);
        assertThat(bitErrors()).as("of all lanes").isEmpty();
        // 1001e-3
        value(134, 21 << 11 | 1001);
        assertThat(bitErrors()).isEmpty();
    }

    @Test
    void lanesOfAnotherBundleAreNotCounted() {
        advertiseMonitors();
        memory.page(0x20)[136] = 4;
        memory.page(0x20)[137] = 15;
        value(132, 15 << 11 | 150);
        value(136, 20 << 11 | 150);
        assertThat(bitErrors().orElseThrow()).isCloseTo(1.5e-7, Percentage.withPercentage(0.001));
    }

    @Test
    void theLanesOfAPageAreReadAtOnce() {
        advertiseMonitors();
        assertThat(bitErrors()).hasValue(0);
        assertThat(memory.readsOfValues).isEqualTo(1);
    }

    @Test
    void descriptorsOfAModuleThatIsNotReadyAreReadAgain() {
        advertiseMonitors();
        memory.page(0)[3] = 2 << 1;
        memory.page(0x20)[133] = 16;
        value(132, 15 << 11 | 150);
        assertThat(bitErrors()).hasValue(0);
        memory.page(0)[3] = 3 << 1;
        memory.page(0x20)[133] = 15;
        assertThat(bitErrors().orElseThrow()).isCloseTo(1.5e-7, Percentage.withPercentage(0.001));
    }

    @Test
    void descriptorsWithoutValuesAreReadAgain() {
        advertiseMonitors();
        memory.page(0x20)[133] = 0;
        memory.page(0x20)[135] = 0;
        assertThat(bitErrors()).isEmpty();
        memory.page(0x20)[133] = 15;
        assertThat(bitErrors()).hasValue(0);
    }

    @Test
    void monitorsThatAreNotAdvertisedOrOfAReceiverWithoutLightAreNoReading() {
        advertiseMonitors();
        value(132, 15 << 11 | 150);
        assertThat(bitErrors()).isPresent();
        memory.page(0x11)[148] = (byte) 0xFF;
        assertThat(bitErrors()).as("not locked").isEmpty();
        memory.page(0x11)[148] = 0;
        memory.page(0x11)[147] = (byte) 0xFF;
        assertThat(bitErrors()).as("dark").isEmpty();
        memory.page(0x11)[147] = 0;
        assertThat(bitErrors()).isPresent();
        memory.page(1)[142] = 0;
        plugInAgain();
        assertThat(bitErrors()).as("not advertised").isEmpty();
    }
}
