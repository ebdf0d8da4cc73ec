package dev.lightpath.console.forecast;

import dev.lightpath.console.report.ShownCondition;
import dev.lightpath.crds.Reason;
import dev.lightpath.crds.fabric.OpticalFabric;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What keeps the operator from moving light of a fabric. */
public final class Halt {
    /** Reasons of a fabric's Ready that keep its light where it is. */
    private static final Set<String> REASONS = Set.of(
            Reason.PAUSED.word(),
            Reason.MASS_FAILURE.word(),
            Reason.HELD_BY_ANOTHER_ROLE.word(),
            Reason.LEDGER_OLDER_THAN_DEVICES.word(),
            Reason.AWAITING_ADOPTION.word(),
            Reason.DRIVER_UNREACHABLE.word(),
            Reason.AUTHENTICATION_FAILED.word(),
            Reason.CONTRACT_MISMATCH.word(),
            Reason.STALE_EPOCH.word());

    private Halt() {}

    /** By the operator's own words; null when nothing does. */
    public static @Nullable String of(OpticalFabric fabric) {
        String paused =
                Boolean.TRUE.equals(fabric.getSpec().paused()) ? "Paused: set spec.paused to false to go on" : null;
        if (fabric.getStatus() == null) {
            return paused;
        }
        return ShownCondition.of(fabric.getStatus().conditions()).stream()
                .filter(condition ->
                        condition.type().equals("Ready") && !condition.holds() && REASONS.contains(condition.reason()))
                .map(ShownCondition::sentence)
                .findFirst()
                .orElse(paused);
    }
}
