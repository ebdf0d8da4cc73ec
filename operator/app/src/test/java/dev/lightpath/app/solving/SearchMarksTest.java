package dev.lightpath.app.solving;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SearchMarksTest {
    @Test
    void whatIsNoMarkHidesNone(@TempDir Path folder) throws IOException {
        for (int i = 0; i < 8; i++) {
            Files.createDirectory(folder.resolve("before-" + i));
        }
        Files.writeString(folder.resolve("digest"), "3");
        for (int i = 0; i < 8; i++) {
            Files.createDirectory(folder.resolve("after-" + i));
        }
        assertThat(SearchMarks.in(Optional.of(folder)).ends("digest")).isEqualTo(3);
    }

    @Test
    void aMarkThatWasCutShortIsOneAllTheSame(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("empty"), "");
        Files.write(folder.resolve("torn"), new byte[] {(byte) 0xc3});
        SearchMarks marks = SearchMarks.in(Optional.of(folder));
        assertThat(marks.ends("empty")).isEqualTo(1);
        assertThat(marks.ends("torn")).isEqualTo(1);
    }

    @Test
    void aFolderThatCannotBeWrittenIsDoneWithout(@TempDir Path folder) throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        SearchMarks marks = SearchMarks.in(Optional.of(file.resolve("searches")));
        marks.begin("digest");
        assertThat(marks.ends("digest")).isZero();
        marks.end("digest", true);
        assertThat(file).isEmptyFile();
    }

    @Test
    void aThreadThatIsInterruptedLeavesItsMark(@TempDir Path folder) {
        SearchMarks marks = SearchMarks.in(Optional.of(folder));
        Thread.currentThread().interrupt();
        marks.begin("digest");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(SearchMarks.in(Optional.of(folder)).ends("digest")).isEqualTo(1);
    }
}
