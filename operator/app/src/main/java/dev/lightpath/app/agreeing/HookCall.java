package dev.lightpath.app.agreeing;

import dev.lightpath.app.http.HttpCall;
import dev.lightpath.app.http.NoAnswer;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Asks a pod: a POST of the announcement, of whose answer only the status counts. It carries nothing that is not in the
 * pod's own {@code light.json}.
 */
final class HookCall {
    /** Bytes of an answer. */
    static final int LARGEST = 4096;

    private final Duration patience;
    private final HttpCall call;
    private final InstantSource clock;

    /** @param patience for the whole answer, from the connection to the last byte */
    HookCall(Duration patience, InstantSource clock) {
        this.patience = patience;
        this.call = new HttpCall(patience, LARGEST);
        this.clock = clock;
    }

    /** Waits at most for its patience. */
    HookAnswer ask(InetAddress address, HookQuestion question) throws InterruptedException {
        String host = address instanceof Inet6Address ? "[" + address.getHostAddress() + "]" : address.getHostAddress();
        try {
            return answered(call.send(
                    HttpRequest.newBuilder(URI.create("http://" + host + ":" + question.port() + question.path()))
                            .header("Content-Type", "application/json")
                            .POST(HttpRequest.BodyPublishers.ofString(question.announcement(), StandardCharsets.UTF_8))
                            .build(),
                    Optional.empty()));
        } catch (NoAnswer none) {
            return new HookAnswer.Failed(
                    switch (none.why()) {
                        case LATE -> "it gave no whole answer within " + patience.toSeconds() + " s";
                        case UNREACHABLE ->
                            "nobody listens at port " + question.port()
                                    + ", or a NetworkPolicy keeps the operator from it";
                        case TOO_LARGE -> "its answer is larger than " + LARGEST + " bytes";
                        case UNTRUSTED, NO_ADDRESS, NO_HTTP -> "it gave no answer in HTTP";
                    });
        }
    }

    private HookAnswer answered(HttpResponse<byte[]> answer) {
        int code = answer.statusCode();
        return switch (code) {
            case 200 -> new HookAnswer.Agreed(clock.instant().truncatedTo(ChronoUnit.SECONDS));
            case 202, 204 -> new HookAnswer.Waits();
            default ->
                new HookAnswer.Failed("it answered HTTP " + code
                        + (code / 100 == 3
                                ? "; redirects are not followed"
                                : "; allowed: 200 (agreed), 202 and 204 (not ready yet)"));
        };
    }
}
