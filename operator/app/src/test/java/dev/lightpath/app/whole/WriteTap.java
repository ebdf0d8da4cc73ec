package dev.lightpath.app.whole;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Stands between operator and API server: sees every write but those of the Lease and every event of a watch, may lose
 * events, end watches, keep watches waiting, and be away.
 */
final class WriteTap implements AutoCloseable {
    /** Hears of writes, numbered from 1 since {@link #listen}. */
    interface Listener {
        /** Returns whether the write is to reach the API server. */
        boolean before(int number, String what);

        void after(int number, String what);
    }

    /** Hears of events of watches, once for each watch that tells of it. */
    interface Events {
        /**
         * Returns whether the event is to reach the operator.
         *
         * @param resource plural, as in the path
         */
        boolean passes(String resource, String event);
    }

    static final Listener SILENT = new Listener() {
        @Override
        public boolean before(int number, String what) {
            return true;
        }

        @Override
        public void after(int number, String what) {}
    };

    static final Events ALL = (resource, event) -> true;

    private static final Pattern UID = Pattern.compile("\"uid\":\\s*\"[^\"]*\"");

    private final String upstream;
    /** Speaks as the operator, by a certificate. */
    private final HttpClient client;
    /** Speaks for those whose token the operator sends on. */
    private final HttpClient bearer;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicInteger writes = new AtomicInteger();
    private final Set<InputStream> watches = ConcurrentHashMap.newKeySet();
    private final AtomicReference<CountDownLatch> held = new AtomicReference<>(new CountDownLatch(0));
    private volatile Listener listener = SILENT;
    private volatile Events events = ALL;
    private volatile Consumer<String> requests = request -> {};
    private volatile boolean away;
    /** UID of the namespace kube-system that the operator sees; empty: the API server's own. */
    private final String cluster;

    WriteTap(Config config) {
        this(config, "");
    }

    /** @param cluster UID of another cluster, of which the operator takes this one for a copy */
    WriteTap(Config config, String cluster) {
        this.cluster = cluster;
        try {
            upstream = config.getMasterUrl().replaceAll("/$", "");
            client = http(config);
            bearer = http(new ConfigBuilder(config)
                    .withClientCertData(null)
                    .withClientCertFile(null)
                    .withClientKeyFile(null)
                    .withClientKeyData(null)
                    .build());
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    private HttpClient http(Config config) throws IOException, GeneralSecurityException {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(SSLUtils.sslContext(config))
                .executor(threads)
                .build();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    int writes() {
        return writes.get();
    }

    void listen(Listener next) {
        writes.set(0);
        listener = next;
    }

    void watch(Events next) {
        events = next;
    }

    /** Hears of every request but watches and those about the Lease, also of reads: method and target. */
    void count(Consumer<String> next) {
        requests = next;
    }

    /** How many watches run. */
    int watching() {
        return watches.size();
    }

    /** Ends every watch that runs, as an API server does when its time is over. */
    void endWatches() {
        watches.forEach(WriteTap::end);
    }

    private static void end(InputStream watch) {
        try {
            watch.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** From now on connections end without a word, or are served again. */
    void away(boolean next) {
        away = next;
        if (next) {
            endWatches();
        }
    }

    /** Watches begin no more, until {@link #catchUp}. */
    void holdWatches() {
        held.set(new CountDownLatch(1));
    }

    void catchUp() {
        held.get().countDown();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (exchange.getRequestHeaders().containsKey("Upgrade")) {
                // a client that gets no web socket watches by an endless answer; after any error it would try on first
                exchange.sendResponseHeaders(200, -1);
                return;
            }
            byte[] body = exchange.getRequestBody().readAllBytes();
            String target = exchange.getRequestURI().toString();
            String what = exchange.getRequestMethod() + " " + target;
            boolean write = !what.startsWith("GET ") && !what.contains("/leases");
            boolean watch = what.startsWith("GET ") && target.contains("watch=true");
            int number = write ? writes.incrementAndGet() : 0;
            if (!watch && !what.contains("/leases")) {
                requests.accept(what);
            }
            if (away || write && !listener.before(number, what)) {
                return;
            }
            if (watch) {
                held.get().await();
            }
            HttpResponse<InputStream> answer = (exchange.getRequestHeaders().containsKey("Authorization")
                            ? bearer
                            : client)
                    .send(request(exchange, body), HttpResponse.BodyHandlers.ofInputStream());
            if (write) {
                listener.after(number, what);
            }
            answer(exchange, answer, watch ? Optional.of(resource(target)) : Optional.empty());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Plural of what is listed or watched. */
    private static String resource(String target) {
        String path = target.replaceAll("\\?.*", "");
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private HttpRequest request(HttpExchange exchange, byte[] body) {
        var request = HttpRequest.newBuilder(URI.create(upstream + exchange.getRequestURI()))
                .method(exchange.getRequestMethod(), HttpRequest.BodyPublishers.ofByteArray(body));
        for (String header : List.of("Content-Type", "Accept", "Authorization")) {
            String value = exchange.getRequestHeaders().getFirst(header);
            if (value != null) {
                request.header(header, value);
            }
        }
        return request.build();
    }

    /** @param watched the resource, if this is a watch */
    private void answer(HttpExchange exchange, HttpResponse<InputStream> answer, Optional<String> watched)
            throws IOException {
        answer.headers()
                .firstValue("Content-Type")
                .ifPresent(type -> exchange.getResponseHeaders().add("Content-Type", type));
        exchange.sendResponseHeaders(answer.statusCode(), 0);
        try (InputStream from = answer.body();
                OutputStream to = exchange.getResponseBody()) {
            if (watched.isPresent() && answer.statusCode() == 200) {
                tell(watched.orElseThrow(), from, to);
            } else if (!cluster.isEmpty() && exchange.getRequestURI().getPath().endsWith("/namespaces/kube-system")) {
                String said = new String(from.readAllBytes(), StandardCharsets.UTF_8);
                to.write(UID.matcher(said)
                        .replaceFirst("\"uid\":\"" + cluster + "\"")
                        .getBytes(StandardCharsets.UTF_8));
            } else {
                from.transferTo(to);
            }
        }
    }

    private void tell(String resource, InputStream from, OutputStream to) throws IOException {
        watches.add(from);
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(from, StandardCharsets.UTF_8))) {
            to.flush();
            if (away) {
                return;
            }
            for (String event = next(lines); event != null; event = next(lines)) {
                if (events.passes(resource, event)) {
                    to.write((event + "\n").getBytes(StandardCharsets.UTF_8));
                    to.flush();
                }
            }
        } finally {
            watches.remove(from);
        }
    }

    /** Null at the end, also of a watch that {@link #endWatches} ended. */
    private static String next(BufferedReader lines) {
        try {
            return lines.readLine();
        } catch (IOException ended) {
            return null;
        }
    }

    @Override
    public void close() {
        catchUp();
        server.stop(0);
        threads.shutdownNow();
        client.shutdownNow();
        bearer.shutdownNow();
    }
}
