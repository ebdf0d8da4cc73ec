package dev.lightpath.studies.ring;

import dev.lightpath.console.text.BadInput;
import dev.lightpath.fuzz.Fuzz;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fault traces that a person gives to a study. */
class TraceFuzzTest {
    @TempDir
    private Path folder;

    @Test
    void faultTraces() throws Exception {
        Path file = folder.resolve("trace.json");
        Fuzz.read(
                "cli-fault-trace",
                Fuzz.texts("""
                        [{"node_id": "a", "event_time": 0.5, "event_type": "fault_start"},
                         {"node_id": "b", "event_time": 1, "event_type": "fault_start"},
                         {"node_id": "a", "event_time": 2.25, "event_type": "fault_end"}]"""),
                BadInput.class,
                bytes -> TraceFile.read(Optional.of(Files.write(file, bytes))));
    }
}
