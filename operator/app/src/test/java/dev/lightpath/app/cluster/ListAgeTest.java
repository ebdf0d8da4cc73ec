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
    private final ListAge age = new ListAge(Duration.ofMinutes(5), () -> nowNanos);

    @Test
    void aWatchThatFollowsItsListGoesOn() {
        list(PODS + "?resourceVersion=0");
        assertThat(watched(PODS + "?resourceVersion=77" + WATCH)).contains("resourceVersion=77&");
    }

    @Test
    void aWatchThatBeginsAgainSoonGoesOn() {
        list(PODS + "?resourceVersion=0");
        watched(PODS + "?resourceVersion=77" + WATCH);
        pass(Duration.ofMinutes(4));
        assertThat(watched(PODS + "?resourceVersion=99" + WATCH)).contains("resourceVersion=99&");
    }

    @Test
    void aWatchOfAnOldListIsToldThatItsVersionIsGone() {
        list(PODS + "?resourceVersion=0");
        watched(PODS + "?resourceVersion=77" + WATCH);
        pass(Duration.ofMinutes(6));
        assertThat(watched(PODS + "?resourceVersion=99" + WATCH)).isEqualTo(GONE);

        list(PODS);
        assertThat(watched(PODS + "?resourceVersion=120" + WATCH)).contains("resourceVersion=120&");
    }

    @Test
    void aWatchThatIsRefusedAWebSocketGoesOnWithoutOne() {
        list(PODS + "?resourceVersion=0");
        list(PODS + "?resourceVersion=0");
        pass(Duration.ofMinutes(6));
        list(PODS);
        watched(PODS + "?resourceVersion=77" + WATCH);
        assertThat(watched(PODS + "?resourceVersion=77" + WATCH)).contains("resourceVersion=77&");
    }

    @Test
    void aListOfOneInformerIsNoneOfTheOther() {
        list(PODS + "?resourceVersion=0");
        list(PODS + "?resourceVersion=0");
        watched(PODS + "?resourceVersion=77" + WATCH);
        watched(PODS + "?resourceVersion=77" + WATCH);
        pass(Duration.ofMinutes(6));
        assertThat(watched(PODS + "?resourceVersion=99" + WATCH)).isEqualTo(GONE);
        list(PODS);
        watched(PODS + "?resourceVersion=120" + WATCH);
        pass(Duration.ofMinutes(1));
        assertThat(watched(PODS + "?resourceVersion=130" + WATCH)).isEqualTo(GONE);
    }

    @Test
    void listsOfAnotherSelectionDoNotCount() {
        list(PODS + "?resourceVersion=0");
        list(PODS + "?labelSelector=a&resourceVersion=0");
        watched(PODS + "?resourceVersion=77" + WATCH);
        pass(Duration.ofMinutes(6));
        list(PODS + "?labelSelector=a");
        assertThat(watched(PODS + "?resourceVersion=99" + WATCH)).isEqualTo(GONE);
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
