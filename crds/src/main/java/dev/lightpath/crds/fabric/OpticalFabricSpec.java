package dev.lightpath.crds.fabric;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.lightpath.crds.fabric.measurement.MeasurementSource;
import dev.lightpath.crds.fabric.policy.FabricPolicy;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.LabelSelector;
import org.jspecify.annotations.Nullable;

/** What exists and what may be done with it. */
@JsonClassDescription("What exists and what may be done with it.")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@ValidationRule(
        value = "has(self.ocsTrx) != has(self.ocs)",
        message = "write exactly one of ocsTrx (transceivers on a ring or line) and ocs (optical circuit switches)")
@ValidationRule(
        value = "has(self.ocsTrx) == has(oldSelf.ocsTrx)",
        message = "ocsTrx and ocs cannot take each other's place, " + OcsTrx.FIXED)
@ValidationRule(
        value = "!has(self.ocs) || !has(self.policy) || !has(self.policy.preemption)"
                + " || self.policy.preemption == 'Never'",
        message = "policy.preemption is LowerPriority; a fabric of optical circuit switches (ocs) allows Never")
@ValidationRule(
        value = "!has(self.topologyLabels) || !has(self.topologyLabels.stretchPositions) || has(self.ocsTrx)",
        message = "topologyLabels.stretchPositions are of a ring or line (ocsTrx): omit it, Nodes at optical circuit"
                + " switches have the label of their pod")
@ValidationRule(
        value = "!has(self.measurements) || has(self.ocs) && has(self.ocs.topology.logical)",
        message = "measurements is for circuits that follow traffic: it needs ocs.topology.logical")
public record OpticalFabricSpec(
        @JsonPropertyDescription(
                "Nodes with optical circuit switching transceivers on a ring or line. Exactly one of ocsTrx and ocs.")
        @Nullable
        OcsTrx ocsTrx,

        @JsonPropertyDescription(
                "Pods, cubes or racks wired to optical circuit switches. Exactly one of ocsTrx and ocs.")
        @Nullable
        Ocs ocs,

        @JsonPropertyDescription(
                "Labels of the namespaces whose jobs may use the fabric; omitted or empty: all namespaces.")
        @Nullable
        LabelSelector allowedNamespaces,

        @JsonPropertyDescription("true: read, plan and report, but change no circuit.") @Default("false")
        Boolean paused,

        @JsonPropertyDescription("""
                What to do when the first contact finds circuits that no record explains: Keep leaves them and \
                counts them as foreign, Reset takes them down. It is needed only then (condition \
                AwaitingAdoption), so there is no default. As long as Keep is set, policy.foreignCircuits: Remove \
                takes nothing down.\
                """) @Nullable Adoption adopt,

        @JsonPropertyDescription("How much may happen at one time, and to what.") @Default("{}")
        FabricPolicy policy,

        @JsonPropertyDescription("""
                Labels lightpath.dev/topology-* that the operator writes on Nodes that take part in the fabric, for \
                topology-aware schedulers such as Kueue's; omitted: none. The installation has to allow it.\
                """) @Nullable TopologyLabels topologyLabels,

        @JsonPropertyDescription("""
                Where measured iteration times of its jobs are read, beside the annotation \
                lightpath.dev/iteration-seconds; for topology.logical only. Omitted: nowhere.\
                """) @Nullable MeasurementSource measurements) {

    public OpticalFabricSpec {
        paused = requireNonNullElse(paused, false);
        policy = requireNonNullElse(policy, FabricPolicy.DEFAULT);
    }
}
