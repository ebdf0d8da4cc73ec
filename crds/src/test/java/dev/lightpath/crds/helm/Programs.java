package dev.lightpath.crds.helm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.apiserver.ControlPlaneBinaries;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * helm and kubectl, against one API server.
 *
 * @param folder for what they write; helm finds neither plug-ins nor settings of the user
 */
record Programs(Path folder, String kubeConfig) {
    private static final Path CHECKOUT = ControlPlaneBinaries.checkout();
    private static final Path HELM = CHECKOUT.resolve("deploy/helm/helm");
    static final Path KUSTOMIZE = CHECKOUT.resolve("deploy/kubernetes");
    static final Path CHART = CHECKOUT.resolve("deploy/helm/lightpath");

    /** Between backquotes, or on a line of its own. */
    private static final Pattern QUOTED = Pattern.compile("`helm\\s+([^`]+)`|\\n +helm ([^\n]+)");

    /** @param error what it wrote to standard error */
    record Outcome(int code, String output, String error) {
        /** Its output, when it ended well. */
        String expectSuccess() {
            assertThat(code).as(error).isZero();
            return output;
        }
    }

    /** Builds helm where it is not there yet, which takes minutes and says so. */
    static void prepare() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(HELM.toString(), "version", "--short")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String version = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor())
                .as("no helm for the integration tests: the last line on standard error says why")
                .isZero();
        assertThat(version).startsWith("v4.");
    }

    Outcome helm(String... arguments) throws IOException, InterruptedException {
        return run(HELM, arguments);
    }

    Outcome kubectl(String... arguments) throws IOException, InterruptedException {
        return run(ControlPlaneBinaries.ofCheckout().home().resolve("bin/kubectl"), arguments);
    }

    /**
     * Runs a command of helm as a page has it.
     *
     * @param page below docs; values.yaml is that of the folder
     * @param fragment of the command
     * @param chart in place of that of the checkout
     * @param more arguments
     */
    Outcome documented(String page, String fragment, Path chart, String... more)
            throws IOException, InterruptedException {
        List<String> commands = QUOTED.matcher(
                        Files.readString(CHECKOUT.resolve("docs").resolve(page)))
                .results()
                .map(match -> match.group(1) == null ? match.group(2) : match.group(1))
                .filter(command -> command.contains(fragment))
                .toList();
        assertThat(commands).as("%s in %s", fragment, page).isNotEmpty();
        return helm(Stream.concat(
                        Stream.of(commands.getFirst().split("\\s+")).map(word -> switch (word) {
                            case "deploy/helm/lightpath" -> chart.toString();
                            case "values.yaml" -> folder.resolve(word).toString();
                            default -> word;
                        }),
                        Stream.of(more))
                .toArray(String[]::new));
    }

    /** The objects of an overlay or component of deploy/kubernetes. */
    Objects kustomize(String name) throws IOException, InterruptedException {
        Path overlay = KUSTOMIZE.resolve(name);
        return Objects.read(kubectl("kustomize", overlay.toString()).expectSuccess());
    }

    /** What the chart makes of values, as the release lightpath in lightpath-system. */
    Objects template(String... values) throws IOException, InterruptedException {
        return Objects.read(helm(Stream.concat(
                                Stream.of(
                                        "template",
                                        "lightpath",
                                        CHART.toString(),
                                        "--namespace",
                                        "lightpath-system",
                                        "--skip-tests"),
                                Stream.of(values))
                        .toArray(String[]::new))
                .expectSuccess());
    }

    private Outcome run(Path program, String... arguments) throws IOException, InterruptedException {
        Path error = Files.createTempFile(folder, "error", ".txt");
        Path access = Files.writeString(folder.resolve("kubeconfig"), kubeConfig);
        var command = new ProcessBuilder(Stream.concat(Stream.of(program.toString()), Stream.of(arguments))
                .toList());
        command.environment().put("KUBECONFIG", access.toString());
        for (String home : List.of("HELM_CACHE_HOME", "HELM_CONFIG_HOME", "HELM_DATA_HOME")) {
            command.environment().put(home, folder.resolve(home).toString());
        }
        Process process = command.redirectError(error.toFile()).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Outcome(process.waitFor(), output, Files.readString(error));
    }
}
