package dev.lightpath.app.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A shell in which the commands of a runbook mean the local environment, with the rights that docs/access.md gives to
 * whom is on call. Operator and driver are processes there and no pods: what a page asks of their pods is asked of the
 * processes, once the API server has allowed it. On loopback the driver has no TLS.
 */
final class RunbookShell {
    private static final Pattern BINDING =
            Pattern.compile("(?m)^    kubectl (create (?:cluster)?rolebinding optics-.*) --group=optics$");

    private static final String KUBECTL = """
            #!/usr/bin/env bash
            case " $* " in
              *" logs "*lightpath-driver*) exec "@local@/logs" driver --port-base @base@ ;;
              *" logs "*) exec "@local@/logs" operator --port-base @base@ ;;
              *" delete pod -l app.kubernetes.io/name=lightpath-operator "*) exec "@local@/restart" operator --port-base @base@ ;;
              *" port-forward "*) echo "the driver listens here" ;;
              *" top pods "*) ps -o pcpu,rss,args "$(cat "@state@/operator.pid")" ;;
              *) exec "@kubectl@" "$@" ;;
            esac
            """;

    private final LocalEnvironment environment;
    private final Path folder;
    private final String state;
    private final Path onCall;

    RunbookShell(LocalEnvironment environment, int base, Path folder) throws IOException, InterruptedException {
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
        onCall = Files.writeString(folder.resolve("oncall.kubeconfig"), kubeconfig());
    }

    /** Of a service account that has what the page gives to the group {@code optics}, and nothing else. */
    private String kubeconfig() throws IOException, InterruptedException {
        environment.kubectl("create", "serviceaccount", "optics", "-n", "default");
        Matcher binding = BINDING.matcher(Files.readString(DashboardsTest.ROOT.resolve("docs/access.md")));
        int bindings = 0;
        for (; binding.find(); bindings++) {
            List<String> command = new ArrayList<>(List.of(binding.group(1).split("\\s+")));
            command.add("--serviceaccount=default:optics");
            environment.kubectl(command.toArray(String[]::new));
        }
        assertThat(bindings).isEqualTo(7);
        String token = environment.kubectl("create", "token", "optics", "-n", "default", "--duration=10h");
        return Files.readString(Path.of(environment.variable("KUBECONFIG")))
                .replaceFirst("token: \"[^\"]*\"", "token: \"" + token.strip() + '"');
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
                .replace("https://127.0.0.1:9441", "http://" + environment.address(13))
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
        // the pages leave these to an administrator of the cluster
        boolean administrator = command.contains("apply --server-side") || command.contains("apply -f -");
        builder.environment().put("KUBECONFIG", administrator ? environment.variable("KUBECONFIG") : onCall.toString());
        Process process = builder.start();
        if (!process.waitFor(3, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            throw new AssertionError(command + " did not end: " + Files.readString(output));
        }
        return new Said(command, process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
    }
}
