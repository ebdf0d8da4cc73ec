package dev.lightpath.worker.server;

import dev.lightpath.serving.pages.StatusPages;
import dev.lightpath.serving.pages.StatusPages.Page;
import dev.lightpath.serving.tls.TlsFiles;
import dev.lightpath.worker.child.ChildSearch;
import dev.lightpath.worker.wire.SearchCodec;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.ServerCredentials;
import io.grpc.TlsServerCredentials;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All parts of a worker. Closing it ends its searches; the operator asks another worker. */
public final class RunningWorker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RunningWorker.class);

    private static final long CALLS_END_SECONDS = 2;
    private static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";

    private final ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("worker-timers").daemon(true).factory());
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HealthStatusManager health = new HealthStatusManager();
    private final WorkerMeters meters;
    private final SearchCalls calls;
    private final Server server;
    private final StatusPages pages;

    /** @throws IOException with one line: a port in use, files of TLS that cannot be used */
    public RunningWorker(WorkerSettings settings) throws IOException {
        Places places = new Places(settings.places());
        meters = new WorkerMeters(places, settings.tls().map(WorkerSettings.Tls::certificate));
        calls = new SearchCalls(
                places, () -> new ChildSearch(settings.child(), settings.longest(), settings.grace()), meters, threads);
        server = server(settings);
        pages = pages(settings);
        health.setStatus("", ServingStatus.SERVING);
        LOG.atInfo()
                .addKeyValue("port", server.getPort())
                .addKeyValue("http", pages.port())
                .addKeyValue("places", places.all())
                .log("worker serves");
    }

    private Server server(WorkerSettings settings) throws IOException {
        NettyServerBuilder builder = NettyServerBuilder.forAddress(settings.listen(), credentials(settings))
                .executor(threads)
                .maxInboundMessageSize(SearchCodec.MOST_QUESTION_BYTES)
                .permitKeepAliveTime(1, TimeUnit.SECONDS)
                .permitKeepAliveWithoutCalls(true)
                .keepAliveTime(10, TimeUnit.SECONDS)
                .keepAliveTimeout(10, TimeUnit.SECONDS)
                .addService(calls)
                .addService(health.getHealthService());
        if (settings.tls().isPresent()) {
            builder.intercept(new KnownCallers(settings.tls().get().callers()));
        } else {
            LOG.atWarn().log("no tls: whoever reaches this worker may use it");
        }
        try {
            return builder.build().start();
        } catch (IOException e) {
            throw unusable("listen", settings.listen(), e.getCause() == null ? e : e.getCause());
        }
    }

    private ServerCredentials credentials(WorkerSettings settings) throws IOException {
        if (settings.tls().isEmpty()) {
            return InsecureServerCredentials.create();
        }
        WorkerSettings.Tls tls = settings.tls().get();
        try {
            return TlsServerCredentials.newBuilder()
                    .keyManager(TlsFiles.identity(tls.certificate(), tls.key(), timers))
                    .trustManager(TlsFiles.clients(tls.authorities(), timers))
                    .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE)
                    .build();
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw unusable(tls, e);
        }
    }

    private StatusPages pages(WorkerSettings settings) throws IOException {
        StatusPages.Answer ok = new StatusPages.Answer(200, "text/plain", "ok\n");
        try {
            return new StatusPages(
                    settings.http(),
                    threads,
                    java.util.List.of(
                            Page.open("/live", request -> ok), Page.known("/metrics", request -> scrape(request))),
                    settings.tls().isPresent()
                            ? Optional.of(secured(settings.tls().get()))
                            : Optional.empty());
        } catch (IOException e) {
            server.shutdownNow();
            throw unusable("http", settings.http(), e);
        }
    }

    private StatusPages.Tls secured(WorkerSettings.Tls tls) throws IOException {
        KnownCallers scrapers = new KnownCallers(tls.scrapers());
        try {
            return new StatusPages.Tls(
                    TlsFiles.context(tls.certificate(), tls.key(), tls.authorities(), timers),
                    scrapers::knows,
                    "has a name of --scraper");
        } catch (GeneralSecurityException e) {
            throw unusable(tls, e);
        }
    }

    private StatusPages.Answer scrape(StatusPages.Request request) {
        String type = request.accept().contains("application/openmetrics-text") ? OPEN_METRICS : StatusPages.METRICS;
        return new StatusPages.Answer(200, type, meters.scrape(type));
    }

    private static IOException unusable(String option, InetSocketAddress address, Throwable why) {
        return new IOException(
                "--" + option + " " + address.getHostString() + ":" + address.getPort() + " cannot be used: "
                        + why.getMessage(),
                why);
    }

    private static IOException unusable(WorkerSettings.Tls tls, Exception why) {
        return new IOException("--tls " + tls.folder() + " cannot be used: " + why.getMessage(), why);
    }

    /** Port of the gRPC server. */
    public int port() {
        return server.getPort();
    }

    /** Port of health and metrics. */
    public int httpPort() {
        return pages.port();
    }

    /** Blocks until closed. */
    public void awaitTermination() throws InterruptedException {
        server.awaitTermination();
    }

    /** Takes no more questions, and waits so long for the searches that run. */
    public void drain(Duration patience) {
        health.enterTerminalState();
        server.shutdown();
        try {
            if (!server.awaitTermination(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.atInfo().log("searches that still run are ended; the operator asks another worker");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        server.shutdown();
        calls.end();
        try {
            // so long for connections to carry what was said last
            server.awaitTermination(CALLS_END_SECONDS, TimeUnit.SECONDS);
            server.shutdownNow();
            if (!server.awaitTermination(CALLS_END_SECONDS, TimeUnit.SECONDS)) {
                LOG.atWarn().log("some calls have not ended; they end with the process");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        pages.close();
        timers.shutdownNow();
        threads.shutdownNow();
        meters.close();
    }
}
