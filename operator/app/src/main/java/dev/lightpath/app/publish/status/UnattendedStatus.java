package dev.lightpath.app.publish.status;

import dev.lightpath.app.conditions.Conditions.Verdict;
import dev.lightpath.crds.Reason;
import dev.lightpath.crds.fabric.OpticalFabricStatus;
import dev.lightpath.crds.opticalswitch.OpticalSwitchStatus;
import dev.lightpath.planner.world.World;
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
                conditions(before == null ? List.of() : before.conditions(), generation, now, PENDING),
                before,
                generation);
    }

    /** Of a fabric that contradicts itself. */
    static OpticalFabricStatus impossible(
            @Nullable OpticalFabricStatus before, long generation, Instant now, String problem) {
        Verdict ready = Verdict.fails(Reason.INVALID_WIRING.word(), problem);
        return fabric(
                conditions(before == null ? List.of() : before.conditions(), generation, now, ready),
                before,
                generation);
    }

    /**
     * The state of its parts is unknown. A refused object waits for a person. An object that is not read yet, or waits
     * for a fabric, does not.
     */
    private static List<Condition> conditions(List<Condition> before, long generation, Instant now, Verdict ready) {
        boolean refused = "False".equals(ready.status());
        Verdict rest = refused ? Verdict.unknown(ready.reason(), "not looked at: " + ready.message()) : ready;
        boolean stalled = refused && !Reason.FABRIC_NOT_FOUND.word().equals(ready.reason());
        return FabricStatusProjector.conditions(before, generation, now, ready, rest, rest, stalled, List.of());
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
                FabricStatusProjector.adopted(false, before),
                before == null ? null : before.ledger(),
                null);
    }

    /**
     * Of a switch that no pass has seen, mostly because of its fabric.
     *
     * @param fabric that its spec names
     */
    static OpticalSwitchStatus opticalSwitch(
            String fabric, World world, @Nullable OpticalSwitchStatus before, long generation, Instant now) {
        List<Condition> conditions = conditions(
                before == null ? List.of() : before.conditions(), generation, now, withoutFabric(fabric, world));
        return new OpticalSwitchStatus(
                generation, conditions, null, null, null, before == null ? null : before.discovery());
    }

    private static Verdict withoutFabric(String fabric, World world) {
        @Nullable String problem = world.unreadable().fabrics().get(fabric);
        if (problem != null) {
            return Verdict.fails(Reason.INVALID_WIRING, "OpticalFabric " + fabric + ": " + problem);
        }
        if (world.rings().containsKey(fabric)) {
            return Verdict.fails(
                    Reason.FABRIC_KIND_MISMATCH,
                    "spec.fabric: OpticalFabric " + fabric
                            + " has transceivers (ocsTrx) and no switches; name one with optical circuit switches (ocs)");
        }
        return world.ocsFabrics().containsKey(fabric)
                ? PENDING
                : Verdict.fails(
                        Reason.FABRIC_NOT_FOUND,
                        "spec.fabric: there is no OpticalFabric " + fabric + "; create it or name another");
    }
}
