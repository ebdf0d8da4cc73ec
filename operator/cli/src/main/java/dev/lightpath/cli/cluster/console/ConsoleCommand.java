package dev.lightpath.cli.cluster.console;

import dev.lightpath.cli.cluster.access.ClusterOptions;
import dev.lightpath.cli.cluster.access.OperatorOptions;
import dev.lightpath.console.text.BadInput;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kubectl lightpath console}. */
@Command(
        name = "console",
        description = "Shows the cluster in a browser on this machine, with your own rights. Ends with Ctrl-C.",
        mixinStandardHelpOptions = true)
public final class ConsoleCommand implements Callable<Integer> {
    @Option(names = "--port", paramLabel = "N", description = "of 127.0.0.1; default: any that is free")
    private int port;

    @Option(names = "--read-only", description = "without drain, clear, pause, resume and force-release")
    private boolean readOnly;

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private OperatorOptions operator = new OperatorOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli fills it before the command runs
    private CommandSpec spec;

    @Override
    public Integer call() {
        if (port < 0 || port > 65535) {
            throw new BadInput("--port " + port + ": allowed is 0 to 65535");
        }
        PrintWriter err = spec.commandLine().getErr();
        return cluster.with(api -> {
            try (Watches watches = Watches.over(api, cluster.chosenNamespace(), operator, line -> {
                        err.println(line);
                        err.flush();
                    });
                    ConsoleServer server = ConsoleServer.start(port, watches, new Answers(api, operator, readOnly))) {
                PrintWriter out = spec.commandLine().getOut();
                out.println(server.address());
                out.flush();
                new CountDownLatch(1).await();
            } catch (IOException e) {
                throw new BadInput("--port " + port + ": " + e.getMessage(), e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return 0;
        });
    }
}
