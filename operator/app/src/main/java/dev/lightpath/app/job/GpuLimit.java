package dev.lightpath.app.job;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.Workload;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A pod that asks for more GPUs than a node has would wait for ever. */
final class GpuLimit {
    private GpuLimit() {}

    /** What is wrong with the GPUs that the containers of the job's template ask for together. */
    static Optional<String> problem(TrainingJob job, String resource, int gpusPerNode) {
        Workload workload = job.getSpec().workload();
        @Nullable JsonNode template = workload == null ? null : workload.template();
        if (template == null) {
            return Optional.empty();
        }
        BigDecimal asked = BigDecimal.ZERO;
        for (JsonNode container : template.path("spec").path("containers")) {
            JsonNode resources = container.path("resources");
            JsonNode limit = resources.path("limits").path(resource);
            JsonNode amount = limit.isMissingNode() ? resources.path("requests").path(resource) : limit;
            if (amount.isValueNode()) {
                try {
                    asked = asked.add(Quantity.getAmountInBytes(Quantity.parse(amount.asText())));
                } catch (IllegalArgumentException e) {
                    // no quantity: the API server says so in its own words
                    return Optional.empty();
                }
            }
        }
        return asked.compareTo(BigDecimal.valueOf(gpusPerNode)) <= 0
                ? Optional.empty()
                : Optional.of("spec.containers ask for " + asked.toPlainString() + " " + resource
                        + " in one pod; a node" + " has " + gpusPerNode + ", and every node of the job runs one pod");
    }
}
