package dev.lightpath.app.cluster;

import dev.lightpath.app.conditions.Conditions;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.EventReason;
import dev.lightpath.crds.fabric.FaultRecord;
import dev.lightpath.crds.fabric.LedgerStatus;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.fabric.OpticalFabricStatus;
import dev.lightpath.crds.job.ClassPriority;
import dev.lightpath.crds.job.Preempted;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.TrainingJobStatus;
import dev.lightpath.crds.job.agreement.HookAgreement;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.planner.ask.Speeds;
import dev.lightpath.reading.AgreementReader;
import dev.lightpath.reading.LearntReader;
import dev.lightpath.reading.LightReturned;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which changes of an object can change what is decided. Most are the echo of our own words: conditions, counts and
 * predictions in statuses. To deliberate on each again would keep the loop busy for nothing.
 */
final class Relevance {
    /** What the planner is told of a fabric's status: see {@link dev.lightpath.reading.RingIntentReader}. */
    private record FabricMemory(
            @Nullable Integer positions, List<String> quarantined, List<FaultRecord> latched, boolean adopted) {
        static FabricMemory of(OpticalFabric fabric) {
            @Nullable OpticalFabricStatus status = fabric.getStatus();
            return status == null
                    ? new FabricMemory(null, List.of(), List.of(), false)
                    : new FabricMemory(
                            status.positions(),
                            List.copyOf(status.quarantinedPorts()),
                            status.faults().stream()
                                    .filter(fault -> Boolean.TRUE.equals(fault.quarantined()))
                                    .toList(),
                            Boolean.TRUE.equals(status.adopted()));
        }
    }

    /** The same of a job. */
    private record JobMemory(
            @Nullable Integer attempt,
            boolean returned,
            @Nullable Preempted preempted,
            @Nullable ClassPriority classPriority,
            Speeds speeds,
            List<HookAgreement> agreed) {
        static JobMemory of(TrainingJob job) {
            @Nullable TrainingJobStatus status = job.getStatus();
            return new JobMemory(
                    status == null ? null : status.attempt(),
                    LightReturned.by(status),
                    status == null ? null : status.preempted(),
                    status == null ? null : status.classPriority(),
                    LearntReader.speeds(job),
                    AgreementReader.hooked(job));
        }
    }

    private Relevance() {}

    static boolean ofFabric(OpticalFabric before, OpticalFabric now) {
        return described(before, now) || !FabricMemory.of(before).equals(FabricMemory.of(now));
    }

    /**
     * The revision of its records moves with each of them, mostly by our own word: the next pass has to know it, and
     * none begins for it.
     */
    static boolean ofLedger(OpticalFabric before, OpticalFabric now) {
        return !Objects.equals(ledger(before), ledger(now));
    }

    private static @Nullable LedgerStatus ledger(OpticalFabric of) {
        return of.getStatus() == null ? null : of.getStatus().ledger();
    }

    /** Of a switch's status only what was found of its fibres is read; a person clears its faults by an annotation. */
    static boolean ofSwitch(OpticalSwitch before, OpticalSwitch now) {
        return described(before, now) || !Objects.equals(probes(before), probes(now));
    }

    /** A probing circuit is made once it is written there. */
    private static List<String> probes(OpticalSwitch of) {
        return of.getStatus() == null || of.getStatus().discovery() == null
                ? List.of()
                : of.getStatus().discovery().probes();
    }

    static boolean ofJob(TrainingJob before, TrainingJob now) {
        return described(before, now) || !JobMemory.of(before).equals(JobMemory.of(now));
    }

    /**
     * Whether a slice has gone dark is told by its conditions: those of static topologies, and of jobs that are gone,
     * wait for it.
     */
    static boolean ofSlice(FabricSlice before, FabricSlice now) {
        return described(before, now)
                || now.getSpec().job() == null
                || !Objects.equals(allocation(before), allocation(now))
                || released(now) && !released(before);
    }

    private static boolean released(FabricSlice slice) {
        return slice.getStatus() != null
                && Conditions.isFor(slice.getStatus().conditions(), ConditionType.READY, EventReason.RELEASED.word());
    }

    private static @Nullable Allocation allocation(FabricSlice slice) {
        return slice.getStatus() == null ? null : slice.getStatus().allocation();
    }

    /** Whether it is another object, was written by somebody, or is going. */
    private static boolean described(HasMetadata before, HasMetadata now) {
        ObjectMeta old = before.getMetadata();
        ObjectMeta fresh = now.getMetadata();
        return !Objects.equals(old.getUid(), fresh.getUid())
                || !Objects.equals(old.getGeneration(), fresh.getGeneration())
                || !Objects.equals(old.getLabels(), fresh.getLabels())
                || !Objects.equals(old.getAnnotations(), fresh.getAnnotations())
                || !Objects.equals(old.getFinalizers(), fresh.getFinalizers())
                || !Objects.equals(old.getDeletionTimestamp(), fresh.getDeletionTimestamp());
    }
}
