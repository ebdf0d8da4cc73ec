package dev.lightpath.app.cluster;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.util.StdConverter;
import dev.lightpath.app.PodJson;
import dev.lightpath.crds.LightpathNames;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.Workload;
import dev.lightpath.reading.ApiJson;
import dev.lightpath.reading.TemplateSize;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.quarkus.kubernetes.client.KubernetesClientObjectMapperCustomizer;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What clients that watch read of objects: all that the API server took, but for pod templates of jobs,
 * {@code managedFields} and what {@link PodJson} says. Tenants decide how large these are, and informers of each
 * replica would keep them of all jobs. They are skipped while an answer is read, so that a page of a list does not hold
 * them either; the size of each is kept ({@link TemplateSize}). A job that is written back so read is refused by its
 * definition, which wants an object as template.
 *
 * <p>Each job is shown with the operator's finalizer. The framework would add it to every job that its cache shows
 * without it, and again for each stale read while the watch lags behind. The plan adds it where it is needed, to a job
 * read anew.
 */
@Singleton
public final class WatchedJson implements KubernetesClientObjectMapperCustomizer {
    @Override
    public void customize(ObjectMapper mapper) {
        PodJson.sparing(ApiJson.generous(mapper))
                .addMixIn(TrainingJob.class, WithFinalizer.class)
                .addMixIn(Workload.class, WithoutTemplate.class)
                .addMixIn(ObjectMeta.class, WithoutManagedFields.class);
    }

    @JsonDeserialize(converter = Finalized.class)
    private interface WithFinalizer {}

    private interface WithoutTemplate {
        @JsonDeserialize(using = Skipped.class)
        @Nullable
        JsonNode template();
    }

    @JsonIgnoreProperties("managedFields")
    private interface WithoutManagedFields {}

    /** Reads nothing but how large it is. */
    static final class Skipped extends JsonDeserializer<JsonNode> {
        @Override
        public JsonNode deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            return TemplateSize.skip(parser);
        }
    }

    /** Shows a job as one that has the operator's finalizer. */
    static final class Finalized extends StdConverter<TrainingJob, TrainingJob> {
        @Override
        public TrainingJob convert(TrainingJob job) {
            @Nullable ObjectMeta metadata = job.getMetadata();
            if (metadata != null && !metadata.getFinalizers().contains(LightpathNames.FINALIZER)) {
                List<String> finalizers = new ArrayList<>(metadata.getFinalizers());
                finalizers.add(LightpathNames.FINALIZER);
                metadata.setFinalizers(finalizers);
            }
            return job;
        }
    }
}
