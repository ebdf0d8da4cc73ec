package dev.lightpath.crds.fabric.measurement;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.lightpath.crds.Formats;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** A query that a Prometheus answers for all jobs of a fabric together. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@ValidationRule(
        value = "!has(self.secretName) || self.url.startsWith('https://')",
        message = "secretName needs a url that begins with https://: a token is not sent in clear")
public record PrometheusQuery(
        @JsonPropertyDescription("""
                Address of the Prometheus, or of what answers /api/v1/query as one does, with the path before that. The \
                operator asks it from within its own pod, by GET alone, and follows no redirect.\
                """) @Required @Pattern(Formats.HTTP_URL) @Size(min = 1, max = 512)
        String url,

        @JsonPropertyDescription("""
                Answered with one series for each job, with the labels namespace and job_name of its TrainingJob and \
                the seconds of an iteration as value, for example avg by (namespace, job_name) \
                (avg_over_time(iteration_seconds[5m])). The annotation lightpath.dev/iteration-seconds of a job goes \
                before it.\
                """) @Required @Size(min = 1, max = 4096)
        String query,

        @JsonPropertyDescription("Seconds from one answer to the next question.") @Default("60") @Min(5) @Max(3600)
        Integer intervalSeconds,

        @JsonPropertyDescription("""
                How many seconds a value looks back, as the range in the query. A value counts only if the circuits of \
                its job have been the same, and lit, for so long.\
                """) @Default("300") @Min(1) @Max(86400)
        Integer rangeSeconds,

        @JsonPropertyDescription("""
                Secret in the namespace of the operator with token, which is sent as a bearer token, or ca.crt, which \
                signs the certificate of the url, or both. A Role must let the operator read it by its name. Default: \
                no token, and the authorities of the operator's image.\
                """) @Nullable @Pattern(Formats.OBJECT_NAME) @Size(min = 1, max = 253)
        String secretName) {

    public PrometheusQuery {
        intervalSeconds = requireNonNullElse(intervalSeconds, 60);
        rangeSeconds = requireNonNullElse(rangeSeconds, 300);
    }
}
