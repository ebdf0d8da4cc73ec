package dev.lightpath.app.job.effects;

import dev.lightpath.app.job.plan.JobStep;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.Set;
import java.util.function.Supplier;

/** A step that the API server refuses, in its words: it does not change by asking again at once. */
final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1;

    /**
     * A quota, a policy or a webhook says no, or the namespace goes. Policies and webhooks choose the code of their
     * answer.
     */
    private static final Set<Integer> CODES = Set.of(
            HttpURLConnection.HTTP_BAD_REQUEST,
            HttpURLConnection.HTTP_FORBIDDEN,
            HttpURLConnection.HTTP_ENTITY_TOO_LARGE,
            422);

    private final transient JobStep step;

    Refused(JobStep step, KubernetesClientException answer) {
        super(
                answer.getStatus() == null || answer.getStatus().getMessage() == null
                        ? answer.getMessage()
                        : answer.getStatus().getMessage(),
                answer);
        this.step = step;
    }

    JobStep step() {
        return step;
    }

    String words() {
        return String.valueOf(getMessage());
    }

    /** A webhook that does not answer is a 500, and so is much that heals by itself. */
    static boolean isRefusal(KubernetesClientException answer) {
        return CODES.contains(answer.getCode())
                || String.valueOf(answer.getMessage()).contains("failed calling webhook");
    }

    /**
     * What a call answers that makes or takes something away.
     *
     * @throws Refused where it is refused
     */
    static <T> T unless(JobStep step, Supplier<T> call) {
        try {
            return call.get();
        } catch (KubernetesClientException e) {
            throw isRefusal(e) ? new Refused(step, e) : e;
        }
    }
}
