package dev.lightpath.crds.fabric;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** State of the fabric. */
@JsonClassDescription("State of the fabric.")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record OpticalFabricStatus(
        @JsonPropertyDescription("Generation of the spec that this status answers.") @Min(0) @Nullable
        Long observedGeneration,

        @JsonPropertyDescription("What holds, one entry per type; Ready is the summary.") @Size(max = 32)
        List<Condition> conditions,

        @JsonPropertyDescription("Nodes by state.") @Nullable
        NodeCounts nodes,

        @JsonPropertyDescription("GPUs by state.") @Nullable GpuCounts gpus,

        @JsonPropertyDescription("Circuits by state.") @Nullable
        CircuitCounts circuits,

        @JsonPropertyDescription("The driver as last seen.") @Nullable
        DriverStatus driver,

        @JsonPropertyDescription(
                "Length in positions: the spec's, or the highest label ever seen + 1; it never shrinks.")
        @Min(0)
        @Nullable
        Integer positions,

        @JsonPropertyDescription("""
                Ports of slices released by force. Until they have been read back dark, only a slice that already \
                has them may use them.\
                """) @Size(max = 16384) List<String> quarantinedPorts,

        @JsonPropertyDescription("Faults that hold now, the newest first, at most 64.")
        @Size(max = OpticalFabricStatus.MOST_FAULTS)
        List<FaultRecord> faults,

        @JsonPropertyDescription("""
                Whether this fabric ever had a record. From then on policy.foreignCircuits decides about circuits \
                without a record, and spec.adopt is not needed any more.\
                """) @Nullable Boolean adopted,

        @JsonPropertyDescription("""
                State of the fabric's records. Devices that remember a later one stop all changes \
                (LedgerOlderThanDevices).\
                """) @Nullable LedgerStatus ledger,

        @JsonPropertyDescription("How light fares that is not lost.") @Nullable
        OpticalHealthStatus opticalHealth) {

    /** Most faults in the status. */
    public static final int MOST_FAULTS = 64;

    /** The same with these conditions. */
    public OpticalFabricStatus with(List<Condition> others) {
        return new OpticalFabricStatus(
                observedGeneration,
                others,
                nodes,
                gpus,
                circuits,
                driver,
                positions,
                quarantinedPorts,
                faults,
                adopted,
                ledger,
                opticalHealth);
    }

    /** The same without the names of foreign circuits. */
    public OpticalFabricStatus withoutForeignCircuits() {
        return new OpticalFabricStatus(
                observedGeneration,
                conditions,
                nodes,
                gpus,
                circuits == null ? null : circuits.withoutForeignCircuits(),
                driver,
                positions,
                quarantinedPorts,
                faults,
                adopted,
                ledger,
                opticalHealth);
    }

    /** The same without conditions, and without how light fares that is not lost. */
    public OpticalFabricStatus figures() {
        return new OpticalFabricStatus(
                observedGeneration,
                List.of(),
                nodes,
                gpus,
                circuits,
                driver,
                positions,
                quarantinedPorts,
                faults,
                adopted,
                ledger,
                null);
    }

    public OpticalFabricStatus {
        conditions = List.copyOf(requireNonNullElse(conditions, List.of()));
        quarantinedPorts = List.copyOf(requireNonNullElse(quarantinedPorts, List.of()));
        faults = List.copyOf(requireNonNullElse(faults, List.of()));
    }
}
