package dev.lightpath.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class BackgroundThreadTest {
    @Test
    @EnabledOnOs(OS.LINUX)
    void aThreadThatComputesForLongHasTheLeastShareOfProcessorTime() throws InterruptedException {
        AtomicReference<String> nice = new AtomicReference<>("");
        Thread thread = BackgroundThread.of("background", () -> nice.set(nice()));
        thread.start();
        thread.join();
        assertThat(nice).hasValue("19");
        assertThat(nice()).as("of the thread that made it").isNotEqualTo("19");
    }

    /** Of the calling thread: field 19 of proc(5), counted behind the name in parentheses. */
    private static String nice() {
        try {
            String stat = Files.readString(Path.of("/proc/thread-self/stat"));
            return stat.substring(stat.lastIndexOf(')') + 2).split(" ")[16];
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
