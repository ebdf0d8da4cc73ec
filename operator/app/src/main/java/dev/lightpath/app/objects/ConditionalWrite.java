package dev.lightpath.app.objects;

import dev.lightpath.app.Patches;
import dev.lightpath.crds.FieldManager;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes that the API server refuses where the object is no longer as it was read. */
public final class ConditionalWrite {
    /** RFC 6902, with tests of what was read. */
    public static final PatchContext JSON_PATCH = Patches.json(FieldManager.WORKLOAD);

    private static final Logger LOG = LoggerFactory.getLogger(ConditionalWrite.class);

    private ConditionalWrite() {}

    /**
     * False when the API server had something newer.
     *
     * @throws KubernetesClientException when it refuses for another reason, or does not answer
     */
    public static boolean isCurrent(Runnable call) {
        try {
            call.run();
            return true;
        } catch (KubernetesClientException e) {
            // 409: changed since; 404: gone; 422: mostly that the test of a JSON patch failed
            if (e.getCode() != 409 && e.getCode() != 404 && e.getCode() != 422) {
                throw e;
            }
            LOG.atDebug().addKeyValue("answer", e.getMessage()).log("a step came too late");
            return false;
        }
    }
}
