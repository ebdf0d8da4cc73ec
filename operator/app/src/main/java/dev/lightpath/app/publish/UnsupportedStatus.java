package dev.lightpath.app.publish;

import dev.lightpath.app.publish.Conditions.Verdict;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.Reason;
import dev.lightpath.crds.fabric.OpticalFabricStatus;
import dev.lightpath.crds.opticalswitch.OpticalSwitchStatus;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Says plainly that this release plans for optical circuit switches but does not act on them. */
final class UnsupportedStatus {
    private static final Verdict READY = Verdict.fails(
            Reason.NOT_SUPPORTED.word(),
            "this release does not act on optical circuit switches (OpticalFabric ocs, OpticalSwitch): nothing is read"
                    + " or changed; use an OpticalFabric with ocsTrx, or the planning commands of the lightpath CLI");
    private static final Verdict UNREAD = Verdict.unknown(Reason.NOT_SUPPORTED.word(), "not looked at");

    private UnsupportedStatus() {}

    static OpticalFabricStatus fabric(@Nullable OpticalFabricStatus before, long generation, Instant now) {
        List<Condition> conditions = conditions(before == null ? List.of() : before.conditions(), generation, now);
        return new OpticalFabricStatus(
                generation, conditions, null, null, null, null, null, List.of(), List.of());
    }

    static OpticalSwitchStatus opticalSwitch(@Nullable OpticalSwitchStatus before, long generation, Instant now) {
        List<Condition> conditions = conditions(before == null ? List.of() : before.conditions(), generation, now);
        return new OpticalSwitchStatus(generation, conditions, null, null, null);
    }

    private static List<Condition> conditions(List<Condition> before, long generation, Instant now) {
        return Conditions.since(before, generation, now)
                .with(ConditionType.READY, READY)
                .with(ConditionType.CONNECTED, UNREAD)
                .with(ConditionType.IN_SYNC, UNREAD)
                .with(ConditionType.RECONCILING, FabricStatusProjector.abnormal(false, READY))
                .with(ConditionType.STALLED, FabricStatusProjector.abnormal(true, READY))
                .list();
    }
}
