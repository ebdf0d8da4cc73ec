package dev.lightpath.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.proto.driver.v1alpha1.Outcome;
import io.grpc.ManagedChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * What the adapter wrote is read by a client of others, pygnmi, from the emulated switch: it proves that the emulator
 * which judges the adapter answers gNMI as others understand it.
 */
final class GnmiClientTest extends ManagedTrial {
    @Test
    void anotherClientReadsWhatTheAdapterWrote() throws Exception {
        Path pygnmi = PythonProgram.built("pygnmi");
        GnmiPlant plant = new GnmiPlant(directory, 8, "");
        open.add(plant);
        ManagedChannel driver = driver(plant.adapter());
        awaitPresent(driver);
        assertThat(apply(
                                driver,
                                request("two")
                                        .addConnects(Requests.key("1A->2B"))
                                        .addConnects(Requests.key("8A->8B"))
                                        .build())
                        .getOutcome())
                .isEqualTo(Outcome.OUTCOME_APPLIED);
        assertThat(read(pygnmi, plant, "sonic-ocs:sonic-ocs/OCS_CROSS_CONNECT")).containsExactly("1A->2B", "8A->8B");
        assertThat(read(pygnmi, plant, "sonic-ocs-states:sonic-ocs-states/OCS_CROSS_CONNECT"))
                .containsExactly("1A->2B tuned tuned", "8A->8B tuned tuned");
        assertThat(apply(
                                driver,
                                request("one")
                                        .addDisconnects(Requests.key("1A->2B"))
                                        .build())
                        .getOutcome())
                .isEqualTo(Outcome.OUTCOME_APPLIED);
        assertThat(read(pygnmi, plant, "sonic-ocs:sonic-ocs/OCS_CROSS_CONNECT")).containsExactly("8A->8B");
    }

    private static List<String> read(Path pygnmi, GnmiPlant plant, String table) throws Exception {
        return run(
                pygnmi.toString(),
                "127.0.0.1",
                Integer.toString(plant.port()),
                "admin",
                plant.passwordFile.toString(),
                table);
    }

    /** Lines that it says. */
    private static List<String> run(String... command) throws Exception {
        Path errors = Files.createTempFile("pygnmi", ".log");
        Process process =
                new ProcessBuilder(command).redirectError(errors.toFile()).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(10, TimeUnit.MINUTES)).as("done in time").isTrue();
        assertThat(process.exitValue()).as(Files.readString(errors)).isZero();
        Files.delete(errors);
        return said.lines().sorted().toList();
    }
}
