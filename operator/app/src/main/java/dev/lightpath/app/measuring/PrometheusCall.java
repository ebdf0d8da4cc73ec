package dev.lightpath.app.measuring;

import dev.lightpath.app.http.HttpCall;
import dev.lightpath.app.http.NoAnswer;
import dev.lightpath.crds.fabric.measurement.PrometheusQuery;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** One question to a Prometheus: a GET whose answer is bounded. What is said of that is in words of ours. */
final class PrometheusCall {
    private final Duration patience;
    private final HttpCall call;

    /** @param patience for the whole answer, from the connection to the last byte */
    PrometheusCall(Duration patience) {
        this.patience = patience;
        this.call = new HttpCall(patience, VectorReader.LARGEST);
    }

    /** Waits at most for its patience. */
    QueryAnswer ask(PrometheusQuery query, Access access) throws InterruptedException {
        HttpRequest request;
        try {
            request = request(query, access);
        } catch (IllegalArgumentException e) {
            return new QueryAnswer.Failed("the url is none");
        }
        try {
            return answered(call.send(request, access.tls()));
        } catch (NoAnswer none) {
            return failed(none.why());
        }
    }

    private HttpRequest request(PrometheusQuery query, Access access) {
        String base = query.url().endsWith("/") ? query.url() : query.url() + "/";
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(
                        base + "api/v1/query?query=" + URLEncoder.encode(query.query(), StandardCharsets.UTF_8)))
                .header("Accept", "application/json");
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

    private QueryAnswer failed(NoAnswer.Why why) {
        return new QueryAnswer.Failed(
                switch (why) {
                    case LATE -> "no whole answer within " + patience.toSeconds() + " s";
                    case UNREACHABLE ->
                        "no connection: nobody listens there, the name is unknown, or a NetworkPolicy forbids it";
                    case UNTRUSTED ->
                        "no TLS: its certificate has another name, or is of an authority that is not known;"
                                + " name a Secret with ca.crt in secretName";
                    case TOO_LARGE -> "the answer is larger than " + VectorReader.LARGEST + " bytes";
                    case NO_ADDRESS -> "the url is none";
                    case NO_HTTP -> "no answer in HTTP";
                });
    }
}
