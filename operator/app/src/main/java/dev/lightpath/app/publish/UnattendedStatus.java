package dev.lightpath.app.publish;

import dev.lightpath.app.telling.Conditions;
import dev.lightpath.app.telling.Conditions.Verdict;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.Reason;
import dev.lightpath.crds.fabric.OpticalFabricStatus;
import dev.lightpath.crds.opticalswitch.OpticalSwitchStatus;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Says plainly why no pass looks at an object: it cannot be planned on. */
final class UnattendedStatus {
    private static final Verdict PENDING = Verdict.unknown(Reason.PENDING.word(), "not looked at yet");

    private UnattendedStatus() {}

    /** Of a fabric that no pass has seen. */
    static OpticalFabricStatus pending(@Nullable OpticalFabricStatus before, long generation, Instant now) {
        return fabric(
                Conditions.since(before == null ? List.of() : before.conditions(), generation, now)
                        .with(ConditionType.READY, PENDING)
                        .with(ConditionType.CONNECTED, PENDING)
                        .with(ConditionType.IN_SYNC, PENDING)
                        .with(ConditionType.RECONCILING, FabricStatusProjector.abnormal(true, PENDING))
                        .with(ConditionType.STALLED, FabricStatusProjector.abnormal(false, PENDING))
                        .list(),
                before,
                generation);
    }

    /** Of a fabric that contradicts itself. */
    static OpticalFabricStatus impossible(
            @Nullable OpticalFabricStatus before, long generation, Instant now, String problem) {
        Verdict ready = Verdict.fails(Reason.INVALID_WIRING.word(), problem);
        Verdict unread = Verdict.unknown(Reason.INVALID_WIRING.word(), "not looked at: " + problem);
        return fabric(
                Conditions.since(before == null ? List.of() : before.conditions(), generation, now)
                        .with(ConditionType.READY, ready)
                        .with(ConditionType.CONNECTED, unread)
                        .with(ConditionType.IN_SYNC, unread)
                        .with(ConditionType.RECONCILING, FabricStatusProjector.abnormal(false, ready))
                        .with(ConditionType.STALLED, FabricStatusProjector.abnormal(true, ready))
                        .list(),
                before,
                generation);
    }

    private static OpticalFabricStatus fabric(
            List<Condition> conditions, @Nullable OpticalFabricStatus before, long generation) {
        return new OpticalFabricStatus(
                generation,
                conditions,
                null,
                null,
                null,
                null,
                before == null ? null : before.positions(),
                before == null ? List.of() : before.quarantinedPorts(),
                before == null
                        ? List.of()
                        : before.faults().stream()
                                .filter(fault -> Boolean.TRUE.equals(fault.quarantined()))
                                .toList(),
                FabricStatusProjector.adopted(false, before));
    }

    /** Of a switch whose fabric no pass has seen. */
    static OpticalSwitchStatus opticalSwitch(
            String fabric, @Nullable OpticalSwitchStatus before, long generation, Instant now) {
        Verdict pending = Verdict.unknown(
                Reason.PENDING.word(), "not looked at yet: there is no OpticalFabric " + fabric + " with ocs");
        List<Condition> conditions = Conditions.since(before == null ? List.of() : before.conditions(), generation, now)
                .with(ConditionType.READY, pending)
                .with(ConditionType.CONNECTED, pending)
                .with(ConditionType.IN_SYNC, pending)
                .with(ConditionType.RECONCILING, FabricStatusProjector.abnormal(true, pending))
                .with(ConditionType.STALLED, FabricStatusProjector.abnormal(false, pending))
                .list();
        return new OpticalSwitchStatus(generation, conditions, null, null, null);
    }
}
