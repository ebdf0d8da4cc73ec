package dev.lightpath.cli.stripe;

import dev.lightpath.cli.Json;
import dev.lightpath.console.text.BadInput;
import dev.lightpath.fuzz.Fuzz;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Documents for {@code lightpath stripe}. */
class StripeFuzzTest {
    @TempDir
    private Path folder;

    @Test
    void topologies() throws Exception {
        Path file = folder.resolve("stripe.json");
        Fuzz.read(
                "cli-stripe",
                Fuzz.texts("""
                        {"switches": 2, "portsPerPodPerSwitch": 1, "device": "two-sided", "topology": [[0,1,1],[1,0,1],[1,1,0]],
                         "unusablePorts": [{"switch": 0, "port": 1, "side": "egress"}, [0, 1], {"switch": 0, "ports": ["1"]}],
                         "previous": {"switches": [{"switch": 0, "circuits": [[0, 1], ["1", "2"]]}]}}"""),
                BadInput.class,
                bytes -> StripeInput.read("stripe.json", Json.read(Files.write(file, bytes))));
    }
}
