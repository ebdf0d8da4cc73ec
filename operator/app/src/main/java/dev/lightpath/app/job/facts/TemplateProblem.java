package dev.lightpath.app.job.facts;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Optional;

/**
 * Why the API server would not take what a job's template makes.
 *
 * @param mendable whether another template may be taken; if not, what is in the way is a quota, a right, or what the
 *     cluster has
 */
public record TemplateProblem(String words, boolean mendable) {
    /** Of the template itself. */
    public static TemplateProblem ofTemplate(String words) {
        return new TemplateProblem(words, true);
    }

    /** Of what is around it. */
    public static TemplateProblem ofCluster(String words) {
        return new TemplateProblem(words, false);
    }

    /**
     * What the API server's answer comes to; empty where it is none to the template.
     *
     * @throws KubernetesClientException the answer, where it may be another one when asked again
     */
    public static Optional<TemplateProblem> answered(KubernetesClientException answer) {
        return switch (answer.getCode()) {
            case 400, 422 -> Optional.of(ofTemplate(words(answer)));
            case 403 -> Optional.of(new TemplateProblem(words(answer), !isOfQuotaOrRights(words(answer))));
            case 404 ->
                Optional.of(ofCluster("the API server knows no JobSets (" + JobSets.GROUP + "/" + JobSets.VERSION
                        + "): install JobSet, or omit spec.workload"));
            case 409 -> Optional.empty();
            default -> throw answer;
        };
    }

    /**
     * The API server forbids all three in the same way but for its words; what is neither, a policy or a webhook said
     * of the template.
     */
    private static boolean isOfQuotaOrRights(String words) {
        return words.contains("exceeded quota")
                || words.contains("failed quota")
                || words.contains("cannot create resource");
    }

    private static String words(KubernetesClientException answer) {
        return answer.getStatus() == null || answer.getStatus().getMessage() == null
                ? String.valueOf(answer.getMessage())
                : answer.getStatus().getMessage();
    }
}
