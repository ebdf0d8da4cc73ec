package dev.lightpath.app.measuring;

import dev.lightpath.crds.fabric.measurement.PrometheusQuery;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * One question to a Prometheus: a GET without redirects, proxies and cookies, on a connection of its own. What an answer
 * may take of time and memory is bounded, and what is said of it is in words of ours.
 */
final class PrometheusCall {
    private final Duration patience;

    /** @param patience for the whole answer, from the connection to the last byte */
    PrometheusCall(Duration patience) {
        this.patience = patience;
    }

    /** Waits at most for its patience. */
    QueryAnswer ask(PrometheusQuery query, Access access) throws InterruptedException {
        HttpRequest request;
        try {
            request = request(query, access);
        } catch (IllegalArgumentException e) {
            return new QueryAnswer.Failed("the url is none");
        }
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .proxy(HttpClient.Builder.NO_PROXY)
                .connectTimeout(patience);
        access.tls().ifPresent(builder::sslContext);
        HttpClient client = builder.build();
        try {
            CompletableFuture<HttpResponse<byte[]>> answer = client.sendAsync(
                    request,
                    HttpResponse.BodyHandlers.limiting(HttpResponse.BodyHandlers.ofByteArray(), VectorReader.LARGEST));
            // the timeout of a request ends with its headers
            return answered(answer.get(patience.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException e) {
            return late();
        } catch (ExecutionException e) {
            return failed(e.getCause());
        } finally {
            client.shutdownNow();
        }
    }

    private HttpRequest request(PrometheusQuery query, Access access) {
        String base = query.url().endsWith("/") ? query.url() : query.url() + "/";
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(
                        base + "api/v1/query?query=" + URLEncoder.encode(query.query(), StandardCharsets.UTF_8)))
                .header("Accept", "application/json")
                .timeout(patience);
        access.token().ifPresent(token -> request.header("Authorization", "Bearer " + token));
        return request.build();
    }

    private static QueryAnswer answered(HttpResponse<byte[]> answer) {
        int code = answer.statusCode();
        if (code == 200) {
            return VectorReader.read(answer.body());
        }
        String why = switch (code) {
            case 400, 422 -> "the query is refused; try it there";
            case 401, 403 -> "the operator is not let in; name a Secret with a token in secretName";
            case 404 -> "there is no api/v1/query below the url";
            default -> code / 100 == 3 ? "redirects are not followed; name where they lead" : "no answer";
        };
        return new QueryAnswer.Failed("HTTP " + code + ": " + why);
    }

    private QueryAnswer late() {
        return new QueryAnswer.Failed("no whole answer within " + patience.toSeconds() + " s");
    }

    /** What a server sent may be in the messages of exceptions. */
    private QueryAnswer failed(@Nullable Throwable cause) {
        return switch (cause) {
            case HttpTimeoutException late -> late();
            case ConnectException none ->
                new QueryAnswer.Failed(
                        "no connection: nobody listens there, the name is unknown, or a NetworkPolicy forbids it");
            case SSLException untrusted ->
                new QueryAnswer.Failed(
                        "no TLS: its certificate has another name, or is of an authority that is not known;"
                                + " name a Secret with ca.crt in secretName");
            case IllegalArgumentException none -> new QueryAnswer.Failed("the url is none");
            case IOException broken
            when String.valueOf(broken.getMessage()).contains("capacity") ->
                new QueryAnswer.Failed("the answer is larger than " + VectorReader.LARGEST + " bytes");
            case null, default -> new QueryAnswer.Failed("no answer in HTTP");
        };
    }
}
