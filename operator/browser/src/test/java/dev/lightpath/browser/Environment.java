package dev.lightpath.browser;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * The local environment under test: what the API says, what the emulated hardware does, and the command line.
 *
 * @param kubectl of the environment
 * @param operator address of the operator's HTTP port
 * @param hardware address of the emulator's HTTP port
 * @param portBase names the environment
 */
record Environment(String kubectl, String operator, String hardware, String portBase) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path LOCAL = Path.of("..", "..", "deploy", "local");

    /** A console that runs. */
    record Console(Process process, String address) implements AutoCloseable {
        /** Waits for its end, so that what is told of it is told. */
        @Override
        public void close() {
            process.destroy();
            try {
                process.waitFor();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** @throws IllegalStateException without an environment */
    static Environment fromVariables() {
        return new Environment(
                variable("LIGHTPATH_KUBECTL"),
                variable("LIGHTPATH_OPERATOR"),
                variable("LIGHTPATH_HARDWARE"),
                variable("LIGHTPATH_PORT_BASE"));
    }

    static String variable(String name) {
        String value = System.getenv(name);
        if (value == null || value.isBlank()) {
            throw new IllegalStateException(
                    name + " is not set: run deploy/local/browser-test, which starts an environment");
        }
        return value;
    }

    String run(String... arguments) {
        List<String> command = new ArrayList<>(List.of(kubectl));
        command.addAll(List.of(arguments));
        return fed("", command);
    }

    void apply(String yaml) {
        String unused = fed(yaml, List.of(kubectl, "apply", "-f", "-"));
    }

    JsonNode json(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("-o", "json"));
        return parsed(run(all.toArray(String[]::new)));
    }

    /** Ends a process of the environment and starts it again; returns when it is ready. */
    void restart(String process) {
        String unused = fed("", List.of(LOCAL.resolve("restart").toString(), process, "--port-base", portBase));
    }

    /** The egress of each ingress that passes light on a device now, by the hardware itself. */
    Map<String, String> light(String device) {
        for (JsonNode each : parsed(body(hardware + "/ground-truth")).findParents("deviceId")) {
            if (each.get("deviceId").asText().equals(device)) {
                Map<String, String> light = new TreeMap<>();
                each.get("circuits")
                        .forEach(of -> light.put(
                                of.get("ingress").asText(), of.get("egress").asText()));
                return light;
            }
        }
        throw new IllegalStateException("the hardware has no device " + device);
    }

    /** What each bundle of a transceiver does: {@code path 1}, {@code path 2}, {@code loops back} or {@code dark}. */
    List<String> bundles(String node, int reach) {
        Map<String, String> light = light(node);
        List<String> bundles = new ArrayList<>();
        for (int bundle = 0; bundle < reach; bundle++) {
            String egress = light.getOrDefault("b" + bundle + ".common", "dark");
            bundles.add(
                    switch (egress.substring(egress.indexOf('.') + 1)) {
                        case "path1" -> "path 1";
                        case "path2" -> "path 2";
                        case "loop" -> "loops back";
                        default -> egress;
                    });
        }
        return bundles;
    }

    private static String body(String address) {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(HttpRequest.newBuilder(URI.create(address)).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException e) {
            throw new IllegalStateException(address, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(address, e);
        }
    }

    private static String fed(String input, List<String> command) {
        try {
            Path errors = Files.createTempFile("browser", ".err");
            Process process =
                    new ProcessBuilder(command).redirectError(errors.toFile()).start();
            try (var in = process.getOutputStream()) {
                in.write(input.getBytes(StandardCharsets.UTF_8));
            }
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(300, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IllegalStateException(command + ": " + Files.readString(errors));
            }
            Files.delete(errors);
            return out;
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(command.toString(), e);
        }
    }

    private static JsonNode parsed(String text) {
        try {
            return JSON.readTree(text);
        } catch (IOException e) {
            throw new IllegalStateException(text, e);
        }
    }

    /** The console of the command line, which reads the light back by this operator. */
    Console console() {
        try {
            Process process = new ProcessBuilder(kubectl, "lightpath", "console", "--operator", operator)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            String line = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))
                    .readLine();
            if (line == null) {
                throw new IllegalStateException("the console ended at once");
            }
            return new Console(process, line);
        } catch (IOException e) {
            throw new IllegalStateException("the console does not start", e);
        }
    }
}
