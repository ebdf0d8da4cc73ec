package dev.lightpath.driver.journal;

import dev.lightpath.fuzz.Fuzz;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Journals of which anything may have changed. {@link DamageTest} says what is found at each byte; here nothing hangs
 * or breaks.
 */
@Isolated("the heap that it measures is that of the whole process")
class JournalFuzzTest {
    @TempDir
    private Path directory;

    @Test
    void journals() throws Exception {
        Path state = Files.createDirectory(directory.resolve("state"));
        Path file = state.resolve("journal-000000000001.log");
        Fuzz.read("journal", List.of(written(1, 6), written(2, 40)), JournalDamagedException.class, bytes -> {
            Files.write(file, bytes);
            Journal.open(state, record -> {}).close();
        });
    }

    private byte[] written(int number, int records) throws Exception {
        Path whole = directory.resolve("whole-" + number);
        try (Journal journal = Journal.open(whole, bytes -> {})) {
            for (int i = 0; i < records; i++) {
                journal.append(("record-" + i + "x".repeat(i * 3)).getBytes(StandardCharsets.UTF_8))
                        .join();
            }
        }
        return Files.readAllBytes(whole.resolve("journal-000000000001.log"));
    }
}
