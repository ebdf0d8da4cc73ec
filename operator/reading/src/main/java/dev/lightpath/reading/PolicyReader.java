package dev.lightpath.reading;

import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.fabric.Adoption;
import dev.lightpath.crds.fabric.LedgerStatus;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.fabric.OpticalFabricSpec;
import dev.lightpath.crds.fabric.OpticalFabricStatus;
import dev.lightpath.crds.fabric.policy.ForeignCircuits;
import dev.lightpath.crds.fabric.policy.OpticalHealthPolicy;
import dev.lightpath.crds.fabric.policy.QuotaPolicy;
import dev.lightpath.planner.health.HealthPolicy;
import dev.lightpath.planner.world.FabricPolicy;
import dev.lightpath.planner.world.Lineage;
import dev.lightpath.planner.world.Quota;
import dev.lightpath.reading.label.Labels;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What an administrator allows, in the planner's terms. */
public final class PolicyReader {
    private PolicyReader() {}

    static FabricPolicy read(OpticalFabric fabric) {
        OpticalFabricSpec spec = fabric.getSpec();
        dev.lightpath.crds.fabric.policy.FabricPolicy policy = spec.policy();
        boolean adopted = fabric.getStatus() != null
                && Boolean.TRUE.equals(fabric.getStatus().adopted());
        return new FabricPolicy(
                policy.disruption().maxConcurrentPercent(),
                foreign(policy.foreignCircuits()),
                policy.qualification().minimumPassPercent(),
                Double.parseDouble(policy.qualification().maximumLossDb()),
                Duration.ofMillis(policy.faults().holdMillis()),
                Duration.ofSeconds(policy.faults().clearSeconds()),
                policy.massFailure().percent(),
                Duration.ofSeconds(policy.massFailure().windowSeconds()),
                adoption(spec.adopt()),
                adopted,
                quota(policy.quota()),
                Duration.ofSeconds(policy.search().maxSeconds()),
                lineage(fabric),
                switch (policy.preemption()) {
                    case NEVER -> FabricPolicy.Preemption.NEVER;
                    case LOWER_PRIORITY -> FabricPolicy.Preemption.LOWER_PRIORITY;
                },
                switch (policy.routes().acknowledgement()) {
                    case NONE -> false;
                    case REQUIRED -> true;
                },
                health(policy.opticalHealth()));
    }

    private static HealthPolicy health(OpticalHealthPolicy written) {
        return new HealthPolicy(
                switch (written.mode()) {
                    case OBSERVE -> HealthPolicy.Mode.OBSERVE;
                    case TAKE_OUT -> HealthPolicy.Mode.TAKE_OUT;
                },
                Double.parseDouble(written.lossAboveBaselineDb()),
                Double.parseDouble(written.driftDbPerDay()),
                Double.parseDouble(written.preFecBitErrorRatio()));
    }

    /** What its status and annotations tell of the past of its records. */
    public static Lineage lineage(OpticalFabric fabric) {
        OpticalFabricStatus status = fabric.getStatus();
        LedgerStatus told = status == null ? null : status.ledger();
        return new Lineage(
                told == null ? 0 : told.revision(),
                told == null ? "" : told.digest(),
                told == null || told.newer() == null ? 0 : told.newer(),
                acceptedEpoch(fabric),
                Labels.number(fabric, LightpathAnnotations.ACCEPTED_REVISION));
    }

    /** Up to which epoch a person takes over devices that another ledger wrote to; 0 for none. */
    public static long acceptedEpoch(OpticalFabric fabric) {
        return Labels.number(fabric, LightpathAnnotations.ACCEPTED_EPOCH);
    }

    private static Quota quota(@Nullable QuotaPolicy written) {
        if (written == null) {
            return Quota.none();
        }
        SortedMap<String, Quota.Share> namespaces = new TreeMap<>();
        written.namespaces().forEach(each -> namespaces.put(each.name(), share(each.gpus(), each.jobs())));
        return new Quota(share(written.gpusPerNamespace(), written.jobsPerNamespace()), namespaces);
    }

    private static Quota.Share share(@Nullable Integer gpus, @Nullable Integer jobs) {
        return new Quota.Share(bound(gpus), bound(jobs));
    }

    private static OptionalInt bound(@Nullable Integer written) {
        return written == null ? OptionalInt.empty() : OptionalInt.of(written);
    }

    private static FabricPolicy.ForeignCircuits foreign(ForeignCircuits word) {
        return switch (word) {
            case REPORT -> FabricPolicy.ForeignCircuits.REPORT;
            case REMOVE -> FabricPolicy.ForeignCircuits.REMOVE;
        };
    }

    private static Optional<FabricPolicy.Adoption> adoption(@Nullable Adoption word) {
        if (word == null) {
            return Optional.empty();
        }
        return Optional.of(
                switch (word) {
                    case KEEP -> FabricPolicy.Adoption.KEEP;
                    case RESET -> FabricPolicy.Adoption.RESET;
                });
    }
}
