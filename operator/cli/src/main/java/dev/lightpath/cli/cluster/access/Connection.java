package dev.lightpath.cli.cluster.access;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.console.text.BadInput;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.File;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds the API server as kubectl does, and says in one line why it does not answer. */
public final class Connection {
    private static final int CONNECT_MILLIS = 5_000;
    private static final int REQUEST_MILLIS = 60_000;
    private static final Path SERVICE_ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount/token");

    private Connection() {}

    /** @throws BadInput when nothing names a cluster, or the file or context named is not there */
    static Config config(@Nullable Path kubeconfig, @Nullable String context) {
        Config config = read(kubeconfig, context);
        config.setConnectionTimeout(CONNECT_MILLIS);
        config.setRequestTimeout(REQUEST_MILLIS);
        config.setRequestRetryBackoffLimit(1);
        return config;
    }

    private static Config read(@Nullable Path kubeconfig, @Nullable String context) {
        if (kubeconfig == null && Config.getKubeconfigFilenames().stream().noneMatch(name -> new File(name).isFile())) {
            if (Files.isReadable(SERVICE_ACCOUNT) && context == null) {
                return Config.autoConfigure(null);
            }
            throw new BadInput("no cluster: there is no kubeconfig at "
                    + String.join(" or ", Config.getKubeconfigFilenames())
                    + "; name one with --kubeconfig or KUBECONFIG");
        }
        try {
            Config config = kubeconfig == null
                    ? Config.autoConfigure(context)
                    : Config.fromKubeconfig(context, Files.readString(kubeconfig), kubeconfig.toString());
            String where = kubeconfig == null ? "the kubeconfig " + there() : kubeconfig.toString();
            check(config, context, where);
            checkFiles(
                    config,
                    kubeconfig == null
                            ? Config.getKubeconfigFilenames().stream()
                                    .map(Path::of)
                                    .filter(Files::isRegularFile)
                                    .toList()
                            : List.of(kubeconfig),
                    where);
            return config;
        } catch (IOException e) {
            throw new BadInput("--kubeconfig " + kubeconfig + ": cannot be read", e);
        } catch (BadInput told) {
            throw told;
        } catch (RuntimeException e) {
            // what a parser says of a file that is no kubeconfig
            throw new BadInput(
                    (kubeconfig == null ? "the kubeconfig " + there() : "--kubeconfig " + kubeconfig) + ": is none: "
                            + firstLine(e.getMessage()),
                    e);
        }
    }

    /** The files that KUBECONFIG names, or the usual one. */
    private static String there() {
        return Config.getKubeconfigFilenames().stream()
                .filter(name -> new File(name).isFile())
                .collect(Collectors.joining(" and "));
    }

    private static void check(Config config, @Nullable String context, String where) {
        java.util.List<String> names = config.getContexts().stream()
                .map(NamedContext::getName)
                .sorted()
                .toList();
        if (context != null && !names.contains(context)) {
            throw new BadInput("--context " + context + ": not in " + where + ", allowed: " + String.join(", ", names));
        }
        if (config.getCurrentContext() == null) {
            throw new BadInput(where + ": names no current context; choose one with --context"
                    + (names.isEmpty() ? "" : ": " + String.join(", ", names)));
        }
    }

    /** A file that is missing would look like a server that does not answer, and a program like a lack of rights. */
    private static void checkFiles(Config config, List<Path> kubeconfigs, String where) {
        Map<String, @Nullable String> files = new LinkedHashMap<>();
        files.put("certificate-authority", config.getCaCertFile());
        files.put("client-certificate", config.getClientCertFile());
        files.put("client-key", config.getClientKeyFile());
        files.forEach((field, file) -> {
            if (file != null && !file.isBlank() && !Files.isReadable(Path.of(file))) {
                throw new BadInput(where + ": " + field + " " + file + ": there is no such file, or it cannot be read");
            }
        });
        NamedContext current = config.getCurrentContext();
        String user = current == null ? null : current.getContext().getUser();
        for (Path file : kubeconfigs) {
            for (JsonNode each : read(file).path("users")) {
                String command = each.at("/user/exec/command").asText();
                if (each.path("name").asText().equals(user) && !command.isEmpty() && !isProgram(command)) {
                    throw new BadInput(where + ": user " + user + " gets credentials from the program " + command
                            + ", which is not on PATH");
                }
            }
        }
    }

    private static JsonNode read(Path kubeconfig) {
        try {
            return Manifests.mapper().readTree(kubeconfig.toFile());
        } catch (IOException e) {
            throw new BadInput(kubeconfig + ": cannot be read: " + firstLine(e.getMessage()), e);
        }
    }

    private static boolean isProgram(String command) {
        return command.contains("/")
                ? Files.isExecutable(Path.of(command))
                : Arrays.stream(Objects.requireNonNullElse(System.getenv("PATH"), "")
                                .split(File.pathSeparator))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, command)));
    }

    /** What the API server or the way to it said, as one line about what to do. */
    public static BadInput explain(KubernetesClientException e, String server) {
        String said = e.getStatus() == null || e.getStatus().getMessage() == null
                ? firstLine(e.getMessage())
                : firstLine(e.getStatus().getMessage());
        if (e.getStatus() == null && e.getCode() <= 0) {
            return new BadInput(
                    "no answer from the API server " + server + " (" + firstLine(rootMessage(e))
                            + "); is it running, and is this the cluster you mean (--context, --kubeconfig)?",
                    e);
        }
        return new BadInput(
                switch (e.getCode()) {
                    case 401 ->
                        "the API server " + server
                                + " does not know you: check the credentials of the context (--context, --kubeconfig)";
                    case 403 ->
                        "forbidden: " + said
                                + (said.contains("trainingjobs") && said.contains("cluster scope")
                                        ? "; `status -n NAMESPACE` shows one namespace, anything else needs ClusterRole lightpath-preview"
                                        : "");
                    default -> "the API server refused: " + said;
                },
                e);
    }

    private static String rootMessage(Throwable e) {
        Throwable root = e;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
            if (root instanceof ConnectException) {
                return "connection refused";
            }
        }
        String message = root.getMessage();
        return message == null ? root.getClass().getSimpleName() : message;
    }

    public static String firstLine(@Nullable String message) {
        return message == null ? "no reason given" : message.strip().split("\n", 2)[0];
    }
}
