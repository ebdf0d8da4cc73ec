package dev.lightpath.driver.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JournalTest {
    @TempDir
    private Path directory;

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static List<String> replay(Path directory) throws IOException {
        List<String> records = new ArrayList<>();
        Journal.open(directory, bytes -> records.add(new String(bytes, StandardCharsets.UTF_8)))
                .close();
        return records;
    }

    private static void append(Journal journal, String text) {
        journal.append(bytes(text)).join();
    }

    @Test
    void replaysInOrder() throws Exception {
        try (Journal journal = Journal.open(directory, bytes -> {})) {
            append(journal, "one");
            append(journal, "two");
        }
        assertThat(replay(directory)).containsExactly("one", "two");
        try (Journal journal = Journal.open(directory, bytes -> {})) {
            append(journal, "three");
        }
        assertThat(replay(directory)).containsExactly("one", "two", "three");
    }

    @Test
    void recordsOfAnySizeComeBack() throws Exception {
        List<String> all = List.of("", "x".repeat(3 << 20), "y", "z".repeat(1 << 20));
        try (Journal journal = Journal.open(directory, bytes -> {})) {
            List<CompletableFuture<Void>> written =
                    all.stream().map(each -> journal.append(bytes(each))).toList();
            written.forEach(CompletableFuture::join);
        }
        assertThat(replay(directory)).isEqualTo(all);
        try (Journal journal = Journal.open(directory, bytes -> {})) {
            journal.rotate(all.stream().map(JournalTest::bytes).toList()).join();
        }
        assertThat(replay(directory)).isEqualTo(all);
    }

    @Test
    void aDirectoryThatCannotBeUsedIsOneLine() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "no directory");
        assertThatThrownBy(() -> Journal.open(file, bytes -> {}))
                .hasMessage("stateDirectory: " + file + " cannot be used: " + file + " is no directory");
        Path below = Path.of("/proc/none/state");
        assertThatThrownBy(() -> Journal.open(below, bytes -> {}))
                .hasMessageStartingWith("stateDirectory: " + below + " cannot be used: /proc/none");
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
            CompletableFuture<Void> rotated = journal.rotate(List.of(bytes("kept")));
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
        Path draft = directory.resolve("journal-000000000002.log.draft");
        Files.writeString(draft, "half a snapsh");
        assertThat(replay(directory)).containsExactly("one");
        try (Journal journal = Journal.open(directory, bytes -> {})) {
            journal.rotate(List.of(bytes("one"))).join();
        }
        assertThat(replay(directory)).containsExactly("one");
        assertThat(draft).doesNotExist();
    }

    @Test
    void anOlderSegmentLeftByACrashIsDroppedOnceANewerOneIsWhole() throws Exception {
        Path first = directory.resolve("journal-000000000001.log");
        try (Journal journal = Journal.open(directory, bytes -> {})) {
            append(journal, "one");
            Path copy = Files.copy(first, directory.resolve("copy"));
            journal.rotate(List.of(bytes("one"))).join();
            append(journal, "two");
            Files.move(copy, first);
        }
        assertThat(replay(directory)).containsExactly("one", "two");
        assertThat(first).exists();
        Path second = directory.resolve("journal-000000000002.log");
        byte[] whole = Files.readAllBytes(second);
        Files.write(second, new byte[0]);
        assertThatThrownBy(() -> replay(directory)).isInstanceOf(JournalDamagedException.class);
        assertThat(first).as("all there is while the newer one is damaged").exists();
        Files.write(second, whole);
        try (Journal journal = Journal.open(directory, bytes -> {})) {
            journal.rotate(List.of(bytes("one"), bytes("two"))).join();
        }
        assertThat(first).doesNotExist();
        assertThat(replay(directory)).containsExactly("one", "two");
    }

    @Test
    void aCompactionThatFailsLeavesTheJournalSound() throws Exception {
        Path inTheWay = Files.createDirectories(directory.resolve("journal-000000000002.log.draft/full"));
        try (Journal journal = Journal.open(directory, bytes -> {})) {
            append(journal, "one");
            assertThat(journal.rotate(List.of(bytes("one")))).failsWithin(Duration.ofSeconds(60));
            assertThat(journal.failure()).isNull();
            append(journal, "two");
            Files.delete(inTheWay);
            Files.delete(inTheWay.getParent());
            journal.rotate(List.of(bytes("one"), bytes("two"))).join();
            append(journal, "three");
        }
        assertThat(replay(directory)).containsExactly("one", "two", "three");
    }

    @Test
    void aBugInTheWriterRefusesInsteadOfLettingEverybodyWait() throws Exception {
        List<byte[]> bug = Collections.singletonList(null);
        try (Journal journal = Journal.open(directory, bytes -> {})) {
            append(journal, "one");
            assertThat(journal.append(bug.getFirst())).failsWithin(Duration.ofSeconds(60));
            assertThat(journal.failure()).isNotNull();
            assertThat(journal.append(bytes("two"))).failsWithin(Duration.ofSeconds(60));
            journal.rotate(List.of(bytes("one"))).join();
            assertThat(journal.failure()).isNull();
            append(journal, "three");
        }
        assertThat(replay(directory)).containsExactly("one", "three");
    }

    @Test
    void aClosedJournalRefuses() throws Exception {
        Journal journal = Journal.open(directory, bytes -> {});
        journal.close();
        // as whoever holds it in a try does
        journal.close();
        assertThat(journal.append(bytes("late"))).failsWithin(Duration.ofSeconds(60));
    }
}
