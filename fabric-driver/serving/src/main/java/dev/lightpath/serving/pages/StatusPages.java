package dev.lightpath.serving.pages;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.function.Function;
import java.util.function.Predicate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** Pages by HTTP. Callers on this host may read all of them; in a pod these come by {@code kubectl port-forward}. */
public final class StatusPages implements AutoCloseable {
    /** Content type of metrics. */
    public static final String METRICS = "text/plain; version=0.0.4; charset=utf-8";

    /** What a page says. */
    public record Answer(int status, String contentType, String body) {
        static Answer refusal(int status, String line) {
            return new Answer(status, "text/plain", line + "\n");
        }
    }

    /**
     * What a caller asks.
     *
     * @param query as it stands in the address; null for none
     * @param accept the types that the caller takes, as it names them
     */
    public record Request(@Nullable String query, String accept) {}

    /** Who may read a page, beside callers on this host. */
    public enum Readers {
        EVERYBODY,
        /** Whom the TLS of the port knows. */
        KNOWN,
        NOBODY
    }

    /** A page. */
    public record Page(String path, Readers readers, Function<Request, Answer> answer) {
        /** For everybody who reaches the port. */
        public static Page open(String path, Function<Request, Answer> answer) {
            return new Page(path, Readers.EVERYBODY, answer);
        }

        /** For callers whose certificate is known. Without TLS for everybody who reaches the port. */
        public static Page known(String path, Function<Request, Answer> answer) {
            return new Page(path, Readers.KNOWN, answer);
        }

        /** For callers on this host. */
        public static Page ours(String path, Function<Request, Answer> answer) {
            return new Page(path, Readers.NOBODY, answer);
        }
    }

    /**
     * TLS of the port. Callers are asked for a certificate, and need none: a kubelet that probes has none.
     *
     * @param context our certificate, and whose certificates of callers are believed
     * @param knows whether a caller may read what is for known callers
     * @param known which certificates those have, as the sentence goes on after "whose certificate"
     */
    public record Tls(SSLContext context, Predicate<SSLSession> knows, String known) {}

    private final List<Page> pages;
    private final Optional<Tls> tls;
    private final HttpPort port;

    /** @param tls of the port; plain HTTP without it */
    public StatusPages(InetSocketAddress address, ExecutorService workers, List<Page> pages, Optional<Tls> tls)
            throws IOException {
        this.pages = List.copyOf(pages);
        this.tls = tls;
        port = new HttpPort(address, workers, tls.map(Tls::context), this::answer);
    }

    private Answer answer(RequestHead request, Socket caller) {
        Optional<Page> page = pages.stream()
                .filter(each -> each.path().equals(request.path()))
                .findFirst();
        if (page.isEmpty()) {
            return Answer.refusal(HttpURLConnection.HTTP_NOT_FOUND, "no such page");
        }
        if (!List.of("GET", "HEAD").contains(request.method())) {
            return Answer.refusal(HttpURLConnection.HTTP_BAD_METHOD, "allowed are GET and HEAD");
        }
        return refusal(page.get(), caller)
                .map(line -> Answer.refusal(HttpURLConnection.HTTP_FORBIDDEN, line))
                .orElseGet(() -> page.get().answer().apply(new Request(request.query(), request.accept())));
    }

    /** Why the caller may not read the page; empty if it may. */
    private Optional<String> refusal(Page page, Socket caller) {
        if (caller.getInetAddress().isLoopbackAddress()) {
            return Optional.empty();
        }
        return switch (page.readers()) {
            case EVERYBODY -> Optional.empty();
            case KNOWN ->
                tls.isEmpty() || tls.get().knows().test(((SSLSocket) caller).getSession())
                        ? Optional.empty()
                        : Optional.of(page.path() + " is for callers whose certificate "
                                + tls.get().known() + ", and for those on this host");
            case NOBODY -> Optional.of(page.path() + " is for callers on this host, as by kubectl port-forward");
        };
    }

    public int port() {
        return port.number();
    }

    @Override
    public void close() {
        port.close();
    }
}
