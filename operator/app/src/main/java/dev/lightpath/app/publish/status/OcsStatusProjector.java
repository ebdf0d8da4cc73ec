package dev.lightpath.app.publish.status;

import dev.lightpath.app.conditions.Conditions.Verdict;
import dev.lightpath.crds.Reason;
import dev.lightpath.crds.fabric.OpticalFabricStatus;
import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.engine.decision.OcsVerdict;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.words.Counted;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.OcsSwitch;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The status of a fabric of optical switches (spec: kubernetes, 1 and 5). */
public final class OcsStatusProjector {
    /** What the static topology waits for by itself. */
    private static final Set<String> PASSING = Set.of(
            Reason.PROGRAMMING.word(),
            Reason.QUALIFYING.word(),
            Reason.FAULT_PENDING.word(),
            Reason.RELEASING.word(),
            Reason.INDETERMINATE.word());

    private OcsStatusProjector() {}

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
                Objects.requireNonNull(outcome.deliberation().ocsFabrics().get(name));
        OcsIntent intent = Objects.requireNonNull(outcome.world().ocsFabrics().get(name));
        SortedMap<String, DriverState> drivers = new TreeMap<>();
        intent.drivers()
                .forEach(endpoint -> drivers.put(endpoint, outcome.world().driver(endpoint)));
        Verdict connected = FabricStatusProjector.connected(intent, drivers);
        Verdict inSync = FabricStatusProjector.inSync(verdict, connected.holds());
        Verdict ready = ready(verdict, spine, intent, connected, inSync, silent(outcome, intent));
        boolean passing = PASSING.contains(ready.reason());
        boolean stalled = !ready.holds()
                && !passing
                && (FabricStatusProjector.NEEDS_A_PERSON.contains(ready.reason())
                        || spine.topologyObstacle().isPresent());
        return FabricStatusProjector.status(
                intent,
                drivers,
                verdict,
                new FabricStatusProjector.Health(connected, inSync, ready, stalled),
                null,
                verdict.gpus().allocated() > 0 || verdict.circuits().planned() > 0,
                before,
                generation,
                now);
    }

    /** Switches whose device does not answer, or is not known to its driver. */
    private static List<String> silent(Outcome outcome, OcsIntent intent) {
        return intent.switches().values().stream()
                .filter(of -> outcome.world()
                        .device(of.device())
                        .map(device -> !device.answers())
                        .orElse(true))
                .map(OcsSwitch::name)
                .toList();
    }

    private static Verdict ready(
            FabricVerdict verdict,
            OcsVerdict spine,
            OcsIntent intent,
            Verdict connected,
            Verdict inSync,
            List<String> silent) {
        boolean noSwitch = intent.drivers().isEmpty() && verdict.invalidWiring().isPresent();
        Verdict ready = FabricStatusProjector.ready(
                verdict,
                intent.paused(),
                noSwitch ? Verdict.holds("") : connected,
                spine.topologyObstacle().isPresent() && inSync.reason().equals(Reason.MISSING_CIRCUITS.word())
                        ? Verdict.holds("")
                        : inSync);
        if (ready.holds() && 2 * silent.size() > intent.switches().size()) {
            return Verdict.fails(
                    Reason.DRIVER_UNREACHABLE.word(),
                    Counted.part(
                                    silent.size(),
                                    intent.switches().size(),
                                    "switch does not answer",
                                    "switches do not answer")
                            + " (" + FabricStatusProjector.named(silent)
                            + "); the condition Connected of each says why");
        }
        return ready.holds()
                ? spine.topologyObstacle()
                        .map(obstacle -> Verdict.fails(ConditionReason.of(obstacle.reason()), obstacle.message()))
                        .orElse(ready)
                : ready;
    }
}
