package dev.lightpath.driver.cmis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ways to a module that this machine has no hardware for: as far as they go without. */
final class ModuleMemoryTest {
    @Test
    void pagesLieInARowInAFileOfTheKernel(@TempDir Path directory) throws Exception {
        byte[] pages = new byte[128 * 257];
        pages[3] = 6;
        pages[128 * 0x11 + 147] = 7;
        Path file = Files.write(directory.resolve("eeprom"), pages);
        try (EepromFile memory = new EepromFile(file)) {
            assertThat(memory.read(0, 0x11, 3, 1)).containsExactly(6);
            assertThat(memory.read(0, 0x11, 147, 2)).containsExactly(7, 0);
            memory.write(0, 0xB0, 128, new byte[] {2});
            assertThat(Files.readAllBytes(file)[128 * 0xB0 + 128]).isEqualTo((byte) 2);
            assertThatThrownBy(() -> memory.read(1, 0x11, 147, 1)).hasMessage("bank 1 is in no such file: use i2c");
        }
    }

    @Test
    void aFileThatEndsTooSoonIsOneLine(@TempDir Path directory) throws Exception {
        Path file = Files.write(directory.resolve("eeprom"), new byte[256]);
        try (EepromFile memory = new EepromFile(file)) {
            assertThatThrownBy(() -> memory.read(0, 0xB0, 128, 1))
                    .isInstanceOf(NotAnsweredException.class)
                    .hasMessage(file + " ends before byte 22657");
        }
    }

    /** ENXIO (6) is usual; i2c-designware says EREMOTEIO (121), i2c-xiic and i2c-ocores say EIO (5). 25 is ENOTTY. */
    @Test
    void aModuleThatIsBusyIsAskedAgainWhateverItsBusCallsThat() {
        assertThat(List.of(121, 6, 5)).allMatch(I2cRegisters::isNotAcknowledged);
        assertThat(I2cRegisters.isNotAcknowledged(25)).isFalse();
    }

    /** The calls are those of the C library: what is no I2C bus refuses the transaction (25: ENOTTY). */
    @Test
    void whatIsNoBusOfI2cIsOneLine() throws Exception {
        try (I2cRegisters registers = new I2cRegisters(Path.of("/dev/null"))) {
            assertThatThrownBy(() -> registers.read(0, 4))
                    .isInstanceOf(NotAnsweredException.class)
                    .hasMessage("a transaction on /dev/null failed: error 25");
            assertThatThrownBy(() -> registers.read(0, 0xB0, 128, 1))
                    .hasMessage("a transaction on /dev/null failed: error 25");
            assertThatThrownBy(() -> registers.write(0, 0xB0, 128, new byte[8]))
                    .hasMessage("a transaction on /dev/null failed: error 25");
        }
        assertThatThrownBy(() -> new I2cRegisters(Path.of("/dev/no-such-bus")))
                .isInstanceOf(NotAnsweredException.class)
                .hasMessage("/dev/no-such-bus cannot be opened: no such file");
    }
}
