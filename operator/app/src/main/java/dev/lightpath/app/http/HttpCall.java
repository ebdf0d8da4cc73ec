package dev.lightpath.app.http;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Requests without redirects, proxies and cookies, each on a connection of its own. What an answer may take of time and
 * memory is bounded. Thread-safe.
 */
public final class HttpCall {
    private final Duration patience;
    private final int largest;

    /**
     * @param patience for the whole answer, from the connection to the last byte
     * @param largest body of an answer, in bytes
     */
    public HttpCall(Duration patience, int largest) {
        this.patience = patience;
        this.largest = largest;
    }

    /**
     * Waits at most for its patience.
     *
     * @param tls whose certificates are trusted; empty: those that the Java runtime trusts
     */
    public HttpResponse<byte[]> send(HttpRequest request, Optional<SSLContext> tls)
            throws NoAnswer, InterruptedException {
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .proxy(HttpClient.Builder.NO_PROXY)
                .connectTimeout(patience.multipliedBy(4).dividedBy(5));
        tls.ifPresent(builder::sslContext);
        HttpClient client = builder.build();
        try {
            CompletableFuture<HttpResponse<byte[]>> answer = client.sendAsync(
                    request, HttpResponse.BodyHandlers.limiting(HttpResponse.BodyHandlers.ofByteArray(), largest));
            // the timeout of a request ends with its headers
            return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new NoAnswer(NoAnswer.Why.LATE);
        } catch (ExecutionException e) {
            throw new NoAnswer(why(e.getCause()));
        } catch (IllegalArgumentException e) {
            throw new NoAnswer(NoAnswer.Why.NO_ADDRESS);
        } finally {
            client.shutdownNow();
        }
    }

    /** What a server sent may be in the messages of exceptions. */
    private static NoAnswer.Why why(@Nullable Throwable cause) {
        return switch (cause) {
            case HttpConnectTimeoutException none -> NoAnswer.Why.UNREACHABLE;
            case HttpTimeoutException late -> NoAnswer.Why.LATE;
            case ConnectException none -> NoAnswer.Why.UNREACHABLE;
            case SSLException untrusted -> NoAnswer.Why.UNTRUSTED;
            case IllegalArgumentException none -> NoAnswer.Why.NO_ADDRESS;
            case IOException broken
            when String.valueOf(broken.getMessage()).contains("capacity") -> NoAnswer.Why.TOO_LARGE;
            case null, default -> NoAnswer.Why.NO_HTTP;
        };
    }
}
