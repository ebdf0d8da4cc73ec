package dev.lightpath.driver.server;

import dev.lightpath.driver.adapter.Adapter;
import dev.lightpath.driver.audit.AuditLog;
import dev.lightpath.driver.config.Access;
import dev.lightpath.driver.config.DriverConfig;
import dev.lightpath.driver.contract.Fleet;
import dev.lightpath.driver.contract.Surroundings;
import dev.lightpath.driver.contract.view.Times;
import dev.lightpath.driver.http.AuditPage;
import dev.lightpath.driver.http.JournalPage;
import dev.lightpath.driver.http.Meters;
import dev.lightpath.driver.http.PortPage;
import dev.lightpath.driver.ledger.Ledger;
import dev.lightpath.proto.driver.v1alpha1.GetDriverInfoResponse;
import dev.lightpath.serving.pages.StatusPages;
import dev.lightpath.serving.pages.StatusPages.Page;
import dev.lightpath.tracing.TraceHeaders;
import dev.lightpath.tracing.Tracing;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All parts of a driver, started in order and stopped in reverse. Stopping moves no light. */
public final class RunningDriver implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RunningDriver.class);
    private static final String CONTRACT = "lightpath.driver.v1alpha1";
    private static final long COMPACT_ABOVE_BYTES = 16L << 20;
    private static final long CALLS_END_SECONDS = 5;
    /** Time to wait for the devices' first reports, because a client that comes earlier would take them for silent. */
    private static final Duration DEVICES_PATIENCE = Duration.ofSeconds(5);

    private final String bootId = UUID.randomUUID().toString();
    private final Instant startedAt;
    private final ScheduledExecutorService timers;
    private final ExecutorService workers;
    private final Ledger ledger;
    private final AuditLog audit;
    private final Tracing tracing;
    private final Fleet fleet;
    private final Meters meters;
    private final ChangeFeed feed = new ChangeFeed();
    private final AccessRules rules;
    private final HealthStatusManager health = new HealthStatusManager();
    private final Server server;
    private final StatusPages pages;

    /** @throws IOException with one line: a port in use, a state directory that cannot be used, bad certificates */
    public RunningDriver(DriverConfig config, List<Adapter> adapters, Clock clock, Tracing tracing) throws IOException {
        this(config, adapters, clock, tracing, Ledger.open(config.stateDirectory(), clock, COMPACT_ABOVE_BYTES));
    }

    /** As above, with a ledger already open. Ledger and tracing are closed with the driver. */
    public RunningDriver(DriverConfig config, List<Adapter> adapters, Clock clock, Tracing tracing, Ledger ledger)
            throws IOException {
        this.tracing = tracing;
        startedAt = clock.instant();
        timers = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().name("driver-timers").daemon(true).factory());
        workers = Executors.newVirtualThreadPerTaskExecutor();
        this.ledger = ledger;
        audit = AuditLog.open(config.stateDirectory(), clock);
        rules = new AccessRules(config.tls().map(DriverConfig.Tls::roles).orElse(List.of()));
        fleet = new Fleet(
                new Surroundings(ledger, audit, clock, timers, new PresenceLog().andThen(feed::publish)), adapters);
        meters = new Meters(fleet, ledger, config.stateDirectory(), config.certificates());
        boolean started = false;
        try {
            waitForDevices();
            Optional<Credentials> tls = config.tls().isPresent()
                    ? Optional.of(Credentials.of(config.tls().get(), timers))
                    : Optional.empty();
            InetSocketAddress http = address("http", config.http());
            server = grpc(config, clock, tls);
            pages = pages(config, http, tls);
            started = true;
        } finally {
            if (!started) {
                closeParts();
            }
        }
        health.setStatus("", ServingStatus.SERVING);
        var unused = timers.scheduleWithFixedDelay(this::tend, 1, 1, TimeUnit.SECONDS);
        LOG.atInfo()
                .addKeyValue("port", server.getPort())
                .addKeyValue("http", pages.port())
                .addKeyValue("devices", fleet.size())
                .addKeyValue("state", config.stateDirectory())
                .log("driver serves");
    }

    private void waitForDevices() {
        try {
            fleet.start().get(DEVICES_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            LOG.atWarn().addKeyValue("known", fleet.size()).log("not all adapters answer; their devices are silent");
        } catch (ExecutionException | InterruptedException failed) {
            throw new IllegalStateException("an adapter failed to start", failed);
        }
    }

    private Server grpc(DriverConfig config, Clock clock, Optional<Credentials> tls) throws IOException {
        Replies replies = new Replies(meters);
        NettyServerBuilder builder = NettyServerBuilder.forAddress(
                        address("listen", config.listen()),
                        tls.map(Credentials::ofCalls).orElseGet(InsecureServerCredentials::create))
                .executor(workers)
                .permitKeepAliveTime(1, TimeUnit.SECONDS)
                .permitKeepAliveWithoutCalls(true)
                .keepAliveTime(10, TimeUnit.SECONDS)
                .keepAliveTimeout(10, TimeUnit.SECONDS)
                .addService(new IdentityCalls(fleet, replies, this::driverInfo))
                .addService(new InventoryCalls(fleet, replies))
                .addService(new CircuitCalls(fleet, replies, meters, tracing.tracer(), workers, config.maxOperations()))
                .addService(new TelemetryCalls(fleet, feed, meters, workers, bootId, clock, config.watchBuffer()))
                .addService(health.getHealthService())
                .addService(ProtoReflectionServiceV1.newInstance())
                .intercept(new TraceHeaders());
        if (tls.isPresent()) {
            builder.intercept(new CallerInterceptor(rules));
        } else {
            LOG.atWarn().log("no tls: whoever reaches this driver may do everything");
        }
        try {
            return builder.build().start();
        } catch (IOException e) {
            throw new IOException(
                    "listen: " + config.listen().host() + ":" + config.listen().port() + " cannot be" + " used: "
                            + (e.getCause() == null ? e : e.getCause()).getMessage(),
                    e);
        }
    }

    private StatusPages pages(DriverConfig config, InetSocketAddress http, Optional<Credentials> tls)
            throws IOException {
        try {
            PortPage ports = new PortPage(fleet, meters.baselines());
            AuditPage changes = new AuditPage(audit);
            JournalPage journal = new JournalPage(fleet, ledger);
            return new StatusPages(
                    http,
                    workers,
                    List.of(
                            Page.open("/live", request -> new StatusPages.Answer(200, "text/plain", "ok\n")),
                            Page.open("/health", request -> healthPage()),
                            Page.known("/metrics", request -> meters.scrape(request.accept())),
                            Page.known("/metrics/ports", request -> ports.answer(request.query())),
                            Page.ours("/audit", request -> changes.answer(request.query())),
                            Page.ours("/journal", request -> journal.answer())),
                    tls.map(each -> new StatusPages.Tls(
                            each.ofPages(),
                            session -> Caller.of(session, rules).mayReadAll(),
                            "has a role for all devices in tls.roles of driver.yaml")));
        } catch (IOException e) {
            server.shutdownNow();
            throw new IOException(
                    "http: " + config.http().host() + ":" + config.http().port() + " cannot be used: " + e.getMessage(),
                    e);
        }
    }

    private static InetSocketAddress address(String field, DriverConfig.Address address) throws IOException {
        InetSocketAddress found = new InetSocketAddress(address.host(), address.port());
        if (found.isUnresolved()) {
            throw new IOException(field + ": " + address.host() + ":" + address.port()
                    + " cannot be used: there is no host of this name");
        }
        return found;
    }

    private GetDriverInfoResponse driverInfo() {
        String version = RunningDriver.class.getPackage().getImplementationVersion();
        return GetDriverInfoResponse.newBuilder()
                .setName("lightpath-fabric-driver")
                .setVersion(version == null ? "development" : version)
                .addContractVersions(CONTRACT)
                .setInstanceId(ledger.instanceId())
                .setBootId(bootId)
                .setStartedAt(Times.wire(startedAt))
                .setDeviceCount(fleet.size())
                .build();
    }

    /** Replaces the rules. Calls are judged by the new ones from now on, and streams whose callers they change end. */
    public void admit(List<Access.Rule> next) {
        rules.replace(next);
        feed.recheck();
    }

    private void tend() {
        try {
            ledger.tend();
            health.setStatus("", ledger.failure() == null ? ServingStatus.SERVING : ServingStatus.NOT_SERVING);
        } catch (RuntimeException | Error e) {
            // whatever it is: health is told again in a second
            LOG.atError().setCause(e).log("the state directory was not tended");
        }
    }

    /** Whether changes are served; also names other faults of the state directory. */
    private StatusPages.Answer healthPage() {
        IOException failure = ledger.failure();
        if (failure != null) {
            return new StatusPages.Answer(
                    503, "text/plain", "state directory, changes are refused: " + failure.getMessage() + "\n");
        }
        Throwable notCompacted = ledger.compactionFailure();
        return new StatusPages.Answer(
                200,
                "text/plain",
                notCompacted == null ? "ok\n" : "ok\nthe journal cannot be rewritten: " + notCompacted + "\n");
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

    @Override
    public void close() {
        health.enterTerminalState();
        endCalls();
        pages.close();
        closeParts();
    }

    /** Before the devices are closed, because open streams would otherwise report them as silent. */
    private void endCalls() {
        server.shutdownNow();
        try {
            if (!server.awaitTermination(CALLS_END_SECONDS, TimeUnit.SECONDS)) {
                LOG.atWarn().log("some calls have not ended; they end with the process");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void closeParts() {
        fleet.close();
        timers.shutdownNow();
        workers.shutdownNow();
        try {
            ledger.close();
            audit.close();
        } catch (IOException e) {
            LOG.atWarn().setCause(e).log("closing the state directory");
        }
        meters.close();
        tracing.close();
    }
}
