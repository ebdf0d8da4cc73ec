package dev.lightpath.app.workers;

import dev.lightpath.app.driver.endpoint.Channels;
import dev.lightpath.app.driver.endpoint.Channels.UnusableEndpoint;
import dev.lightpath.app.driver.endpoint.TlsMaterial;
import dev.lightpath.worker.wire.SearchCodec;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The workers that the name of their Service has addresses of, with a connection to each. Files of TLS that change are
 * taken with the next search; searches that run keep their connections. Thread-safe.
 */
final class Workers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Workers.class);

    /** Addresses and files are looked at this often at most. */
    private static final Duration REFRESH = Duration.ofSeconds(2);

    /** Finds the addresses of a host. */
    interface Names {
        InetAddress[] addresses(String host) throws UnknownHostException;
    }

    private final WorkersAddress address;
    private final Names names;
    private final WorkersMeter meter;
    private final LongSupplier nanoTime;
    /** Without an end of its own: connections that are closed still call back. */
    private final Executor callbacks = call -> Thread.ofVirtual().start(call);

    private final Channels channels = new Channels();
    private final TreeMap<String, Worker> known = new TreeMap<>();
    /** Open while somebody looks. */
    private CountDownLatch look = new CountDownLatch(0);

    private boolean refreshed;
    private long refreshedNanos;
    private boolean closed;
    private String fingerprint = "";
    private String told = "";

    Workers(WorkersAddress address, Names names, WorkersMeter meter, LongSupplier nanoTime) {
        this.address = address;
        this.names = names;
        this.meter = meter;
        this.nanoTime = nanoTime;
    }

    /** The time by which all patience with them is counted. */
    long nanoTime() {
        return nanoTime.getAsLong();
    }

    /**
     * The one with the fewest of our searches, of equals the one that had none for longest. It counts as one that runs
     * a search until {@link #end}.
     *
     * @param except addresses
     * @param patience with whoever knows the addresses; after it those that were known are taken
     */
    Optional<Worker> begin(Set<String> except, Duration patience) throws InterruptedException {
        refresh(patience);
        return chosen(except);
    }

    private synchronized Optional<Worker> chosen(Set<String> except) {
        long now = nanoTime();
        Optional<Worker> chosen = known.values().stream()
                .filter(worker -> !worker.isAside(now) && !except.contains(worker.address()))
                .min(Comparator.comparingInt(Worker::running).thenComparing(worker -> worker.usedNanos() - now));
        chosen.ifPresent(worker -> worker.begin(now));
        return chosen;
    }

    /** Whether another one could be asked now. */
    synchronized boolean hasAnother(Worker than, Set<String> except) {
        long now = nanoTime();
        return known.values().stream()
                .anyMatch(worker -> worker != than && !worker.isAside(now) && !except.contains(worker.address()));
    }

    /** Whether one that is known by now could be asked until then. */
    synchronized boolean hasOneBy(long nanos, Set<String> except) {
        return known.values().stream().anyMatch(worker -> !worker.isAside(nanos) && !except.contains(worker.address()));
    }

    synchronized boolean isEmpty() {
        return known.isEmpty();
    }

    synchronized void end(Worker worker) {
        worker.end();
    }

    /** Asks it nothing for so long. */
    synchronized void setAside(Worker worker, Duration time, String why) {
        worker.setAside(nanoTime.getAsLong() + time.toNanos());
        LOG.atWarn()
                .addKeyValue("worker", worker.address())
                .addKeyValue("seconds", time.toSeconds())
                .log("a worker for searches is set aside: " + why);
        count();
    }

    private void count() {
        long now = nanoTime();
        meter.workers((int)
                known.values().stream().filter(worker -> !worker.isAside(now)).count());
    }

    private void refresh(Duration patience) throws InterruptedException {
        if (!look().await(patience.toNanos(), TimeUnit.NANOSECONDS)) {
            tell("the look-up of their addresses takes too long");
        }
    }

    /** Looks anew where that is due, on a thread of its own: the look-up of a name has no limit of time. */
    private synchronized CountDownLatch look() {
        long now = nanoTime();
        if (look.getCount() == 0 && (!refreshed || now - refreshedNanos >= REFRESH.toNanos())) {
            refreshed = true;
            refreshedNanos = now;
            CountDownLatch begun = new CountDownLatch(1);
            look = begun;
            Thread.ofPlatform().daemon(true).name("workers-look").start(() -> {
                try {
                    find();
                } finally {
                    begun.countDown();
                }
            });
        }
        return look;
    }

    private void find() {
        try {
            Optional<TlsMaterial> tls = address.tls().isPresent()
                    ? Optional.of(material(address.tls().get()))
                    : Optional.empty();
            take(addresses(), tls);
        } catch (IOException | UnusableEndpoint e) {
            tell(String.valueOf(e.getMessage()));
        }
    }

    private synchronized void take(SortedSet<String> found, Optional<TlsMaterial> tls) throws UnusableEndpoint {
        if (closed) {
            return;
        }
        try {
            String shown = tls.map(TlsMaterial::fingerprint).orElse("");
            if (!shown.equals(fingerprint)) {
                fingerprint = shown;
                retain(Collections.emptySortedSet());
            }
            retain(found);
            for (String each : found) {
                if (!known.containsKey(each)) {
                    known.put(each, new Worker(each, open(each, tls), nanoTime.getAsLong()));
                }
            }
            told = "";
        } finally {
            count();
        }
    }

    /** Connections are closed once their searches have ended. */
    private void retain(Set<String> addresses) {
        known.values().removeIf(worker -> {
            if (addresses.contains(worker.address())) {
                return false;
            }
            worker.channel().shutdown();
            return true;
        });
    }

    private SortedSet<String> addresses() throws UnknownHostException {
        SortedSet<String> found = new TreeSet<>();
        for (InetAddress each : names.addresses(address.host())) {
            String host = each.getHostAddress();
            found.add((host.contains(":") ? "[" + host + "]" : host) + ":" + address.port());
        }
        return found;
    }

    private TlsMaterial material(Path folder) throws IOException {
        return new TlsMaterial(
                        folder.toString(),
                        Files.readString(folder.resolve("ca.crt")),
                        Files.readString(folder.resolve("tls.crt")),
                        Files.readString(folder.resolve("tls.key")))
                .named(Optional.of(address.host()));
    }

    private ManagedChannel open(String worker, Optional<TlsMaterial> tls) throws UnusableEndpoint {
        return channels.open(worker, tls, SearchCodec.MOST_SOLUTION_BYTES, callbacks);
    }

    private synchronized void tell(String problem) {
        if (!problem.equals(told)) {
            told = problem;
            LOG.atWarn().addKeyValue("workers", address.host()).log("workers for searches cannot be found: " + problem);
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        known.values().forEach(worker -> worker.channel().shutdownNow());
        known.clear();
    }
}
