package dev.lightpath.planner.engine.traffic;

import dev.lightpath.planner.ask.Deal;
import dev.lightpath.planner.ask.Prediction;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.engine.state.OcsState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Counts to try on switches that the best counts do not fit, best first. All that the budgets allow where they are few;
 * else the best ones, and those and the present ones with one group exchanged.
 */
final class BetterCounts {
    private static final int FEW = 32;
    private static final int MOST = 12;
    private static final double ROUNDING = 1e-9;

    private BetterCounts() {}

    /**
     * Those that are better at all; empty where there is more to compare than this pass may simulate.
     *
     * @param answer to the question
     * @param floor what they must be better than
     * @param simulations how many counts besides the answer's may be simulated
     */
    static Optional<List<Prediction>> of(
            OcsState state,
            TopologyQuestion question,
            Deal deal,
            Prediction answer,
            Prediction floor,
            int simulations) {
        List<List<Integer>> counts = everyone(question, deal, answer.circuits().size());
        if (counts.size() > FEW) {
            counts = near(answer.circuits(), floor.circuits());
        }
        List<List<Integer>> fitting = counts.stream()
                .filter(of -> fits(question, deal, of))
                .filter(of -> !of.equals(answer.circuits()))
                .distinct()
                .limit(simulations)
                .toList();
        return state.forecasts()
                .compared(question, fitting, answer.lowerBoundSeconds())
                .map(compared -> best(answer, compared, floor));
    }

    private static List<Prediction> best(Prediction answer, List<Prediction> compared, Prediction floor) {
        List<Prediction> predictions = new ArrayList<>(List.of(answer));
        predictions.addAll(compared);
        double best = predictions.stream()
                .mapToDouble(Prediction::iterationSeconds)
                .min()
                .orElseThrow();
        // what differs by rounding is as long: then the fewest ports decide
        return predictions.stream()
                .filter(then -> InterruptionCost.moves(floor, then, 0))
                .sorted(Comparator.comparingLong(
                                (Prediction then) -> Math.round(then.iterationSeconds() / best / ROUNDING))
                        .thenComparingInt(Prediction::ports)
                        .thenComparingDouble(Prediction::iterationSeconds))
                .limit(MOST)
                .toList();
    }

    private static boolean fits(TopologyQuestion question, Deal deal, List<Integer> counts) {
        return question.allows(counts)
                && deal.realisable(counts, question.ports()).equals(Optional.of(counts));
    }

    /** Every choice within the ports; a few more than are few when there are many. */
    private static List<List<Integer>> everyone(TopologyQuestion question, Deal deal, int groups) {
        List<List<Integer>> every = new ArrayList<>();
        List<Integer> counts =
                new ArrayList<>(IntStream.range(0, groups).mapToObj(deal::least).toList());
        int group = 0;
        while (group < groups && every.size() <= FEW) {
            if (group == 0 && question.allows(counts)) {
                every.add(List.copyOf(counts));
            }
            counts.set(group, counts.get(group) + 1);
            if (question.allows(counts)) {
                group = 0;
            } else {
                counts.set(group, deal.least(group));
                group++;
            }
        }
        return every;
    }

    private static List<List<Integer>> near(List<Integer> best, List<Integer> now) {
        List<List<Integer>> near = new ArrayList<>();
        for (int group = 0; group < best.size(); group++) {
            List<Integer> less = new ArrayList<>(best);
            less.set(group, Math.min(best.get(group), now.get(group)));
            near.add(less);
            List<Integer> more = new ArrayList<>(now);
            more.set(group, Math.max(best.get(group), now.get(group)));
            near.add(more);
        }
        return near;
    }
}
