package dev.lightpath.app.measuring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.driver.TestIdentity;
import dev.lightpath.app.http.StrangeServer;
import dev.lightpath.app.whole.Installation;
import dev.lightpath.crds.fabric.measurement.PrometheusQuery;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is asked, and what each answer means. What a call bears: {@code HttpCallTest}. */
class PrometheusCallTest {
    private static final String VECTOR = """
            {"status": "success", "data": {"resultType": "vector", "result": [
             {"metric": {"namespace": "team", "job_name": "llm"}, "value": [1790000000.1, "0.574"]}]}}""";

    private StrangeServer server;

    @BeforeEach
    void start() throws IOException {
        server = new StrangeServer();
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private String here() {
        return "http://127.0.0.1:" + server.port();
    }

    private static QueryAnswer ask(String url, Access access, Duration patience) throws InterruptedException {
        return new PrometheusCall(patience)
                .ask(new PrometheusQuery(url, "avg by (namespace, job_name) (x{a=\"b\"})", null, null, null), access);
    }

    private static String failure(String url) throws InterruptedException {
        return failure(url, Duration.ofSeconds(60));
    }

    private static String failure(String url, Duration patience) throws InterruptedException {
        return ((QueryAnswer.Failed) ask(url, Access.PLAIN, patience)).why();
    }

    @Test
    void asksBelowThePathOfTheUrl() throws InterruptedException {
        server.answers(200, VECTOR);
        for (String url : List.of(here(), here() + "/team/prometheus", here() + "/team/prometheus/")) {
            assertThat(ask(url, new Access(Optional.of("abc.def"), Optional.empty()), Duration.ofSeconds(60)))
                    .isEqualTo(new QueryAnswer.Times(Map.of(new JobName("team", "llm"), "0.574")));
        }
        String query = "api/v1/query?query=avg+by+%28namespace%2C+job_name%29+%28x%7Ba%3D%22b%22%7D%29";
        assertThat(server.asked())
                .containsExactly(
                        new StrangeServer.Asked("GET", "/" + query, "Bearer abc.def", ""),
                        new StrangeServer.Asked("GET", "/team/prometheus/" + query, "Bearer abc.def", ""),
                        new StrangeServer.Asked("GET", "/team/prometheus/" + query, "Bearer abc.def", ""));
    }

    @Test
    void sendsNoTokenWhereThereIsNone() throws InterruptedException {
        server.answers(200, VECTOR);
        ask(here(), Access.PLAIN, Duration.ofSeconds(60));
        assertThat(server.asked())
                .singleElement()
                .satisfies(asked -> assertThat(asked.authorization()).isNull());
    }

    @Test
    void followsNoRedirect() throws InterruptedException {
        server.redirects(302);
        assertThat(failure(here())).isEqualTo("HTTP 302: redirects are not followed; name where they lead");
        assertThat(server.asked()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "400|HTTP 400: the query is refused; try it there",
                "401|HTTP 401: the operator is not let in; name a Secret with a token in secretName",
                "404|HTTP 404: there is no api/v1/query below the url",
                "503|HTTP 503: no answer"
            })
    void saysWhatAnAnswerMeansWithoutRepeatingIt(int code, String why) throws InterruptedException {
        server.answers(code, "{\"error\": \"secret\"}");
        assertThat(failure(here())).isEqualTo(why);
    }

    @Test
    void readsNoMoreThanTheMost() throws InterruptedException {
        server.floods(5, false);
        assertThat(failure(here())).isEqualTo("the answer is larger than 4194304 bytes");
    }

    @Test
    void waitsForNoServerThatSaysNothing() throws Exception {
        assertThat(failure("http://127.0.0.1:" + server.silent(), Duration.ofSeconds(1)))
                .isEqualTo("no whole answer within 1 s");
    }

    @Test
    void saysThatNobodyListens() throws Exception {
        assertThat(failure("http://127.0.0.1:" + Installation.quietPort())).startsWith("no connection: ");
    }

    @Test
    void saysThatAServerSpeaksSomethingElse() throws Exception {
        assertThat(failure("http://127.0.0.1:" + server.ofAnotherProtocol())).isEqualTo("no answer in HTTP");
    }

    @Test
    void trustsTheAuthoritiesThatItIsGivenAndNoOthers(@TempDir Path folder) throws Exception {
        TestIdentity identity = TestIdentity.make(folder, "prometheus");
        try (StrangeServer secured = StrangeServer.secured(folder, "prometheus")) {
            secured.answers(200, VECTOR);
            String url = "https://localhost:" + secured.port();
            Access known = new Access(Optional.empty(), Optional.of(AccessReader.trusting(identity.certificate())));
            assertThat(ask(url, known, Duration.ofSeconds(60))).isInstanceOf(QueryAnswer.Times.class);
            assertThat(failure(url)).startsWith("no TLS: ");
            assertThat(ask(url.replace("localhost", "127.0.0.1"), known, Duration.ofSeconds(60)))
                    .as("a certificate of another name")
                    .isInstanceOfSatisfying(
                            QueryAnswer.Failed.class,
                            failed -> assertThat(failed.why()).startsWith("no TLS: "));
        }
    }

    @Test
    void saysThatAUrlIsNone() throws InterruptedException {
        assertThat(failure("http://127.0.0.1:99999"))
                .isIn(
                        "the url is none",
                        "no connection: nobody listens there," + " the name is unknown, or a NetworkPolicy forbids it");
        assertThat(failure("ftp://127.0.0.1")).isEqualTo("the url is none");
    }
}
