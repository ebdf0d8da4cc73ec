package dev.lightpath.sim;

import dev.lightpath.sim.scenario.Scenario;
import dev.lightpath.sim.scenario.ScenarioException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine;
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

    /** Wrong arguments end with 2 and one line. */
    static CommandLine line() {
        return new CommandLine(new EmulatorCommand()).setParameterExceptionHandler((wrong, arguments) -> {
            wrong.getCommandLine().getErr().println(wrong.getMessage() + "; --help tells more");
            return 2;
        });
    }

    @Override
    public Integer call() throws InterruptedException {
        Emulator emulator;
        try {
            emulator = Emulator.start(scenario(scenario));
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

    /**
     * Reads a scenario for a process: without {@code http} it is served at the usual port, where whoever starts the
     * process waits for it.
     *
     * @param name a file, or the name of a built-in scenario
     */
    static Scenario scenario(String name) {
        Path file = Path.of(name);
        if (!Files.exists(file) && name.matches("[a-z0-9-]+")) {
            try (InputStream builtIn = Emulator.class.getResourceAsStream("/scenarios/" + name + ".yaml")) {
                if (builtIn != null) {
                    String text = new String(builtIn.readAllBytes(), StandardCharsets.UTF_8);
                    return Scenario.ofProcess(name + ".yaml", text);
                }
            } catch (IOException e) {
                throw new ScenarioException(name + ": cannot be read: " + e.getMessage());
            }
        }
        if (Files.isDirectory(file)) {
            throw new ScenarioException(name + ": a directory, a file is needed");
        }
        if (!Files.exists(file)) {
            throw new ScenarioException(name + ": no such file, and no built-in scenario of that name");
        }
        try {
            return Scenario.ofProcess(name, Files.readString(file));
        } catch (CharacterCodingException e) {
            throw new ScenarioException(name + ": no text in UTF-8");
        } catch (IOException e) {
            throw new ScenarioException(name + ": cannot be read: " + e.getMessage());
        }
    }
}
