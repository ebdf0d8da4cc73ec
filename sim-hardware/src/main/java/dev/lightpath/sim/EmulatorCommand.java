package dev.lightpath.sim;

import dev.lightpath.sim.scenario.Scenario;
import dev.lightpath.sim.scenario.ScenarioException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command line. */
@Command(
        name = "sim-hardware",
        mixinStandardHelpOptions = true,
        version = "lightpath sim-hardware 0.1.0",
        description = "Emulates optical circuit switches and transceivers, faults included.")
final class EmulatorCommand implements Callable<Integer> {
    @Option(
            names = "--scenario",
            required = true,
            paramLabel = "FILE",
            description = "What devices there are; a file, or the name of a built-in scenario: ring-64")
    private String scenario = "";

    @Override
    public Integer call() throws InterruptedException {
        Emulator emulator;
        try {
            emulator = Emulator.start(read());
        } catch (ScenarioException e) {
            System.err.println(e.getMessage());
            return 2;
        }
        System.err.println("emulator ready: gRPC at port " + emulator.port()
                + (emulator.httpPort() < 0 ? "" : ", HTTP at port " + emulator.httpPort()));
        Runtime.getRuntime().addShutdownHook(new Thread(emulator::close, "shutdown"));
        new CountDownLatch(1).await();
        return 0;
    }

    private Scenario read() {
        Path file = Path.of(scenario);
        if (!Files.exists(file) && scenario.matches("[a-z0-9-]+")) {
            try (InputStream builtIn = Emulator.class.getResourceAsStream("/scenarios/" + scenario + ".yaml")) {
                if (builtIn != null) {
                    String text = new String(builtIn.readAllBytes(), StandardCharsets.UTF_8);
                    return Scenario.parse(scenario + ".yaml", text);
                }
            } catch (IOException e) {
                throw new ScenarioException(scenario + ": cannot be read: " + e.getMessage());
            }
        }
        if (!Files.isRegularFile(file)) {
            throw new ScenarioException(scenario + ": no such file, and no built-in scenario of that name");
        }
        return Scenario.read(file);
    }
}
