package dev.lightpath.app.monitoring;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A shell in which the commands of a runbook mean the local environment. Operator and driver are processes there and no
 * pods: what a page does inside of their pods is done beside the processes.
 */
final class RunbookShell {
    private static final String KUBECTL = """
            #!/usr/bin/env bash
            case " $* " in
              *" exec lightpath-driver-0 -- "*) while [ "$1" != -- ]; do shift; done; shift; exec "$@" ;;
              *" logs "*lightpath-driver*) exec "@local@/logs" driver --port-base @base@ ;;
              *" logs "*) exec "@local@/logs" operator --port-base @base@ ;;
              *" rollout restart deployment/lightpath-operator "*) exec "@local@/restart" operator --port-base @base@ ;;
              *" port-forward "*) echo "the driver listens here" ;;
              *" top pods "*) ps -o pcpu,rss,args "$(cat "@state@/operator.pid")" ;;
              *) exec "@kubectl@" "$@" ;;
            esac
            """;

    private final LocalEnvironment environment;
    private final Path folder;
    private final String state;

    RunbookShell(LocalEnvironment environment, int base, Path folder) throws IOException {
        this.environment = environment;
        this.folder = folder;
        this.state = environment.variable("STATE");
        Path kubectl = Files.writeString(
                Files.createDirectory(folder.resolve("bin")).resolve("kubectl"),
                KUBECTL.replace(
                                "@local@",
                                DashboardsTest.ROOT
                                        .resolve("deploy/local")
                                        .toAbsolutePath()
                                        .normalize()
                                        .toString())
                        .replace("@base@", Integer.toString(base))
                        .replace("@state@", state)
                        .replace("@kubectl@", environment.variable("KUBECTL")));
        if (!kubectl.toFile().setExecutable(true)) {
            throw new IOException(kubectl + " cannot be made executable");
        }
    }

    /** Everything a command printed. */
    record Said(String command, int code, String text) {}

    /** @param names what stands for FABRIC, NODE and the like */
    Said run(String command, Map<String, String> names) throws IOException, InterruptedException {
        String meant = command;
        for (Map.Entry<String, String> name : names.entrySet()) {
            meant = meant.replaceAll("\\b" + name.getKey() + "\\b", name.getValue());
        }
        return run(meant.replace("/var/lib/lightpath-driver", state + "/driver")
                .replace("http://127.0.0.1:9441", "http://" + environment.address(13))
                .replaceFirst("^curl ", "curl -sS "));
    }

    Said run(String command) throws IOException, InterruptedException {
        Path output = Files.createTempFile(folder, "command", ".out");
        List<String> shell = new ArrayList<>(List.of("bash", "-o", "pipefail", "-c", command));
        ProcessBuilder builder = new ProcessBuilder(shell)
                .directory(DashboardsTest.ROOT.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().merge("PATH", folder.resolve("bin").toString(), (path, ours) -> ours + ":" + path);
        builder.environment().put("KUBECONFIG", environment.variable("KUBECONFIG"));
        Process process = builder.start();
        if (!process.waitFor(3, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            throw new AssertionError(command + " did not end: " + Files.readString(output));
        }
        return new Said(command, process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
    }
}
