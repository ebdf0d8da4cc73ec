package dev.lightpath.app.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.lightpath.app.driver.TestIdentity;
import dev.lightpath.app.whole.Installation;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpCallTest {
    private static final int LARGEST = 4096;
    private static final Duration PATIENT = Duration.ofSeconds(60);

    private StrangeServer server;

    @BeforeEach
    void start() throws IOException {
        server = new StrangeServer();
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private static HttpResponse<byte[]> send(String url, Duration patience) throws NoAnswer, InterruptedException {
        return new HttpCall(patience, LARGEST)
                .send(HttpRequest.newBuilder(URI.create(url)).build(), Optional.empty());
    }

    private HttpResponse<byte[]> send() throws NoAnswer, InterruptedException {
        return send("http://127.0.0.1:" + server.port() + "/", PATIENT);
    }

    /** What an answer holds is in no message. */
    private static NoAnswer.Why none(String url, Duration patience) {
        NoAnswer none = catchThrowableOfType(NoAnswer.class, () -> send(url, patience));
        assertThat(none).hasMessage(none.why().toString()).hasNoCause();
        return none.why();
    }

    private static NoAnswer.Why none(int port, Duration patience) {
        return none("http://127.0.0.1:" + port, patience);
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 401, 503})
    void returnsAnAnswerOfAnyStatus(int code) throws Exception {
        server.answers(code, "words");
        HttpResponse<byte[]> answer = send();
        assertThat(answer.statusCode()).isEqualTo(code);
        assertThat(new String(answer.body(), StandardCharsets.UTF_8)).isEqualTo("words");
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 303, 307, 308})
    void followsNoRedirect(int code) throws Exception {
        server.redirects(code);
        assertThat(send().statusCode()).isEqualTo(code);
        assertThat(server.asked()).hasSize(1);
    }

    @Test
    void readsAsMuchAsItMay() throws Exception {
        server.answers(200, "x".repeat(LARGEST));
        assertThat(send().body()).hasSize(LARGEST);
    }

    @Test
    void readsNoByteMore() {
        server.answers(200, "x".repeat(LARGEST + 1));
        assertThat(none(server.port(), PATIENT)).isEqualTo(NoAnswer.Why.TOO_LARGE);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void readsNoMoreOf100Megabytes(boolean announcesLength) {
        server.floods(100, announcesLength);
        assertThat(none(server.port(), PATIENT)).isEqualTo(NoAnswer.Why.TOO_LARGE);
    }

    /** The timeout of a request ends with its headers. */
    @Test
    void waitsForNoAnswerThatComesDropByDrop() {
        server.drips();
        assertThat(none(server.port(), Duration.ofSeconds(1))).isEqualTo(NoAnswer.Why.LATE);
    }

    @Test
    void waitsForNoServerThatSaysNothing() throws IOException {
        assertThat(none(server.silent(), Duration.ofSeconds(1))).isEqualTo(NoAnswer.Why.LATE);
    }

    @Test
    void saysThatNobodyListens() throws IOException {
        assertThat(none(Installation.quietPort(), PATIENT)).isEqualTo(NoAnswer.Why.UNREACHABLE);
    }

    /** What another server says to whoever connects would tell of it. */
    @Test
    void repeatsNothingOfAServerOfAnotherProtocol() throws IOException {
        assertThat(none(server.ofAnotherProtocol(), PATIENT)).isEqualTo(NoAnswer.Why.NO_HTTP);
    }

    @Test
    void saysThatAPortIsNone() {
        assertThat(none(99999, PATIENT)).isIn(NoAnswer.Why.NO_ADDRESS, NoAnswer.Why.UNREACHABLE);
    }

    @Test
    void trustsNoCertificateThatTheRuntimeDoesNot(@TempDir Path folder) throws Exception {
        TestIdentity.make(folder, "stranger");
        try (StrangeServer secured = StrangeServer.secured(folder, "stranger")) {
            secured.answers(200, "words");
            assertThat(none("https://localhost:" + secured.port(), PATIENT)).isEqualTo(NoAnswer.Why.UNTRUSTED);
            assertThat(secured.asked()).isEmpty();
        }
    }
}
