package dev.lightpath.benchmarks.whole;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** The packaged operator as a process, with the options of its image in a container of a size. */
final class Operator implements AutoCloseable {
    /** Of which its image gives the heap seven tenths: 1 GiB. */
    private static final String MEMORY = "-XX:MaxRAM=1463m";

    private final String name;
    private final int port;
    private final Program program;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /**
     * One that leads.
     *
     * @param root of the checkout, built
     */
    static Operator leader(Path root, Path folder, Path kubeconfig, int port, List<String> options) {
        Operator operator = new Operator("operator", root, folder, kubeconfig, port, options);
        operator.await("it leads", operator::leads);
        return operator;
    }

    /** One that stands by while another leads. */
    static Operator standby(Path root, Path folder, Path kubeconfig, String name, int port, List<String> options) {
        Operator operator = new Operator(name, root, folder, kubeconfig, port, options);
        operator.await("it is ready", operator::isReady);
        return operator;
    }

    private Operator(String name, Path root, Path folder, Path kubeconfig, int port, List<String> options) {
        this.name = name;
        this.port = port;
        List<String> command =
                new ArrayList<>(List.of(java(), "@" + root.resolve("deploy/images/operator.jvm"), MEMORY));
        command.addAll(options);
        command.addAll(List.of(
                "-Dquarkus.http.host=127.0.0.1",
                "-Dquarkus.http.port=" + port,
                "-Dlightpath.metrics.anonymous=true",
                "-jar",
                root.resolve("operator/app/target/quarkus-app/quarkus-run.jar").toString()));
        program = Program.start(
                name,
                folder,
                Map.of("KUBECONFIG", kubeconfig.toString(), "POD_NAMESPACE", "lightpath-system", "POD_NAME", name),
                command);
    }

    private void await(String what, BooleanSupplier state) {
        try {
            Patience.until(name + ": " + what, 120, () -> {
                program.assertAlive();
                return state.getAsBoolean();
            });
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private boolean leads() {
        try {
            return series().sum("lightpath_epoch") > 0;
        } catch (UncheckedIOException e) {
            return false;
        }
    }

    private boolean isReady() {
        try {
            return get("/q/health/ready").statusCode() == 200;
        } catch (UncheckedIOException e) {
            return false;
        }
    }

    private HttpResponse<String> get(String path) {
        try {
            return http.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                            .timeout(Duration.ofSeconds(30))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** How long its HTTP server, which runs on Vert.x's event loops, takes to answer. */
    long answerNanos() {
        long began = System.nanoTime();
        var unused = get("/q/health/live");
        return System.nanoTime() - began;
    }

    /** Its series now, by name with tags. */
    Series series() {
        Map<String, Double> values = new TreeMap<>();
        get("/q/metrics").body().lines().filter(line -> !line.startsWith("#")).forEach(line -> {
            int end = line.lastIndexOf(' ');
            values.put(line.substring(0, end), Double.parseDouble(line.substring(end + 1)));
        });
        return new Series(values);
    }

    Program program() {
        return program;
    }

    /** Heap in use after a full collection, in MiB. */
    long heapMib() {
        try {
            Process collection = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "jcmd")
                                    .toString(),
                            Long.toString(program.pid()),
                            "GC.run")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!collection.waitFor(60, TimeUnit.SECONDS)) {
                throw new IllegalStateException("no collection within 60 s");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return Math.round(series().sum("jvm_memory_used_bytes{area=\"heap\"") / (1 << 20));
    }

    @Override
    public void close() {
        program.close();
        // close() would wait for answers that never come
        http.shutdownNow();
    }

    /** A scrape. */
    record Series(Map<String, Double> values) {
        /** The sum of all series whose name with tags begins so. */
        double sum(String prefix) {
            return values.entrySet().stream()
                    .filter(entry -> entry.getKey().startsWith(prefix))
                    .mapToDouble(Map.Entry::getValue)
                    .sum();
        }

        /** The bound of the histogram's bucket, in seconds, that holds this percentile of what was recorded since. */
        double percentile(Series before, String histogram, double percent) {
            TreeMap<Double, Double> counts = new TreeMap<>();
            values.forEach((name, value) -> {
                if (name.startsWith(histogram + "_bucket{") && name.contains("le=\"")) {
                    String bound = name.replaceAll(".*le=\"([^\"]*)\".*", "$1");
                    counts.merge(
                            bound.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(bound),
                            value - Objects.requireNonNullElse(before.values.get(name), 0.0),
                            Double::sum);
                }
            });
            double wanted = counts.isEmpty() ? 0 : counts.lastEntry().getValue() * percent / 100;
            return counts.entrySet().stream()
                    .filter(entry -> entry.getValue() >= wanted)
                    .mapToDouble(Map.Entry::getKey)
                    .findFirst()
                    .orElse(Double.NaN);
        }
    }
}
