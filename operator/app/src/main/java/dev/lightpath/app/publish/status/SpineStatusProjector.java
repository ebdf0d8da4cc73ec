package dev.lightpath.app.publish.status;

import dev.lightpath.app.conditions.Conditions.Verdict;
import dev.lightpath.crds.Reason;
import dev.lightpath.crds.fabric.DriverStatus;
import dev.lightpath.crds.fabric.OpticalFabricStatus;
import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.engine.decision.OcsVerdict;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.world.OcsIntent;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The status of a fabric of optical switches (spec: kubernetes, 1 and 5). */
public final class SpineStatusProjector {
    /** What the static topology waits for by itself. */
    private static final Set<String> PASSING = Set.of(
            Reason.PROGRAMMING.word(),
            Reason.QUALIFYING.word(),
            Reason.FAULT_PENDING.word(),
            Reason.RELEASING.word(),
            Reason.INDETERMINATE.word());

    private SpineStatusProjector() {}

    /**
     * Never moves for the passing of time alone: the same verdict gives the same status.
     *
     * @param before the status the object has now, null when it has none
     * @param generation of the object
     */
    public static OpticalFabricStatus project(
            Outcome outcome, String name, @Nullable OpticalFabricStatus before, long generation, Instant now) {
        FabricVerdict verdict =
                Objects.requireNonNull(outcome.deliberation().fabrics().get(name));
        OcsVerdict spine =
                Objects.requireNonNull(outcome.deliberation().spines().get(name));
        OcsIntent intent = Objects.requireNonNull(outcome.world().spines().get(name));
        Verdict connected = connected(outcome, intent);
        Verdict inSync = FabricStatusProjector.inSync(verdict, connected.holds());
        Verdict ready = ready(verdict, spine, intent, connected, inSync);
        boolean passing = PASSING.contains(ready.reason());
        boolean stalled = !ready.holds()
                && !passing
                && (FabricStatusProjector.NEEDS_A_PERSON.contains(ready.reason())
                        || spine.standing().isPresent());
        List<io.fabric8.kubernetes.api.model.Condition> conditions = FabricStatusProjector.conditions(
                before == null ? List.of() : before.conditions(),
                generation,
                now,
                ready,
                connected,
                inSync,
                stalled,
                intent.drivers().stream()
                        .filter(endpoint -> outcome.world().driver(endpoint).plaintext())
                        .toList());
        return new OpticalFabricStatus(
                generation,
                conditions,
                FabricStatusProjector.nodes(verdict.nodes()),
                FabricStatusProjector.gpus(verdict.gpus()),
                FabricStatusProjector.circuits(verdict.circuits()),
                driver(outcome, intent, connected.holds()),
                null,
                FabricStatusProjector.quarantinedPorts(verdict, intent.quarantinedPorts(), before),
                FabricStatusProjector.faults(verdict),
                FabricStatusProjector.adopted(
                        verdict.gpus().allocated() > 0 || verdict.circuits().planned() > 0, before),
                LedgerRevision.next(
                        verdict,
                        intent.policy().lineage(),
                        intent.drivers().stream().map(outcome.world()::driver).toList(),
                        intent.role(),
                        before));
    }

    /** The first driver that does not answer, in order of endpoints. */
    private static Verdict connected(Outcome outcome, OcsIntent intent) {
        for (String endpoint : intent.drivers()) {
            Verdict verdict = FabricStatusProjector.connected(
                    endpoint, intent.role(), outcome.world().driver(endpoint));
            if (!verdict.holds()) {
                return verdict;
            }
        }
        int drivers = intent.drivers().size();
        return switch (drivers) {
            case 0 -> Verdict.unknown(Reason.PENDING.word(), "no OpticalSwitch names this fabric");
            case 1 -> Verdict.holds("driver " + intent.drivers().first() + " answers");
            default -> Verdict.holds("all " + drivers + " drivers answer");
        };
    }

    private static Verdict ready(
            FabricVerdict verdict, OcsVerdict spine, OcsIntent intent, Verdict connected, Verdict inSync) {
        boolean noSwitch = intent.drivers().isEmpty() && verdict.invalidWiring().isPresent();
        Verdict ready = FabricStatusProjector.ready(
                verdict,
                intent.paused(),
                noSwitch ? Verdict.holds("") : connected,
                spine.standing().isPresent() && inSync.reason().equals(Reason.MISSING_CIRCUITS.word())
                        ? Verdict.holds("")
                        : inSync);
        return ready.holds()
                ? spine.standing()
                        .map(obstacle -> Verdict.fails(ConditionReason.of(obstacle.reason()), obstacle.message()))
                        .orElse(ready)
                : ready;
    }

    private static @Nullable DriverStatus driver(Outcome outcome, OcsIntent intent, boolean connected) {
        if (intent.drivers().isEmpty()) {
            return null;
        }
        DriverState first = outcome.world().driver(intent.drivers().first());
        long epoch = intent.drivers().stream()
                .map(outcome.world()::driver)
                .mapToLong(each -> FabricStatusProjector.epoch(
                        each, intent.role(), intent.policy().lineage()))
                .max()
                .orElse(0);
        DriverStatus told = FabricStatusProjector.driver(first, epoch);
        return new DriverStatus(told.name(), told.version(), connected, told.epoch());
    }
}
