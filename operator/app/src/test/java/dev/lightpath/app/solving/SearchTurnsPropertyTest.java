package dev.lightpath.app.solving;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.ask.Asked;
import dev.lightpath.planner.ask.Iteration;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.delta.Algorithm;
import dev.lightpath.planner.delta.Goal;
import dev.lightpath.planner.delta.iteration.Preset;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Questions of several namespaces arrive and are answered in random orders, at random numbers of places. */
class SearchTurnsPropertyTest {
    private static final int WORLDS = 300;
    private static final int PLACES = 4;

    private final long seed = Long.getLong("lightpath.seed", 11);
    private int asked;

    @Test
    void whateverOneNamespaceAsksAnotherWaitsForNoMoreThanOneOfItsSearchesAtEachPlace() {
        System.out.println("seed " + seed);
        for (int world = 0; world < WORLDS; world++) {
            Random random = new Random(seed + world);
            SearchTurns turns = new SearchTurns();
            TreeMap<String, Asked> questions = new TreeMap<>();
            List<String> running = new ArrayList<>();
            flood(questions, random);
            offer(turns, questions, running);
            work(turns, questions, running, random, 1 + random.nextInt(30));
            String digest = ask(questions, "few", random.nextBoolean() ? Asked.Urgency.REPAIR : Asked.Urgency.NEEDED);
            offer(turns, questions, running);
            int begunOfMany = 0;
            int ends = 0;
            while (!running.contains(digest)) {
                List<String> before = List.copyOf(running);
                if (!before.isEmpty() && running.size() >= PLACES) {
                    end(questions, running, random);
                    ends++;
                }
                flood(questions, random);
                offer(turns, questions, running);
                Optional<String> next = begin(turns, questions, running);
                begunOfMany += next.filter(begun -> !begun.equals(digest)).isPresent() ? 1 : 0;
                assertThat(ends).as("seed %d", seed + world).isLessThanOrEqualTo(PLACES);
            }
            assertThat(begunOfMany)
                    .as("seed %d: searches of others begun meanwhile", seed + world)
                    .isZero();
        }
    }

    /** Nobody gets all places, and a repair finds one where all others are taken. */
    @Test
    void onePlaceIsLeftToOthersAndOneMoreToRepairs() {
        SearchTurns turns = new SearchTurns();
        TreeMap<String, Asked> questions = new TreeMap<>();
        List<String> running = new ArrayList<>();
        flood(questions, new Random(seed));
        offer(turns, questions, running);
        while (begin(turns, questions, running).isPresent()) {}
        assertThat(running).hasSize(SearchTurns.MOST_OF_ONE);
        String first = ask(questions, "few", Asked.Urgency.NEEDED);
        String second = ask(questions, "few", Asked.Urgency.NEEDED);
        String repair = ask(questions, "fewer", Asked.Urgency.REPAIR);
        offer(turns, questions, running);
        assertThat(begin(turns, questions, running)).isPresent();
        assertThat(begin(turns, questions, running)).isPresent();
        assertThat(begin(turns, questions, running)).isEmpty();
        assertThat(running).contains(repair).containsAnyOf(first, second).hasSize(PLACES + SearchTurns.FOR_REPAIRS);
    }

    /** Room to grow, say, however many look for it and however many places are free. */
    @Test
    void whatIsForeseenIsSearchedOneAtATimeWhileNothingElseWaits() {
        SearchTurns turns = new SearchTurns();
        TreeMap<String, Asked> questions = new TreeMap<>();
        List<String> running = new ArrayList<>();
        List<String> foreseen = List.of(
                ask(questions, "first", Asked.Urgency.FORESEEN),
                ask(questions, "second", Asked.Urgency.FORESEEN),
                ask(questions, "third", Asked.Urgency.FORESEEN));
        for (int needed = 0; needed < SearchTurns.MOST_OF_ONE + 1; needed++) {
            ask(questions, "many", Asked.Urgency.NEEDED);
        }
        offer(turns, questions, running);
        while (begin(turns, questions, running).isPresent()) {}
        assertThat(running)
                .as("one of many waits still")
                .hasSize(SearchTurns.MOST_OF_ONE)
                .doesNotContainAnyElementsOf(foreseen);
        questions.remove(running.removeFirst());
        assertThat(begin(turns, questions, running)).isPresent();
        assertThat(running).doesNotContainAnyElementsOf(foreseen);
        List<String> needed = List.copyOf(running);
        assertThat(begin(turns, questions, running)).isPresent();
        assertThat(begin(turns, questions, running)).isEmpty();
        assertThat(running).containsAll(needed).containsAnyElementsOf(foreseen);
        running.removeAll(needed);
        needed.forEach(questions::remove);
        assertThat(begin(turns, questions, running)).as("three places are free").isEmpty();
        String begun = running.getFirst();
        String now = foreseen.stream()
                .filter(each -> !each.equals(begun))
                .findFirst()
                .orElseThrow();
        TopologyQuestion same = Objects.requireNonNull(questions.get(now)).question();
        questions.merge(now, Asked.by("waits", Asked.Urgency.NEEDED, same), Asked::and);
        offer(turns, questions, running);
        assertThat(begin(turns, questions, running)).as("somebody waits for it").contains(now);
        assertThat(begin(turns, questions, running)).isEmpty();
    }

    /** What is no repair, so that the place for repairs is not what decides. */
    private void flood(TreeMap<String, Asked> questions, Random random) {
        for (int more = random.nextInt(5) + 4; more > 0; more--) {
            ask(questions, "many", Asked.Urgency.NEEDED);
        }
    }

    private String ask(TreeMap<String, Asked> questions, String namespace, Asked.Urgency urgency) {
        TopologyQuestion question = new TopologyQuestion(
                new Iteration.OfModel(
                        Preset.GPT_7B.model(), Preset.GPT_7B.workload().batch()),
                Preset.GPT_7B.workload().parallelism(),
                2,
                400,
                List.of(4, 4),
                Goal.fewestPorts(Algorithm.JOINT, 1e-9),
                Duration.ofSeconds(1 + asked++));
        questions.put(question.digest(), Asked.by(namespace, urgency, question));
        return question.digest();
    }

    private static void offer(SearchTurns turns, TreeMap<String, Asked> questions, List<String> running) {
        turns.retain(questions);
        questions.forEach((digest, each) -> {
            if (!running.contains(digest)) {
                turns.add(digest, each);
            }
        });
    }

    private static Optional<String> begin(SearchTurns turns, TreeMap<String, Asked> questions, List<String> running) {
        Optional<String> next = turns.next(running.stream().map(questions::get).toList(), PLACES);
        next.ifPresent(running::add);
        return next;
    }

    private static void end(TreeMap<String, Asked> questions, List<String> running, Random random) {
        questions.remove(running.remove(random.nextInt(running.size())));
    }

    private static void work(
            SearchTurns turns, TreeMap<String, Asked> questions, List<String> running, Random random, int steps) {
        for (int step = 0; step < steps; step++) {
            boolean full = begin(turns, questions, running).isEmpty();
            if (!running.isEmpty() && (full || random.nextInt(3) == 0)) {
                end(questions, running, random);
            }
        }
    }
}
