package dev.lightpath.app;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonIncludeProperties;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.batch.v1.JobSpec;

/**
 * What the operator reads of pods, and of Jobs: all else is skipped while an answer is read. Tenants decide how large
 * it is, and may have many. Pods are changed by patches alone, which leave the rest as it is.
 */
public final class PodJson {
    private PodJson() {}

    /** Has it read pods and Jobs so. */
    public static ObjectMapper sparing(ObjectMapper mapper) {
        return mapper.addMixIn(PodSpec.class, OfSpec.class)
                .addMixIn(PodStatus.class, OfStatus.class)
                .addMixIn(Container.class, OfContainer.class)
                .addMixIn(JobSpec.class, OfJob.class);
    }

    @JsonIncludeProperties({
        "affinity",
        "containers",
        "hostNetwork",
        "initContainers",
        "nodeName",
        "schedulingGates",
        "tolerations"
    })
    private interface OfSpec {}

    @JsonIncludeProperties({"hostIP", "hostIPs", "phase", "podIP"})
    private interface OfStatus {}

    @JsonIncludeProperties({"name", "resources"})
    private interface OfContainer {}

    @JsonIgnoreProperties("template")
    private interface OfJob {}
}
