package dev.lightpath.app.access;

import dev.lightpath.planner.words.Sha256;
import io.fabric8.kubernetes.api.model.authentication.TokenReview;
import io.fabric8.kubernetes.api.model.authentication.TokenReviewBuilder;
import io.fabric8.kubernetes.api.model.authentication.UserInfo;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.NamespacedKubernetesClient;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Asks the API server to identify a caller and to check its rights. Answers are used for ten seconds, and few reviews
 * run at once, so that no caller can make the operator flood the API server. All methods block.
 */
@Singleton
public class Access {
    private static final Duration TRUSTED = Duration.ofSeconds(10);
    private static final int MOST_TOKENS = 1_000;
    private static final int MOST_RIGHTS = 10_000;
    private static final int AT_ONCE = 8;
    private static final int PATIENCE_MILLIS = 5_000;
    /** Tokens are no longer than the header that carries them; nothing else is worth a question. */
    private static final Pattern BEARER = Pattern.compile("(?i)bearer +([\\x21-\\x7e]{1,7000}) *");

    private record Wish(Caller caller, Right right) {}

    private final KubernetesClient client;
    private final Semaphore questions = new Semaphore(AT_ONCE);
    private final Recent<String, Optional<Caller>> callers = new Recent<>(MOST_TOKENS, TRUSTED, System::nanoTime);
    private final Recent<Wish, Boolean> rights = new Recent<>(MOST_RIGHTS, TRUSTED, System::nanoTime);

    @Inject
    Access(KubernetesClient client) {
        this.client = client;
    }

    /**
     * The caller that sends this header.
     *
     * @param authorization the header {@code Authorization}, null when there is none
     * @throws Refused 401 unless it carries a token that the API server knows
     */
    Caller caller(@Nullable String authorization) {
        String token = token(authorization);
        String digest = digest(token);
        Optional<Caller> known = callers.get(digest);
        if (known == null) {
            known = ask("TokenReview", api -> review(api, token));
            callers.put(digest, known);
        }
        return known.orElseThrow(
                () -> new Refused(401, "the cluster does not know this token: it is wrong, or it has expired"));
    }

    /** The token that a request carries. @throws Refused 401 when it carries none */
    public static String token(RoutingContext request) {
        return token(header(request));
    }

    static @Nullable String header(RoutingContext request) {
        return request.request().getHeader("Authorization");
    }

    private static String token(@Nullable String authorization) {
        Matcher bearer = BEARER.matcher(authorization == null ? "" : authorization);
        if (!bearer.matches()) {
            throw new Refused(401, "send a token that this cluster knows, as 'Authorization: Bearer TOKEN'");
        }
        return bearer.group(1);
    }

    /** Whether the cluster's roles give a caller a right. */
    public boolean may(Caller caller, Right right) {
        Wish wish = new Wish(caller, right);
        Boolean known = rights.get(wish);
        if (known == null) {
            known = ask("SubjectAccessReview", api -> review(api, caller, right));
            rights.put(wish, known);
        }
        return known;
    }

    /** @throws Refused 403 where the cluster's roles do not give it */
    public void require(Caller caller, Right right) {
        if (!may(caller, right)) {
            throw new Refused(403, caller.name() + " may not " + right);
        }
    }

    private <T> T ask(String what, Function<KubernetesClient, T> question) {
        if (!questions.tryAcquire()) {
            throw new Refused(429, "too many ask at once: try again in a second");
        }
        try {
            return client.adapt(NamespacedKubernetesClient.class)
                    .withRequestConfig(new RequestConfigBuilder()
                            .withRequestTimeout(PATIENCE_MILLIS)
                            .withRequestRetryBackoffLimit(0)
                            .build())
                    .call(question::apply);
        } catch (KubernetesClientException e) {
            throw new Refused(
                    503,
                    "who you are cannot be told: the API server did not take a " + what + " of the operator"
                            + (e.getCode() > 0 ? " (" + e.getCode() + ")" : "") + ", try again");
        } finally {
            questions.release();
        }
    }

    private static Optional<Caller> review(KubernetesClient api, String token) {
        TokenReview answer = api.tokenReviews()
                .create(new TokenReviewBuilder()
                        .withNewSpec()
                        .withToken(token)
                        .endSpec()
                        .build());
        if (answer.getStatus() == null
                || !Boolean.TRUE.equals(answer.getStatus().getAuthenticated())) {
            return Optional.empty();
        }
        UserInfo user = answer.getStatus().getUser();
        return Optional.of(new Caller(
                user.getUsername(),
                user.getUid() == null ? "" : user.getUid(),
                user.getGroups() == null ? List.of() : user.getGroups(),
                user.getExtra() == null ? Map.of() : user.getExtra()));
    }

    private static boolean review(KubernetesClient api, Caller caller, Right right) {
        SubjectAccessReview answer = api.authorization()
                .v1()
                .subjectAccessReview()
                .create(new SubjectAccessReviewBuilder()
                        .withNewSpecLike(right.review())
                        .withUser(caller.name())
                        .withUid(caller.uid())
                        .withGroups(caller.groups())
                        .withExtra(caller.extra())
                        .endSpec()
                        .build());
        return answer.getStatus() != null
                && Boolean.TRUE.equals(answer.getStatus().getAllowed());
    }

    /** Tokens are not kept. */
    private static String digest(String token) {
        return HexFormat.of().formatHex(Sha256.of(token));
    }
}
