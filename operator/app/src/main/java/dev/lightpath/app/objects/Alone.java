package dev.lightpath.app.objects;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is done for one of many objects: where that is refused, the others are tended all the same. */
public final class Alone {
    private static final Logger LOG = LoggerFactory.getLogger(Alone.class);

    private Alone() {}

    /**
     * @param act false where it is to be done again
     * @return what it says; false when it failed
     * @throws KubernetesClientException when the API server does not answer, which would hold for the others too
     */
    public static boolean tend(HasMetadata object, BooleanSupplier act) {
        try {
            return act.getAsBoolean();
        } catch (RuntimeException e) {
            if (e instanceof KubernetesClientException silence && silence.getCode() == 0) {
                throw e;
            }
            LOG.atWarn()
                    .addKeyValue("kind", object.getKind())
                    .addKeyValue("namespace", object.getMetadata().getNamespace())
                    .addKeyValue("name", object.getMetadata().getName())
                    .addKeyValue("failure", e.getMessage())
                    .log("not tended yet");
            return false;
        }
    }
}
