package dev.lightpath.app.job.workload;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.Workload;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A pod that asks for more GPUs than a node has would wait for ever. */
public final class GpuLimit {
    /** What of the API's quantities is counted: 1e999999999 is one as well, with a thousand million digits. */
    private static final Pattern COUNTED =
            Pattern.compile("[+-]?[0-9.]{1,30}(?:[KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]{1,2})?");

    private GpuLimit() {}

    /** What is wrong with the GPUs that a pod of the job's template asks for. */
    public static Optional<String> problem(TrainingJob job, String resource, int gpusPerNode) {
        Workload workload = job.getSpec().workload();
        @Nullable JsonNode template = workload == null ? null : workload.template();
        if (template == null) {
            return Optional.empty();
        }
        return asked(template.path("spec"), resource)
                .filter(asked -> asked.compareTo(BigDecimal.valueOf(gpusPerNode)) > 0)
                .map(asked -> "spec.containers"
                        + (template.path("spec").has("initContainers") ? " and initContainers" : "")
                        + " ask for " + asked.toPlainString() + " " + resource + " in one pod; a node has "
                        + gpusPerNode
                        + ", and every node of the job runs one pod");
    }

    /** GPUs of one container; empty when the amount is not counted, or not whole. */
    static OptionalInt of(JsonNode container, String resource) {
        return amount(container, resource)
                .filter(amount -> amount.signum() >= 0
                        && amount.compareTo(BigDecimal.valueOf(Integer.MAX_VALUE)) <= 0
                        && amount.stripTrailingZeros().scale() <= 0)
                .map(amount -> OptionalInt.of(amount.intValue()))
                .orElse(OptionalInt.empty());
    }

    /**
     * What the scheduler counts: the containers and the restartable init containers (sidecars) run together; any other
     * init container runs before them, beside the sidecars that started earlier. Empty when one amount is not counted.
     */
    static Optional<BigDecimal> asked(JsonNode pod, String resource) {
        BigDecimal sidecars = BigDecimal.ZERO;
        BigDecimal before = BigDecimal.ZERO;
        for (JsonNode container : pod.path("initContainers")) {
            Optional<BigDecimal> amount = amount(container, resource);
            if (amount.isEmpty()) {
                return amount;
            }
            if ("Always".equals(container.path("restartPolicy").asText())) {
                sidecars = sidecars.add(amount.get());
            } else {
                before = before.max(sidecars.add(amount.get()));
            }
        }
        BigDecimal together = sidecars;
        for (JsonNode container : pod.path("containers")) {
            Optional<BigDecimal> amount = amount(container, resource);
            if (amount.isEmpty()) {
                return amount;
            }
            together = together.add(amount.get());
        }
        return Optional.of(together.max(before));
    }

    /** Empty when it is no quantity, or one of too many digits: the API server judges it in its own words. */
    private static Optional<BigDecimal> amount(JsonNode container, String resource) {
        JsonNode resources = container.path("resources");
        JsonNode limit = resources.path("limits").path(resource);
        JsonNode amount = limit.isMissingNode() ? resources.path("requests").path(resource) : limit;
        if (!amount.isValueNode()) {
            return Optional.of(BigDecimal.ZERO);
        }
        if (!COUNTED.matcher(amount.asText()).matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Quantity.getAmountInBytes(Quantity.parse(amount.asText())));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
