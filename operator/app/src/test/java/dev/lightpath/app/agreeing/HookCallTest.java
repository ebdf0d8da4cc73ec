package dev.lightpath.app.agreeing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.http.StrangeServer;
import dev.lightpath.app.whole.Installation;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What each answer of a process means, in words that repeat none of its own. What a call bears: {@code HttpCallTest}.
 */
class HookCallTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final String SAID = "words of a stranger";

    private StrangeServer server;

    @BeforeEach
    void start() throws IOException {
        server = new StrangeServer();
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private static HookAnswer ask(int port, Duration patience) throws InterruptedException {
        return new HookCall(patience, () -> NOW)
                .ask(
                        InetAddress.getLoopbackAddress(),
                        new HookQuestion(
                                "team", "llm", "llm-ring-1", 2, "llm-0", "n0", port, "/light", "{\"revision\":2}"));
    }

    private HookAnswer ask() throws InterruptedException {
        return ask(server.port(), Duration.ofSeconds(60));
    }

    private static String failure(HookAnswer answer) {
        assertThat(answer).isInstanceOf(HookAnswer.Failed.class);
        String why = ((HookAnswer.Failed) answer).why();
        assertThat(why).doesNotContain(SAID).hasLineCount(1);
        return why;
    }

    @Test
    void postsTheAnnouncementAndTakes200ForAnAgreement() throws InterruptedException {
        server.answers(200, SAID);
        assertThat(ask()).isEqualTo(new HookAnswer.Agreed(NOW));
        assertThat(server.asked()).containsExactly(new StrangeServer.Asked("POST", "/light", null, "{\"revision\":2}"));
    }

    @ParameterizedTest
    @ValueSource(ints = {202, 204})
    void takesAPodThatHasHeardForOneThatIsNotReady(int code) throws InterruptedException {
        server.answers(code, SAID);
        assertThat(ask()).isEqualTo(new HookAnswer.Waits());
    }

    @ParameterizedTest
    @CsvSource({"201", "400", "404", "500", "503"})
    void takesNothingElseForAnAnswer(int code) throws InterruptedException {
        server.answers(code, SAID);
        assertThat(failure(ask()))
                .isEqualTo("it answered HTTP " + code + "; allowed: 200 (agreed), 202 and 204 (not ready yet)");
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 303, 307, 308})
    void followsNoRedirect(int code) throws InterruptedException {
        server.redirects(code);
        assertThat(failure(ask())).isEqualTo("it answered HTTP " + code + "; redirects are not followed");
        assertThat(server.asked()).hasSize(1);
    }

    @Test
    void readsNoMoreThanTheMost() throws InterruptedException {
        server.answers(200, SAID + " ".repeat(HookCall.LARGEST));
        assertThat(failure(ask())).isEqualTo("its answer is larger than 4096 bytes");
    }

    @Test
    void waitsForNoPodThatSaysNothing() throws Exception {
        assertThat(failure(ask(server.silent(), Duration.ofSeconds(1))))
                .isEqualTo("it gave no whole answer within 1 s");
    }

    @Test
    void saysThatNobodyListens() throws Exception {
        int port = Installation.quietPort();
        assertThat(failure(ask(port, Duration.ofSeconds(60))))
                .isEqualTo("nobody listens at port " + port + ", or a NetworkPolicy keeps the operator from it");
    }

    @Test
    void saysThatAPodSpeaksSomethingElse() throws Exception {
        assertThat(failure(ask(server.ofAnotherProtocol(), Duration.ofSeconds(60))))
                .isEqualTo("it gave no answer in HTTP");
    }
}
