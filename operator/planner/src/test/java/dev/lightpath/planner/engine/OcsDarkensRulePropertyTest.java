package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.ask.Prediction;
import dev.lightpath.planner.delta.Algorithm;
import dev.lightpath.planner.delta.Batch;
import dev.lightpath.planner.delta.Goal;
import dev.lightpath.planner.delta.Parallelism;
import dev.lightpath.planner.delta.Preset;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Whoever has a place gets better circuits by way of neighbours only where ten minutes pay for a second of darkness of each job whose
 * light goes: of jobs that compute for so long that more circuits gain little.
 */
class OcsDarkensRulePropertyTest {
    private static final int WORLDS = 60;
    private static final int EVENTS = 8;
    private static final double HORIZON_SECONDS = 600;

    @Test
    void neighboursGoDarkOnlyForWhatIsWorthIt() {
        int judged = 0;
        List<String> wrong = new ArrayList<>();
        for (long seed = 1; seed <= WORLDS; seed++) {
            Random chance = new Random(seed);
            ToyOcs ocs = OcsFairnessPropertyTest.world(chance);
            for (int event = 0; event < EVENTS; event++) {
                happen(ocs, chance, event);
                for (int pass = 0; pass < 200; pass++) {
                    Map<SliceId, Allocation> before = records(ocs);
                    Decision decision = ocs.step().decision();
                    if (decision instanceof Decision.Rest) {
                        break;
                    }
                    if (decision instanceof Decision.Adopt adopt) {
                        Optional<String> fault = fault(before, adopt);
                        String where = "seed " + seed + ", event " + event + ": ";
                        fault.ifPresent(why -> wrong.add(where + why));
                        judged += forWhom(before, adopt).isPresent() ? 1 : 0;
                    }
                }
            }
        }
        assertThat(wrong).as("of %d", judged).isEmpty();
        assertThat(judged).isGreaterThan(3);
    }

    private static Map<SliceId, Allocation> records(ToyOcs ocs) {
        Map<SliceId, Allocation> records = new TreeMap<>();
        ocs.ledger.forEach((id, entry) -> entry.allocation().ifPresent(of -> records.put(id, of)));
        return records;
    }

    /** For whom others change their ports. */
    private static Optional<SliceId> forWhom(Map<SliceId, Allocation> before, Decision.Adopt adopt) {
        String words = "to make room for ";
        return adopt.entries().stream()
                .filter(entry -> before.containsKey(entry.slice())
                        && !before.get(entry.slice())
                                .circuits()
                                .equals(entry.allocation().circuits()))
                .flatMap(entry -> entry.allocation().origin().stream())
                .map(origin -> origin.why())
                .filter(reason -> reason.contains(words))
                .map(reason -> new SliceId("team", reason.substring(reason.indexOf(words) + words.length())))
                .filter(id -> before.containsKey(id) && before.get(id).prediction().isPresent())
                .findFirst();
    }

    private static Optional<String> fault(Map<SliceId, Allocation> before, Decision.Adopt adopt) {
        SliceId id = forWhom(before, adopt).orElse(null);
        if (id == null) {
            return Optional.empty();
        }
        Prediction now = before.get(id).prediction().orElseThrow();
        Prediction then = adopt.entries().stream()
                .filter(entry -> entry.slice().equals(id))
                .flatMap(entry -> entry.allocation().prediction().stream())
                .findFirst()
                .orElseThrow();
        long dark = adopt.entries().stream()
                .filter(entry -> !Optional.ofNullable(before.get(entry.slice()))
                        .map(Allocation::circuits)
                        .orElse(SwitchedLight.none())
                        .minus(entry.allocation().circuits())
                        .isEmpty())
                .count();
        double pays = HORIZON_SECONDS * (1 - then.iterationSeconds() / now.iterationSeconds());
        return pays > dark ? Optional.empty() : Optional.of(id + " gains " + pays + " s, dark: " + dark + " jobs");
    }

    private static void happen(ToyOcs ocs, Random chance, int event) {
        ocs.now = ocs.now.plusSeconds(60);
        List<SliceId> jobs = List.copyOf(ocs.slices.keySet());
        if (jobs.size() < 2 || chance.nextInt(3) > 0) {
            ocs.wishTraffic("job" + event, traffic(chance), 0, true, new Workload.LightOnly());
        } else {
            SliceId leaver = jobs.get(chance.nextInt(jobs.size()));
            ocs.wishTraffic(
                    leaver.name(),
                    (Demand.Traffic) ocs.slices.get(leaver).demand(),
                    0,
                    false,
                    new Workload.LightOnly());
            ocs.settle();
            ocs.forget(leaver);
        }
    }

    private static Demand.Traffic traffic(Random chance) {
        boolean twins = chance.nextInt(3) > 0;
        int stages = twins ? 1 + chance.nextInt(2) : 2 + chance.nextInt(2);
        return new Demand.Traffic(
                Preset.GPT_7B.model(),
                Parallelism.ofDegrees(8, stages, twins ? 2 : 1, 1, 1),
                new Batch(2 + chance.nextInt(14), 1, 8192 << chance.nextInt(4), true),
                OptionalInt.of(1),
                Goal.fewestPorts(Algorithm.JOINT, 1e-9),
                Duration.ofSeconds(10));
    }
}
