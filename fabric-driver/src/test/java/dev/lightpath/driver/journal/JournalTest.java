package dev.lightpath.driver.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JournalTest {
    @TempDir
    private Path directory;

    private static List<String> replay(Path directory) throws IOException {
        List<String> records = new ArrayList<>();
        Journal.open(directory, bytes -> records.add(new String(bytes, StandardCharsets.UTF_8)))
                .close();
        return records;
    }

    private static void append(Journal journal, String text) {
        journal.append(text.getBytes(StandardCharsets.UTF_8)).join();
    }

    @Test
    void replaysInOrder() throws Exception {
        try (Journal journal = Journal.open(directory, bytes -> {})) {
            append(journal, "one");
            append(journal, "two");
        }
        assertThat(replay(directory)).containsExactly("one", "two");
    }

    @Test
    void truncatedAtAnyByteIsAPrefix() throws Exception {
        List<String> all = new ArrayList<>();
        try (Journal journal = Journal.open(directory, bytes -> {})) {
            for (int i = 0; i < 12; i++) {
                all.add("record-" + "x".repeat(i * 3));
                append(journal, all.getLast());
            }
        }
        byte[] whole = Files.readAllBytes(directory.resolve("journal-000000000001.log"));
        int seen = 0;
        for (int length = 0; length <= whole.length; length++) {
            Path copy = Files.createDirectory(directory.resolve("cut-" + length));
            Files.write(copy.resolve("journal-000000000001.log"), java.util.Arrays.copyOf(whole, length));
            List<String> records = replay(copy);
            assertThat(records).as("cut at %d", length).isEqualTo(all.subList(0, records.size()));
            assertThat(records.size()).as("cut at %d", length).isGreaterThanOrEqualTo(seen);
            seen = records.size();
            try (Journal again = Journal.open(copy, bytes -> {})) {
                append(again, "after");
            }
            assertThat(replay(copy)).as("cut at %d", length).hasSize(seen + 1).endsWith("after");
        }
        assertThat(seen).isEqualTo(all.size());
    }

    @Test
    void damageBeforeAcknowledgedRecordsIsRefused() throws Exception {
        try (Journal journal = Journal.open(directory, bytes -> {})) {
            append(journal, "one");
            append(journal, "two");
        }
        Path file = directory.resolve("journal-000000000001.log");
        byte[] bytes = Files.readAllBytes(file);
        bytes[21] ^= 1;
        Files.write(file, bytes);
        assertThatThrownBy(() -> replay(directory))
                .isInstanceOf(JournalDamagedException.class)
                .hasMessageContaining("damaged at byte 8");
    }

    @Test
    void aSecondProcessIsKeptOut() throws Exception {
        try (Journal first = Journal.open(directory, bytes -> {})) {
            assertThat(first.sizeBytes()).isPositive();
            assertThatThrownBy(() -> Journal.open(directory, bytes -> {}))
                    .hasMessageContaining("another driver server");
        }
    }

    @Test
    void rotatingForgetsWhatTheSnapshotDoesNotHave() throws Exception {
        try (Journal journal = Journal.open(directory, bytes -> {})) {
            append(journal, "old");
            CompletableFuture<Void> rotated = journal.rotate(List.of("kept".getBytes(StandardCharsets.UTF_8)));
            append(journal, "new");
            rotated.join();
        }
        assertThat(replay(directory)).containsExactly("kept", "new");
        assertThat(directory.resolve("journal-000000000001.log")).doesNotExist();
    }

    @Test
    void aDraftLeftByACrashIsIgnored() throws Exception {
        try (Journal journal = Journal.open(directory, bytes -> {})) {
            append(journal, "one");
        }
        Files.writeString(directory.resolve("journal-000000000002.log.draft"), "half a snapsh");
        assertThat(replay(directory)).containsExactly("one");
    }
}
