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
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Lets watches go on only from lists that are not too old. An informer whose watch ends goes on from the version it saw
 * last, for weeks: an event that was lost on the way is never made up for. Here a watch that would go on from an old list
 * is told that its version is gone, and its informer lists anew, as after any long absence. Informers end each watch after
 * 5 to 10 minutes.
 */
final class ListAge implements Interceptor {
    static final String NAME = "list-age";
    /** So long a list and the start of the watch that follows it may be apart. */
    private static final long FRESH_NANOS = TimeUnit.MINUTES.toNanos(1);
    /** So long a client that is refused a web socket may take to ask for the same watch without one. */
    private static final long FALLBACK_NANOS = TimeUnit.SECONDS.toNanos(5);

    /**
     * A watch that is gone whatever is asked for: a resource is younger than the first version, in which nothing was defined.
     * Of Nodes that is not so. An API server that is as old as its cluster has kept all their versions if they are few, and
     * tells of them one by one, as if it all happened anew.
     */
    private static final String GONE = "/apis/" + HasMetadata.getApiVersion(OpticalFabric.class) + "/"
            + HasMetadata.getPlural(OpticalFabric.class) + "?resourceVersion=1&watch=true";

    private final long trustedNanos;
    private final LongSupplier nanoTime;
    private final ConcurrentMap<String, Lists> lists = new ConcurrentHashMap<>();

    /**
     * @param trusted how long a list and what a watch told since are taken for the truth
     * @param nanoTime a clock for distances of time
     */
    ListAge(Duration trusted, LongSupplier nanoTime) {
        this.trustedNanos = trusted.toNanos();
        this.nanoTime = nanoTime;
    }

    @Override
    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
        URI uri = request.uri();
        @Nullable Lists known = isWatch(uri) ? lists.get(key(uri)) : null;
        if (known != null && !known.goesOn(nanoTime.getAsLong())) {
            builder.uri(uri.resolve(uri.getRawPath().replaceFirst("/apis?/.*", GONE)));
        }
    }

    @Override
    public void after(HttpRequest request, HttpResponse<?> response, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
        if ("GET".equals(request.method()) && !isWatch(request.uri()) && response.isSuccessful()) {
            boolean first = query(request.uri()).contains("resourceVersion=0");
            String key = key(request.uri());
            @Nullable Lists known = first ? lists.computeIfAbsent(key, of -> new Lists(trustedNanos)) : lists.get(key);
            if (known != null) {
                known.listed(first, nanoTime.getAsLong());
            }
        }
    }

    private static boolean isWatch(URI uri) {
        return query(uri).contains("watch=true");
    }

    private static String query(URI uri) {
        return uri.getRawQuery() == null ? "" : uri.getRawQuery();
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

    /** The lists of one thing, which several informers may watch. */
    private static final class Lists {
        private final long trustedNanos;
        private final Deque<Long> recent = new ArrayDeque<>();
        private final Deque<Long> fresh = new ArrayDeque<>();
        private final Deque<Long> followed = new ArrayDeque<>();
        private int informers;

        Lists(long trustedNanos) {
            this.trustedNanos = trustedNanos;
        }

        /** @param first whether any age would have done: an informer asks so once in its life */
        synchronized void listed(boolean first, long now) {
            informers += first ? 1 : 0;
            recent.add(now);
            fresh.add(now);
            forget(now);
        }

        /** Whether a watch may go on: one after each list, and all while each informer's list is trusted. */
        synchronized boolean goesOn(long now) {
            forget(now);
            if (recent.size() >= informers || !followed.isEmpty()) {
                return true;
            }
            if (fresh.poll() == null) {
                return false;
            }
            followed.add(now);
            return true;
        }

        private void forget(long now) {
            recent.removeIf(at -> now - at > trustedNanos);
            fresh.removeIf(at -> now - at > FRESH_NANOS);
            followed.removeIf(at -> now - at > FALLBACK_NANOS);
        }
    }
}
