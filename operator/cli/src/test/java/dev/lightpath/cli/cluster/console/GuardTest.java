package dev.lightpath.cli.cluster.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.Headers;
import org.junit.jupiter.api.Test;

class GuardTest {
    private final Guard guard = Guard.of(4711);

    private static Headers headers(String... pairs) {
        Headers headers = new Headers();
        for (int i = 0; i < pairs.length; i += 2) {
            headers.set(pairs[i], pairs[i + 1]);
        }
        return headers;
    }

    @Test
    void answersOnlyUnderTheNamesOfLoopback() {
        assertThat(guard.refusesOrigin(headers("Host", "127.0.0.1:4711"))).isEmpty();
        assertThat(guard.refusesOrigin(headers("Host", "localhost:4711"))).isEmpty();
        assertThat(guard.refusesOrigin(headers("Host", "rebound.example:4711")))
                .contains("Host: allowed is 127.0.0.1:4711 or localhost:4711");
        assertThat(guard.refusesOrigin(headers("Host", "127.0.0.1:4712"))).isPresent();
        assertThat(guard.refusesOrigin(headers())).isPresent();
    }

    @Test
    void answersNoOtherPage() {
        assertThat(guard.refusesOrigin(headers("Host", "127.0.0.1:4711", "Origin", "http://127.0.0.1:4711")))
                .isEmpty();
        assertThat(guard.refusesOrigin(headers("Host", "127.0.0.1:4711", "Origin", "http://evil.example")))
                .contains("Origin: allowed is http://127.0.0.1:4711");
        assertThat(guard.refusesOrigin(headers("Host", "127.0.0.1:4711", "Origin", "null")))
                .isPresent();
        assertThat(guard.refusesOrigin(headers("Host", "127.0.0.1:4711", "Sec-Fetch-Site", "cross-site")))
                .isPresent();
        assertThat(guard.refusesOrigin(headers("Host", "127.0.0.1:4711", "Sec-Fetch-Site", "same-site")))
                .isPresent();
        assertThat(guard.refusesOrigin(headers("Host", "127.0.0.1:4711", "Sec-Fetch-Site", "none")))
                .isEmpty();
    }

    @Test
    void knowsTheTokenOfItsRunAlone() {
        assertThat(guard.knows(headers("Authorization", "Bearer " + guard.token())))
                .isTrue();
        assertThat(guard.knows(
                        headers("Authorization", "Bearer " + Guard.of(4711).token())))
                .isFalse();
        assertThat(guard.knows(headers("Authorization", guard.token()))).isFalse();
        assertThat(guard.knows(headers())).isFalse();
    }
}
