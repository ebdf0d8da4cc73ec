package dev.lightpath.app.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class ListAgeTest {
    private static final String PODS = "https://api/api/v1/pods";
    private static final String GONE =
            "https://api/apis/lightpath.dev/v1alpha1/opticalfabrics?resourceVersion=1&watch=true";
    private static final String WATCH = "&timeoutSeconds=600&allowWatchBookmarks=true&watch=true";

    private long nowNanos;
    private final ListAge age = new ListAge("", Duration.ofMinutes(5), () -> nowNanos);

    @Test
    void aWatchThatFollowsItsListGoesOn() {
        list(PODS + "?limit=500");
        assertThat(watched(PODS + "?resourceVersion=77" + WATCH)).contains("resourceVersion=77&");
    }

    @Test
    void aWatchThatBeginsAgainSoonGoesOn() {
        list(PODS + "?limit=500");
        watched(PODS + "?resourceVersion=77" + WATCH);
        pass(Duration.ofMinutes(4));
        assertThat(watched(PODS + "?resourceVersion=99" + WATCH)).contains("resourceVersion=99&");
    }

    @Test
    void aWatchOfAnOldListIsToldThatItsVersionIsGone() {
        list(PODS + "?limit=500");
        watched(PODS + "?resourceVersion=77" + WATCH);
        pass(Duration.ofMinutes(6));
        assertThat(watched(PODS + "?resourceVersion=99" + WATCH)).isEqualTo(GONE);

        list(PODS + "?limit=500");
        assertThat(watched(PODS + "?resourceVersion=120" + WATCH)).contains("resourceVersion=120&");
    }

    @Test
    void aWatchThatIsRefusedAWebSocketGoesOnWithoutOne() {
        slowList();
        watched(PODS + "?resourceVersion=77" + WATCH);
        assertThat(watched(PODS + "?resourceVersion=77" + WATCH)).contains("resourceVersion=77&");
        pass(Duration.ofSeconds(10));
        assertThat(watched(PODS + "?resourceVersion=77" + WATCH)).isEqualTo(GONE);
    }

    @Test
    void aListInPagesIsAsOldAsItsFirstPage() {
        list(PODS + "?limit=500");
        pass(Duration.ofMinutes(3));
        list(PODS + "?continue=abc&limit=500");
        watched(PODS + "?resourceVersion=77" + WATCH);
        pass(Duration.ofMinutes(1));
        assertThat(watched(PODS + "?resourceVersion=88" + WATCH)).contains("resourceVersion=88&");
        pass(Duration.ofMinutes(2));
        assertThat(watched(PODS + "?resourceVersion=99" + WATCH)).isEqualTo(GONE);

        list(PODS + "?limit=500");
        assertThat(watched(PODS + "?resourceVersion=120" + WATCH)).contains("resourceVersion=120&");
    }

    @Test
    void aListThatTookLongerThanItIsTrustedIsFollowedOnce() {
        slowList();
        assertThat(watched(PODS + "?resourceVersion=77" + WATCH)).contains("resourceVersion=77&");
        pass(Duration.ofMinutes(1));
        assertThat(watched(PODS + "?resourceVersion=88" + WATCH)).isEqualTo(GONE);
    }

    @Test
    void aPageMoreIsNoNewList() {
        list(PODS + "?limit=500");
        watched(PODS + "?resourceVersion=77" + WATCH);
        pass(Duration.ofMinutes(6));
        list(PODS + "?continue=abc&limit=500");
        assertThat(watched(PODS + "?resourceVersion=99" + WATCH)).isEqualTo(GONE);
    }

    private void slowList() {
        list(PODS + "?limit=500");
        for (int minute = 0; minute < 6; minute++) {
            pass(Duration.ofMinutes(1));
            list(PODS + "?continue=abc&limit=500");
        }
    }

    @Test
    void listsOfAnotherSelectionDoNotCount() {
        list(PODS + "?limit=500");
        list(PODS + "?labelSelector=a&limit=500");
        watched(PODS + "?resourceVersion=77" + WATCH);
        pass(Duration.ofMinutes(6));
        list(PODS + "?labelSelector=a&limit=500");
        assertThat(watched(PODS + "?resourceVersion=99" + WATCH)).isEqualTo(GONE);
    }

    @Test
    void aListOfNoInformerDoesNotCount() {
        list(PODS + "?limit=500");
        watched(PODS + "?resourceVersion=77" + WATCH);
        pass(Duration.ofMinutes(6));
        list(PODS);
        assertThat(watched(PODS + "?resourceVersion=99" + WATCH)).isEqualTo(GONE);
    }

    @Test
    void behindAProxyTheWatchIsGoneThere() {
        ListAge proxied = new ListAge("/api/clusters/7", Duration.ofMinutes(5), () -> nowNanos);
        String pods = "https://proxy/api/clusters/7/api/v1/pods";
        var list = new StandardHttpRequest.Builder().uri(pods + "?limit=500").build();
        proxied.after(list, new Answer(list), null);
        pass(Duration.ofMinutes(6));
        var watch = new StandardHttpRequest.Builder().uri(pods + "?resourceVersion=77" + WATCH);
        proxied.before(watch, watch.build(), null);
        assertThat(watch.build().uri()).hasToString(GONE.replace("https://api/", "https://proxy/api/clusters/7/"));
    }

    private void pass(Duration time) {
        nowNanos += time.toNanos();
    }

    private void list(String uri) {
        nowNanos += TimeUnit.SECONDS.toNanos(1);
        var request = new StandardHttpRequest.Builder().uri(uri).build();
        age.after(request, new Answer(request), null);
    }

    private String watched(String uri) {
        var builder = new StandardHttpRequest.Builder().uri(uri);
        age.before(builder, builder.build(), null);
        URI asked = builder.build().uri();
        return asked.toString();
    }

    /** What an API server answers when it lists. */
    private record Answer(HttpRequest request) implements HttpResponse<byte[]> {
        @Override
        public int code() {
            return 200;
        }

        @Override
        public byte[] body() {
            return new byte[0];
        }

        @Override
        public Optional<HttpResponse<?>> previousResponse() {
            return Optional.empty();
        }

        @Override
        public List<String> headers(String key) {
            return List.of();
        }

        @Override
        public Map<String, List<String>> headers() {
            return Map.of();
        }
    }
}
