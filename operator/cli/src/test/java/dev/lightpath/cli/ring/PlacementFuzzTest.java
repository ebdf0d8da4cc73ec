package dev.lightpath.cli.ring;

import dev.lightpath.cli.Json;
import dev.lightpath.console.text.BadInput;
import dev.lightpath.fuzz.Fuzz;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Placements for {@code lightpath ring repair}. */
class PlacementFuzzTest {
    @TempDir
    private Path folder;

    @Test
    void placements() throws Exception {
        Path file = folder.resolve("placement.json");
        Fuzz.read(
                "cli-placement",
                Fuzz.texts("""
                        {"groups": [[0, 1], [2, 3]], "faultyNodes": [5],
                         "parameters": {"gpus": 32, "gpusPerNode": 4, "reach": 3, "shape": "ring", "nodesPerTor": 2,
                           "nodesPerAggregation": 4, "tensor": 8}}"""),
                BadInput.class,
                bytes -> GivenPlacement.of(Json.read(Files.write(file, bytes)), "placement.json"));
    }
}
