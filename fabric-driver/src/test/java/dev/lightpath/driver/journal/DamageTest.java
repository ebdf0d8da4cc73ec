package dev.lightpath.driver.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every byte of a small journal, of today's format and the older one, flipped or the first that is missing: what was
 * acknowledged is there, or the journal is refused; only the end may be torn, which is kept.
 */
final class DamageTest {
    private static final String SEGMENT = "journal-000000000001.log";
    private static final int RECORDS = 6;
    private static final byte[] FLIPS = {1, (byte) 0x80, (byte) 0xFF};

    @TempDir
    private Path directory;

    private final List<String> all = new ArrayList<>();
    private int copies;

    /** A journal, and where the frame of each record ends. */
    private record Sample(byte[] bytes, List<Integer> ends) {
        int lastFrame() {
            return ends.get(ends.size() - 2);
        }
    }

    @BeforeEach
    void name() {
        for (int i = 0; i < RECORDS; i++) {
            all.add("record-" + i + "x".repeat(i * 3));
        }
    }

    private Sample today() throws IOException {
        Path file = directory.resolve("whole").resolve(SEGMENT);
        List<Integer> ends = new ArrayList<>();
        try (Journal journal = Journal.open(file.getParent(), bytes -> {})) {
            ends.add((int) Files.size(file));
            for (String each : all) {
                journal.append(each.getBytes(StandardCharsets.UTF_8)).join();
                ends.add((int) Files.size(file));
            }
        }
        return new Sample(Files.readAllBytes(file), ends);
    }

    /** As drivers up to 0.1 wrote it. */
    private Sample older() {
        List<Integer> ends = new ArrayList<>();
        ByteBuffer file = ByteBuffer.allocate(1 << 16).put("LPJRNL01".getBytes(StandardCharsets.US_ASCII));
        ends.add(file.position());
        for (String each : all) {
            byte[] bytes = each.getBytes(StandardCharsets.UTF_8);
            ByteBuffer payload = ByteBuffer.allocate(Integer.BYTES + bytes.length)
                    .putInt(bytes.length)
                    .put(bytes)
                    .flip();
            CRC32C crc = new CRC32C();
            crc.update(payload.duplicate());
            file.putInt(payload.remaining()).putInt((int) crc.getValue()).put(payload);
            ends.add(file.position());
        }
        return new Sample(Arrays.copyOf(file.array(), file.position()), ends);
    }

    /**
     * What a driver that starts on this file remembers, and still does after it has written and started again; empty:
     * refused.
     */
    private Optional<List<String>> startedOn(byte[] bytes) throws IOException {
        Path copy = Files.createDirectory(directory.resolve("copy-" + copies++));
        Files.write(copy.resolve(SEGMENT), bytes);
        List<String> records = new ArrayList<>();
        try (Journal journal = Journal.open(copy, each -> records.add(new String(each, StandardCharsets.UTF_8)))) {
            journal.rotate(records.stream()
                            .map(each -> each.getBytes(StandardCharsets.UTF_8))
                            .toList())
                    .join();
            journal.append("after".getBytes(StandardCharsets.UTF_8)).join();
        } catch (JournalDamagedException refused) {
            assertThat(refused)
                    .hasMessageContaining(copy.resolve(SEGMENT).toString())
                    .hasMessageContaining("at byte ");
            assertThat(refused.getMessage().lines()).hasSize(1);
            assertThat(copy.resolve(SEGMENT)).as("untouched").hasBinaryContent(bytes);
            return Optional.empty();
        }
        List<String> again = new ArrayList<>();
        Journal.open(copy, each -> again.add(new String(each, StandardCharsets.UTF_8)))
                .close();
        assertThat(again.removeLast()).isEqualTo("after");
        assertThat(again).isEqualTo(records);
        return Optional.of(records);
    }

    private void assertTornIsKept(byte[] torn) throws IOException {
        assertThat(directory.resolve("copy-" + (copies - 1)).resolve("journal-000000000001.torn"))
                .hasBinaryContent(torn);
    }

    private void assertFlipsAreNoticed(Sample whole) throws IOException {
        assertThat(startedOn(whole.bytes())).contains(all);
        for (int at = 0; at < whole.bytes().length; at++) {
            for (byte flip : FLIPS) {
                byte[] bytes = whole.bytes().clone();
                bytes[at] ^= flip;
                Optional<List<String>> found = startedOn(bytes);
                if (at < whole.lastFrame()) {
                    assertThat(found).as("byte %d flipped by %d", at, flip).isEmpty();
                } else {
                    assertThat(found)
                            .as("byte %d of the last frame flipped by %d", at, flip)
                            .contains(all.subList(0, RECORDS - 1));
                    assertTornIsKept(Arrays.copyOfRange(bytes, whole.lastFrame(), bytes.length));
                }
            }
        }
    }

    private void assertPrefixes(Sample whole) throws IOException {
        for (int length = 0; length < whole.bytes().length; length++) {
            byte[] cut = Arrays.copyOf(whole.bytes(), length);
            Optional<List<String>> found = startedOn(cut);
            if (length < whole.ends().getFirst()) {
                assertThat(found)
                        .as("cut at %d, within what was whole when the file got its name", length)
                        .isEmpty();
                continue;
            }
            int size = length;
            int records = (int) whole.ends().stream().filter(end -> end <= size).count() - 1;
            assertThat(found).as("cut at %d", length).contains(all.subList(0, records));
            if (whole.ends().get(records) < length) {
                assertTornIsKept(Arrays.copyOfRange(cut, whole.ends().get(records), length));
            }
        }
    }

    @Test
    void aFlippedByteBeforeTheLastRecordIsRefused() throws Exception {
        assertFlipsAreNoticed(today());
    }

    @Test
    void aFlippedByteBeforeTheLastRecordOfAnOlderJournalIsRefused() throws Exception {
        assertFlipsAreNoticed(older());
    }

    @Test
    void aJournalCutAtAnyByteLosesNoWholeRecord() throws Exception {
        assertPrefixes(today());
    }

    @Test
    void anOlderJournalCutAtAnyByteLosesNoWholeRecord() throws Exception {
        assertPrefixes(older());
    }

    /** It was on disk before the file got its name: no crash can have torn it. */
    @Test
    void aFlippedByteOfASnapshotIsRefused() throws Exception {
        Path file = directory.resolve("whole").resolve("journal-000000000002.log");
        try (Journal journal = Journal.open(file.getParent(), bytes -> {})) {
            journal.rotate(all.stream()
                            .map(each -> each.getBytes(StandardCharsets.UTF_8))
                            .toList())
                    .join();
        }
        byte[] whole = Files.readAllBytes(file);
        for (int at = 0; at < whole.length; at++) {
            byte[] bytes = whole.clone();
            bytes[at] ^= (byte) 0x40;
            Path copy = Files.createDirectory(directory.resolve("snapshot-" + at));
            Files.write(copy.resolve(file.getFileName()), bytes);
            assertThat(refuses(copy)).as("byte %d flipped", at).isTrue();
        }
    }

    private static boolean refuses(Path directory) throws IOException {
        try {
            Journal.open(directory, bytes -> {}).close();
            return false;
        } catch (JournalDamagedException refused) {
            return true;
        }
    }

    @Test
    void whateverIsAppendedBehindAWholeFrameIsNoTornEnd() throws Exception {
        Sample whole = today();
        byte[] bytes = Arrays.copyOf(whole.bytes(), whole.bytes().length + 3);
        bytes[whole.lastFrame() + Frames.HEAD_BYTES] ^= 1;
        assertThat(startedOn(bytes))
                .as("a frame was begun behind it, so it had been acknowledged")
                .isEmpty();
    }

    @Test
    void onlyTheNewestTornEndsAreKept() throws Exception {
        Path file = directory.resolve(SEGMENT);
        Files.write(file, today().bytes());
        for (int start = 1; start <= Segments.TORN_KEPT + 3; start++) {
            Path newest = directory.resolve("journal-%012d.log".formatted(start));
            Files.write(newest, new byte[] {1, 2, 3}, StandardOpenOption.APPEND);
            List<byte[]> records = new ArrayList<>();
            try (Journal journal = Journal.open(directory, records::add)) {
                journal.rotate(records).join();
            }
            assertThat(records).hasSize(RECORDS);
        }
        try (var files = Files.list(directory)) {
            assertThat(files.map(each -> each.getFileName().toString())
                            .filter(name -> name.endsWith(".torn"))
                            .sorted())
                    .hasSize(Segments.TORN_KEPT)
                    .endsWith("journal-000000000011.torn");
        }
    }
}
