package dev.lightpath.app.job.effects;

import dev.lightpath.app.job.plan.JobStep;
import dev.lightpath.app.objects.ConditionalWrite;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** JSON patches of pods. */
record PodChange(KubernetesClient client) {
    /** The answer where a test of the patch fails, and that of a policy which says no and gives no reason. */
    private static final int EITHER = 422;

    /**
     * @param read whether the pod was read just now: then it tells what an answer means that may mean two things
     * @param changed hears of the pod as it is then
     * @return false when the API server has something newer
     * @throws Refused where it does not take the patch of this very pod
     */
    boolean tried(JobStep step, Pod pod, boolean read, String patch, Consumer<Pod> changed) {
        try {
            changed.accept(client.resource(pod).patch(ConditionalWrite.JSON_PATCH, patch));
            return true;
        } catch (KubernetesClientException e) {
            if (Refused.isRefusal(e) && (e.getCode() != EITHER || read && isAsRead(pod))) {
                throw new Refused(step, e);
            }
            return ConditionalWrite.isCurrent(() -> {
                throw e;
            });
        }
    }

    private boolean isAsRead(Pod pod) {
        @Nullable Pod now = client.resource(pod).get();
        return now != null
                && now.getMetadata()
                        .getResourceVersion()
                        .equals(pod.getMetadata().getResourceVersion());
    }
}
