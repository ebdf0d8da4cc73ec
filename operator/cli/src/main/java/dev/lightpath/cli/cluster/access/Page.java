package dev.lightpath.cli.cluster.access;

import dev.lightpath.console.text.BadInput;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * A page of one of our processes.
 *
 * @param who for people
 * @param tls to speak if the address asks for it; as the Java runtime trusts when empty
 * @param token that it asks for, if it does
 * @param body sent by POST, if there is one
 */
record Page(String who, URI address, Optional<SSLContext> tls, Optional<String> token, Optional<byte[]> body) {
    private static final Duration CONNECT_PATIENCE = Duration.ofSeconds(10);
    /** As long as the operator gives one answer. */
    private static final Duration ANSWER_PATIENCE = Duration.ofSeconds(30);

    /**
     * @throws IOException when it does not answer
     * @throws BadInput when it refuses
     */
    String read() throws IOException {
        // without TLS it would ask for HTTP/2 first, and a large answer sometimes breaks in that change
        HttpClient.Builder client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT_PATIENCE);
        tls.ifPresent(client::sslContext);
        try (HttpClient http = client.build()) {
            HttpRequest.Builder request = HttpRequest.newBuilder(address).timeout(ANSWER_PATIENCE);
            body.ifPresent(bytes -> request.header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofByteArray(bytes)));
            token.ifPresent(own -> request.header("Authorization", "Bearer " + own));
            HttpResponse<String> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != HttpURLConnection.HTTP_OK) {
                throw new BadInput(
                        who + " answered " + answer.statusCode() + ": " + Connection.firstLine(answer.body()));
            }
            return answer.body();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BadInput("interrupted while asking " + who, e);
        }
    }
}
