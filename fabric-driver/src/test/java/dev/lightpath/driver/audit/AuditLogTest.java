package dev.lightpath.driver.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.lightpath.proto.driver.v1alpha1.Fencing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

final class AuditLogTest {
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-01-02T03:04:05Z"), ZoneOffset.UTC);
    private static final int LIMIT_BYTES = 300;

    private static final Path FULL_DISK = Path.of("/dev/full");

    @TempDir
    private Path directory;

    @Test
    @EnabledIf("hasAFullDisk")
    void aFullDiskIsNoFailureOfWhatIsAudited() throws IOException {
        Files.createSymbolicLink(directory.resolve("audit.log"), FULL_DISK);
        try (AuditLog log = AuditLog.open(directory, CLOCK)) {
            assertThatCode(() -> log.change("c", "override", "d", Fencing.getDefaultInstance(), "5"))
                    .doesNotThrowAnyException();
        }
    }

    static boolean hasAFullDisk() {
        return Files.exists(FULL_DISK);
    }

    @Test
    void keepsALimitedNumberOfFilesAndTheNewestLines() throws IOException {
        int lines = 100;
        write(0, lines);

        List<String> kept = kept();
        assertThat(files()).hasSize(AuditLog.KEPT + 1);
        assertThat(kept).hasSizeLessThan(lines);
        assertThat(kept)
                .containsExactlyElementsOf(IntStream.range(lines - kept.size(), lines)
                        .mapToObj(AuditLogTest::expected)
                        .toList());
    }

    @Test
    void goesOnWithTheFileThatIsThere() throws IOException {
        write(0, 1);
        write(1, 2);
        assertThat(kept()).containsExactly(expected(0), expected(1));
        write(2, 4);
        assertThat(kept()).containsExactly(expected(0), expected(1), expected(2), expected(3));
    }

    @Test
    void aLineThatWasCutTakesNoOtherWithIt() throws IOException {
        write(0, 1);
        Files.writeString(directory.resolve("audit.log"), expected(1).substring(0, 40), StandardOpenOption.APPEND);
        write(2, 4);
        assertThat(kept()).containsExactly(expected(0), expected(1).substring(0, 40), expected(2), expected(3));
    }

    @Test
    void growsWhereItCannotBeTurnedOver() throws IOException {
        Files.writeString(directory.resolve("audit.log." + (AuditLog.KEPT - 1)), "");
        Files.createDirectories(directory.resolve("audit.log." + AuditLog.KEPT).resolve("in the way"));
        write(0, 20);
        assertThat(Files.readAllLines(directory.resolve("audit.log")))
                .containsExactlyElementsOf(
                        IntStream.range(0, 20).mapToObj(AuditLogTest::expected).toList());
    }

    @Test
    void givesTheNewestLinesAcrossFiles() throws IOException {
        write(0, 20);
        try (AuditLog log = AuditLog.open(directory, CLOCK, LIMIT_BYTES)) {
            log.change("somebody", "override", "ocs-10", Fencing.getDefaultInstance(), "\"device\":\"ocs-1\"");
            assertThat(log.newest("ocs-1", 7))
                    .containsExactlyElementsOf(IntStream.range(13, 20)
                            .mapToObj(AuditLogTest::expected)
                            .toList());
            assertThat(log.newest(null, 2)).hasSize(2).startsWith(expected(19));
            assertThat(log.newest("ocs-10", 5)).hasSize(1);
            assertThat(log.newest("ocs", 5)).isEmpty();
            assertThat(log.newest(null, 1000)).hasSize(kept().size());
        }
    }

    private void write(int from, int to) throws IOException {
        try (AuditLog log = AuditLog.open(directory, CLOCK, LIMIT_BYTES)) {
            for (int i = from; i < to; i++) {
                log.change("somebody", "override", "ocs-1", Fencing.getDefaultInstance(), "change " + i);
            }
        }
    }

    private static String expected(int number) {
        return "{\"at\":\"2026-01-02T03:04:05Z\",\"caller\":\"somebody\",\"action\":\"override\",\"device\":\"ocs-1\","
                + "\"role\":\"\",\"epoch\":0,\"holder\":\"\",\"change\":\"change " + number + "\"}";
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }

    /** All lines, oldest first. */
    private List<String> kept() throws IOException {
        List<String> lines = new ArrayList<>();
        for (int age = AuditLog.KEPT + 1; age >= 0; age--) {
            Path file = directory.resolve(age == 0 ? "audit.log" : "audit.log." + age);
            if (Files.exists(file)) {
                lines.addAll(Files.readAllLines(file));
            }
        }
        return lines;
    }
}
