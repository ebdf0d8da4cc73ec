package dev.lightpath.app.cluster;

import dev.lightpath.app.Page;
import dev.lightpath.crds.job.TrainingJob;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Allocations that earlier versions moved from a deleted FabricSlice to {@code status.carried} of its TrainingJob. This version reads
 * allocations from slices only (ADR 18). It would take such circuits for unexplained ones, and the next status that it writes would drop
 * the record.
 */
public final class CarriedRecords {
    private CarriedRecords() {}

    /**
     * Names the first TrainingJob that has such a record; empty where the definition of TrainingJobs no longer has the field. Reads all jobs.
     *
     * @throws io.fabric8.kubernetes.client.KubernetesClientException when the API server does not answer
     */
    public static Optional<String> first(KubernetesClient client) {
        var jobs = client.genericKubernetesResources(
                        HasMetadata.getApiVersion(TrainingJob.class), HasMetadata.getKind(TrainingJob.class))
                .inAnyNamespace();
        @Nullable String next = null;
        do {
            GenericKubernetesResourceList page = jobs.list(new ListOptionsBuilder()
                    .withLimit(Page.LARGE_OBJECTS)
                    .withContinue(next)
                    .build());
            Optional<String> found = page.getItems().stream()
                    .filter(CarriedRecords::carries)
                    .map(job -> job.getMetadata().getNamespace() + "/"
                            + job.getMetadata().getName())
                    .findFirst();
            if (found.isPresent()) {
                return found;
            }
            next = page.getMetadata().getContinue();
        } while (next != null && !next.isEmpty());
        return Optional.empty();
    }

    private static boolean carries(GenericKubernetesResource job) {
        return job.get("status", "carried") instanceof List<?> records && !records.isEmpty();
    }
}
