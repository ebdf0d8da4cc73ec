package dev.lightpath.crds.fabric.policy;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import org.jspecify.annotations.Nullable;

/** How much may happen at one time, and to what. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record FabricPolicy(
        @JsonPropertyDescription("How many circuits may be dark at one time.") @Default("{}")
        DisruptionPolicy disruption,

        @JsonPropertyDescription(
                "What happens to circuits that no record explains: Report leaves them alone, Remove takes them down.")
        @Default("Report")
        ForeignCircuits foreignCircuits,

        @JsonPropertyDescription("When light is good enough to train on.") @Default("{}")
        QualificationPolicy qualification,

        @JsonPropertyDescription("What counts as a fault, and for how long.") @Default("{}")
        FaultPolicy faults,

        @JsonPropertyDescription("How much may fail at once before all automatic moves stop.") @Default("{}")
        MassFailurePolicy massFailure,

        @JsonPropertyDescription("How much of the fabric the jobs of a namespace may hold; omitted: any share.")
        @Nullable
        QuotaPolicy quota,

        @JsonPropertyDescription("How long circuits are searched for.") @Default("{}")
        SearchPolicy search,

        @JsonPropertyDescription("""
                Whose place a waiting job takes. Never: a placed job keeps its place. LowerPriority: if a job fits once \
                placed jobs of lower spec.priority are gone, these end and wait again. Only jobs whose pods the \
                operator can end are taken; for ocsTrx only.\
                """) @Default("Never") Preemption preemption,

        @JsonPropertyDescription("How the packet layer follows circuits.") @Default("{}")
        RoutesPolicy routes,

        @JsonPropertyDescription("When the light of a port counts as getting worse, and what is done about it.")
        @Default("{}")
        OpticalHealthPolicy opticalHealth,

        @JsonPropertyDescription("""
                At which ports of their own pods the operator calls jobs that have spec.agreement.hook; omitted: at none.\
                """) @Nullable AgreementHooks agreementHooks) {

    /** What the API server fills in where nothing is written. */
    public static final FabricPolicy DEFAULT = new FabricPolicy(
            DisruptionPolicy.DEFAULT,
            ForeignCircuits.REPORT,
            QualificationPolicy.DEFAULT,
            FaultPolicy.DEFAULT,
            MassFailurePolicy.DEFAULT,
            null,
            SearchPolicy.DEFAULT,
            Preemption.NEVER,
            RoutesPolicy.DEFAULT,
            OpticalHealthPolicy.DEFAULT,
            null);

    public FabricPolicy {
        disruption = requireNonNullElse(disruption, DisruptionPolicy.DEFAULT);
        foreignCircuits = requireNonNullElse(foreignCircuits, ForeignCircuits.REPORT);
        qualification = requireNonNullElse(qualification, QualificationPolicy.DEFAULT);
        faults = requireNonNullElse(faults, FaultPolicy.DEFAULT);
        massFailure = requireNonNullElse(massFailure, MassFailurePolicy.DEFAULT);
        search = requireNonNullElse(search, SearchPolicy.DEFAULT);
        preemption = requireNonNullElse(preemption, Preemption.NEVER);
        routes = requireNonNullElse(routes, RoutesPolicy.DEFAULT);
        opticalHealth = requireNonNullElse(opticalHealth, OpticalHealthPolicy.DEFAULT);
    }
}
