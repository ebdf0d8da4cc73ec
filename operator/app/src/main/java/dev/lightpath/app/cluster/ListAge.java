package dev.lightpath.app.cluster;

import dev.lightpath.crds.fabric.OpticalFabric;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Lets watches go on only from lists that are not too old. An informer whose watch ends goes on from the version it saw
 * last, for weeks: an event that was lost on the way is never made up for. Here a watch that would go on from an old
 * list is told that its version is gone, and its informer lists anew, as after any long absence. Informers end each
 * watch after 5 to 10 minutes.
 *
 * <p>Each client has its own, and no two informers of one thing: requests do not tell whose they are.
 */
final class ListAge implements Interceptor {
    static final String NAME = "list-age";
    /** So long the last page of a list and the start of the watch that follows it may be apart. */
    private static final long FRESH_NANOS = TimeUnit.MINUTES.toNanos(1);
    /** So long a client that is refused a web socket may take to ask for the same watch without one. */
    private static final long FALLBACK_NANOS = TimeUnit.SECONDS.toNanos(5);

    /**
     * A watch that always ends as gone: a resource is younger than the first version, in which nothing was defined. For
     * Nodes that does not hold. An API server as old as its cluster may still have all versions of them, if they are
     * few, and then sends them one by one as new events.
     */
    private static final String GONE = "/apis/" + HasMetadata.getApiVersion(OpticalFabric.class) + "/"
            + HasMetadata.getPlural(OpticalFabric.class) + "?resourceVersion=1&watch=true";

    private final String prefix;
    private final long trustedNanos;
    private final LongSupplier nanoTime;
    private final ConcurrentMap<String, Known> lists = new ConcurrentHashMap<>();

    /**
     * @param prefix what precedes {@code /api} in the paths of the API server, as behind a proxy; often nothing
     * @param trusted how long a list and what a watch told since are taken for the truth
     * @param nanoTime a clock for distances of time
     */
    ListAge(String prefix, Duration trusted, LongSupplier nanoTime) {
        this.prefix = prefix;
        this.trustedNanos = trusted.toNanos();
        this.nanoTime = nanoTime;
    }

    @Override
    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
        URI uri = request.uri();
        @Nullable Known known = asks(uri, "watch", "true") ? lists.get(key(uri)) : null;
        if (known != null && !known.goesOn(nanoTime.getAsLong())) {
            builder.uri(uri.resolve(prefix + GONE));
        }
    }

    @Override
    public void after(HttpRequest request, HttpResponse<?> response, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
        URI uri = request.uri();
        if (!"GET".equals(request.method()) || asks(uri, "watch", "true") || !response.isSuccessful()) {
            return;
        }
        // informers ask for pages; what others list is news to none of them
        if (asks(uri, "limit", "")) {
            lists.computeIfAbsent(key(uri), of -> new Known(trustedNanos))
                    .answered(!asks(uri, "continue", ""), nanoTime.getAsLong());
        }
    }

    /** @param value how the value begins */
    private static boolean asks(URI uri, String name, String value) {
        return query(uri).contains("&" + name + "=" + value);
    }

    private static String query(URI uri) {
        return uri.getRawQuery() == null ? "" : "&" + uri.getRawQuery();
    }

    /** What is listed or watched. */
    private static String key(URI uri) {
        String selectors = Pattern.compile("&")
                .splitAsStream(query(uri))
                .filter(part -> part.startsWith("labelSelector=") || part.startsWith("fieldSelector="))
                .sorted()
                .collect(Collectors.joining("&"));
        return uri.getRawPath() + "?" + selectors;
    }

    /** The last list of one thing. */
    private static final class Known {
        private final long trustedNanos;
        private long beganNanos;
        private long endedNanos;
        private OptionalLong followedNanos = OptionalLong.empty();

        Known(long trustedNanos) {
            this.trustedNanos = trustedNanos;
        }

        /** @param first whether this is a list's first page: all its pages tell the truth of that moment */
        synchronized void answered(boolean first, long now) {
            if (first) {
                beganNanos = now;
                followedNanos = OptionalLong.empty();
            }
            endedNanos = now;
        }

        /**
         * Whether a watch may go on: one right after each list, however long that took, and all while it is trusted.
         */
        synchronized boolean goesOn(long now) {
            boolean follows = followedNanos.isEmpty()
                    ? now - endedNanos <= FRESH_NANOS
                    : now - followedNanos.getAsLong() <= FALLBACK_NANOS;
            if (follows && followedNanos.isEmpty()) {
                followedNanos = OptionalLong.of(now);
            }
            return follows || now - beganNanos <= trustedNanos;
        }
    }
}
