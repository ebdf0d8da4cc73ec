package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.ask.Prediction;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.SliceId;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Neighbours that take each other's ports, so that another job has better circuits. */
class OcsExchangeTest {
    /** The first of the random worlds that has an exchange; others are looked through should it have none any more. */
    private static final long FIRST_SEED = 96;

    private static final long LAST_SEED = 400;
    private static final int EVENTS = 9;

    /** A world whose next decision lets somebody stand aside. */
    private static ToyOcs beforeAnExchange() {
        for (long seed = FIRST_SEED; seed <= LAST_SEED; seed++) {
            Random chance = new Random(seed);
            ToyOcs ocs = OcsFairnessPropertyTest.world(chance);
            for (int event = 0; event < EVENTS; event++) {
                OcsFairnessPropertyTest.happen(ocs, chance, event);
                for (int rests = 0; rests < 2; ) {
                    Decision next = FabricEngine.deliberate(ocs.world()).decision();
                    if (next instanceof Decision.Adopt adopt
                            && aside(ocs, adopt).isPresent()) {
                        return ocs;
                    }
                    if (ocs.step().decision() instanceof Decision.Rest) {
                        rests++;
                        ocs.now = ocs.now.plus(Duration.ofSeconds(40));
                    }
                }
            }
        }
        throw new AssertionError("no exchange in seeds " + FIRST_SEED + " to " + LAST_SEED);
    }

    /** Whose record loses circuits and keeps its counts. */
    private static Optional<SliceId> aside(ToyOcs ocs, Decision.Adopt adopt) {
        return adopt.entries().stream()
                .filter(entry -> ocs.ledger.get(entry.slice()).allocation().stream()
                        .anyMatch(before -> before.prediction().isPresent()
                                && before.prediction().equals(entry.allocation().prediction())
                                && before.circuits().size()
                                        > entry.allocation().circuits().size()))
                .map(Decision.Adopt.Entry::slice)
                .findFirst();
    }

    private static Map<SliceId, Double> seconds(ToyOcs ocs) {
        Map<SliceId, Double> seconds = new TreeMap<>();
        ocs.ledger.forEach((id, entry) -> entry.allocation()
                .flatMap(Allocation::prediction)
                .map(Prediction::iterationSeconds)
                .ifPresent(of -> seconds.put(id, of)));
        return seconds;
    }

    private static void assertNobodyIsWorse(ToyOcs ocs, Map<SliceId, Double> before, String where) {
        seconds(ocs).forEach((id, seconds) -> {
            assertThat(seconds).as("%s: %s", where, id).isLessThanOrEqualTo(before.get(id) * (1 + 1e-9));
            Allocation recorded = ocs.ledger.get(id).allocation().orElseThrow();
            assertThat(ocs.light().circuits().keySet())
                    .as(where)
                    .containsAll(recorded.circuits().circuits().keySet());
            assertThat(recorded.circuits().minus(ocs.light()).isEmpty())
                    .as(where)
                    .isTrue();
        });
    }

    @Test
    void whoStandsAsideHasAllOfHisBackBeforeADeviceIsTouched() {
        ToyOcs ocs = beforeAnExchange();
        Map<SliceId, Double> before = seconds(ocs);
        Decision.Adopt adopt =
                (Decision.Adopt) FabricEngine.deliberate(ocs.world()).decision();
        SliceId aside = aside(ocs, adopt).orElseThrow();
        int circuits = ocs.recorded(aside).size();
        boolean[] touched = {false};
        ocs.watch = () -> touched[0] = true;
        ocs.step();
        SwitchedLight kept = ocs.recorded(aside);
        assertThat(kept.size()).isLessThan(circuits);
        ocs.step();
        assertThat(kept.minus(ocs.recorded(aside)).isEmpty()).isTrue();
        assertThat(ocs.recorded(aside).size()).isEqualTo(circuits);
        assertThat(touched[0]).isFalse();
        ocs.settle();
        assertNobodyIsWorse(ocs, before, "uninterrupted");
        assertThat(seconds(ocs)).isNotEqualTo(before);
    }

    @Test
    void nothingGoesDarkWhileARecordIsShortOfItsCounts() {
        ToyOcs ocs = beforeAnExchange();
        SliceId aside = aside(ocs, (Decision.Adopt)
                        FabricEngine.deliberate(ocs.world()).decision())
                .orElseThrow();
        int circuits = ocs.recorded(aside).size();
        SwitchedLight before = ocs.light();
        boolean[] early = {false};
        ocs.oneByOne = true;
        ocs.watch = () -> early[0] |= ocs.recorded(aside).size() < circuits
                && !before.minus(ocs.light()).isEmpty();
        ocs.settle();
        assertThat(before.minus(ocs.light()).isEmpty()).isFalse();
        assertThat(ocs.recorded(aside).size()).isEqualTo(circuits);
        assertThat(early[0]).isFalse();
    }

    @Test
    void aCrashBetweenTwoRecordsCostsNobodyACircuit() {
        ToyOcs first = beforeAnExchange();
        int records = ((Decision.Adopt) FabricEngine.deliberate(first.world()).decision())
                .entries()
                .size();
        assertThat(records).isGreaterThan(1);
        for (int written = 0; written <= records; written++) {
            ToyOcs ocs = beforeAnExchange();
            Map<SliceId, Double> before = seconds(ocs);
            Decision.Adopt adopt =
                    (Decision.Adopt) FabricEngine.deliberate(ocs.world()).decision();
            adopt.entries().subList(0, written).forEach(ocs::adopt);
            ocs.restart();
            ocs.settleAfter(Duration.ofSeconds(40));
            assertNobodyIsWorse(ocs, before, written + " of " + records + " records written");
        }
    }

    /**
     * Ten minutes must pay for a second of darkness of each job: half a second less than that moves nobody, half a
     * second more does.
     */
    @Test
    void neighboursGoDarkOnlyForWhatTenMinutesPay() {
        ToyOcs ocs = beforeAnExchange();
        Decision.Adopt adopt =
                (Decision.Adopt) FabricEngine.deliberate(ocs.world()).decision();
        long dark = adopt.entries().stream()
                .filter(entry -> !ocs.recorded(entry.slice())
                        .minus(entry.allocation().circuits())
                        .isEmpty())
                .count();
        Decision.Adopt.Entry better = adopt.entries().stream()
                .filter(entry -> !entry.allocation()
                        .prediction()
                        .equals(ocs.ledger
                                .get(entry.slice())
                                .allocation()
                                .orElseThrow()
                                .prediction()))
                .findFirst()
                .orElseThrow();
        double then = better.allocation().prediction().orElseThrow().iterationSeconds();
        assertThat(dark).isGreaterThan(1);
        expect(ocs, better.slice(), then / (1 - (dark - 0.5) / 600));
        assertThat(others(ocs, better.slice())).isZero();
        expect(ocs, better.slice(), then / (1 - (dark + 0.5) / 600));
        assertThat(others(ocs, better.slice())).isPositive();
    }

    /** How many other jobs' records the next decision changes. */
    private static long others(ToyOcs ocs, SliceId forWhom) {
        return FabricEngine.deliberate(ocs.world()).decision() instanceof Decision.Adopt adopt
                ? adopt.entries().stream()
                        .filter(entry -> !entry.slice().equals(forWhom))
                        .count()
                : 0;
    }

    /** The record of a job tells another length of an iteration. */
    private static void expect(ToyOcs ocs, SliceId id, double seconds) {
        LedgerEntry entry = ocs.ledger.get(id);
        Allocation was = entry.allocation().orElseThrow();
        Prediction of = was.prediction().orElseThrow();
        ocs.ledger.put(
                id,
                new LedgerEntry(
                        Optional.of(new Allocation(
                                was.revision(),
                                was.groups(),
                                was.releasing(),
                                was.origin(),
                                was.circuits(),
                                was.darkening(),
                                Optional.of(new Prediction(
                                        of.question(),
                                        of.circuits(),
                                        seconds,
                                        of.lowerBoundSeconds(),
                                        of.nct(),
                                        of.ports(),
                                        of.portBudget(),
                                        of.proved(),
                                        seconds)))),
                        entry.version()));
    }
}
