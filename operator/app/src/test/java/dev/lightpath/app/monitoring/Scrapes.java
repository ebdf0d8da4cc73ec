package dev.lightpath.app.monitoring;

import dev.lightpath.app.driver.TestIdentity;
import dev.lightpath.app.publish.metrics.OperatorScrape;
import dev.lightpath.driver.DriverServer;
import dev.lightpath.driver.config.DriverConfig;
import dev.lightpath.driver.server.RunningDriver;
import dev.lightpath.serving.tls.TlsFiles;
import dev.lightpath.sim.Emulator;
import dev.lightpath.sim.scenario.Scenario;
import dev.lightpath.tracing.Tracing;
import dev.lightpath.worker.server.RunningWorker;
import dev.lightpath.worker.server.WorkerSettings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/**
 * What the processes export: the operator's registry after a pass over everything that has a series, and the pages of a
 * driver in front of an emulated ring and a switch with a circuit, and of one in front of a switch that measures loss;
 * and of a worker.
 */
record Scrapes(Catalogue operator, Catalogue driver, Catalogue ports, Catalogue worker) {
    private static final String DEVICES = """
        {listen: '127.0.0.1:0', seed: 7, ring: {nodes: 8, reach: 3},
         devices: [{id: rack-, count: 2, kind: endpoints, ports: 1},
                   {id: ocs-, count: 1, kind: switch, ports: 8, twoSided: false, preset: mems}],
         fibres: [{a: rack-0/1, b: ocs-0/1}, {a: rack-1/1, b: ocs-0/2}]}\
        """;

    /** Reads all of them anew. */
    static Scrapes take(Path folder) throws IOException, InterruptedException {
        Path secrets = folder.resolve("measuring");
        try (Emulator emulator = Emulator.start(Scenario.parse("monitoring.yaml", DEVICES));
                DriverServer driver = DriverServer.start(
                        DriverConfig.onLoopback(folder.resolve("driver"), "127.0.0.1:" + emulator.port()));
                RunningDriver measuring = new RunningDriver(
                        secured(DriverConfig.onLoopback(secrets, "127.0.0.1:" + emulator.port())),
                        List.of(new MeasuringSwitch()),
                        Clock.systemUTC(),
                        Tracing.silent());
                RunningWorker worker = new RunningWorker(worker(secrets))) {
            LitSwitch.light(driver.port());
            String emulated = "http://127.0.0.1:" + driver.httpPort();
            String measured = "https://127.0.0.1:" + measuring.httpPort();
            return new Scrapes(
                    Catalogue.of("the operator", OperatorScrape.text()),
                    Catalogue.of("the driver", page(emulated + "/metrics") + page(measured + "/metrics", secrets)),
                    Catalogue.of(
                            "the driver's page of ports",
                            page(emulated + "/metrics/ports?device=*") + page(measured + "/metrics/ports", secrets)),
                    Catalogue.of("the worker", page("https://localhost:" + worker.httpPort() + "/metrics", secrets)));
        }
    }

    private static DriverConfig secured(DriverConfig plain) throws IOException, InterruptedException {
        Path folder = Files.createDirectories(plain.stateDirectory());
        TestIdentity identity = TestIdentity.make(folder, "driver");
        Path certificate = Files.writeString(folder.resolve("tls.crt"), identity.certificate());
        Path key = Files.writeString(folder.resolve("tls.key"), identity.privateKey());
        return new DriverConfig(
                plain.listen(),
                plain.http(),
                plain.stateDirectory(),
                plain.adapters(),
                Optional.of(new DriverConfig.Tls(certificate, key, certificate, List.of())),
                plain.watchBuffer(),
                plain.maxOperations());
    }

    /** One that shows the same certificate, and runs no search. */
    private static WorkerSettings worker(Path folder) throws IOException {
        Files.copy(folder.resolve("tls.crt"), folder.resolve("ca.crt"));
        var any = new InetSocketAddress("127.0.0.1", 0);
        var tls = new WorkerSettings.Tls(folder, new TreeSet<>(), new TreeSet<>(List.of("localhost")));
        return new WorkerSettings(any, any, 1, List.of("none"), Duration.ZERO, Duration.ZERO, Optional.of(tls));
    }

    /** A page of metrics. */
    static String page(String url) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return page(client, url);
        }
    }

    /** What a secured driver shows to callers on its own host. */
    private static String page(String url, Path folder) throws IOException, InterruptedException {
        Path certificate = folder.resolve("tls.crt");
        try (ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor();
                HttpClient client = HttpClient.newBuilder()
                        .sslContext(TlsFiles.context(certificate, folder.resolve("tls.key"), certificate, timers))
                        .build()) {
            return page(client, url);
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    private static String page(HttpClient client, String url) throws IOException, InterruptedException {
        HttpResponse<String> answer =
                client.send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException(url + " answered " + answer.statusCode() + ": " + answer.body());
        }
        return answer.body();
    }

    Dashboards dashboards() {
        return new Dashboards(operator, driver, ports);
    }
}
