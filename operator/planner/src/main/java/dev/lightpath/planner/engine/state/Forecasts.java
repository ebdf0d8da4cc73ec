package dev.lightpath.planner.engine.state;

import dev.lightpath.planner.ask.Forecast;
import dev.lightpath.planner.ask.PlacedIteration;
import dev.lightpath.planner.ask.Prediction;
import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.delta.simulation.BuiltIteration;
import dev.lightpath.planner.memory.Memo;
import dev.lightpath.planner.memory.PassMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What to expect of circuits that are not the answer to a question: one simulation each, of the iteration that the
 * solver has built. A pass builds one itself only where that one is not held any more and what is asked of it is not
 * known.
 */
public final class Forecasts {
    /** Of built iterations: sixteen as long as the paper's largest. */
    private static final long MOST_BYTES = 32L << 20;

    /**
     * Of iterations that a pass simulates for comparison: some tens of milliseconds, more where nothing is compiled.
     */
    public static final int MOST_TRANSFERS = 1 << 16;

    public static final Memo.Kind<Forecast, Prediction> PREDICTIONS = new Memo.Kind<>("predictions", Forecast::bytes);

    public static final Memo.Kind<PlacedIteration, BuiltIteration> ITERATIONS =
            new Memo.Kind<>("iterations", (placed, built) -> placed.bytes() + built.bytes(), MOST_BYTES);

    /**
     * Whether the iteration of a question is heavy, by the question's digest as predictions are: held far longer than
     * the iteration itself.
     */
    private static final Memo.Kind<String, Boolean> HEAVY = new Memo.Kind<>("heavy iterations", _ -> 256);

    private final Memo<Forecast, Prediction> predictions;
    private final Memo<PlacedIteration, BuiltIteration> iterations;
    private final Memo<String, Boolean> heavy;
    private final int mostTransfers;
    private int transfers;

    /**
     * @param memory of the pass
     * @param mostTransfers that it may simulate for comparison
     */
    Forecasts(PassMemory memory, int mostTransfers) {
        this.mostTransfers = mostTransfers;
        this.predictions = memory.memo(PREDICTIONS);
        this.iterations = memory.memo(ITERATIONS);
        this.heavy = memory.memo(HEAVY);
    }

    /** The solver that answered a question has built its iteration. */
    public void learn(TopologyQuestion question, TopologyAnswer answer) {
        answer.built().ifPresent(of -> iterations.of(question.placed(), () -> of));
    }

    public BuiltIteration iteration(TopologyQuestion question) {
        return iterations.of(question.placed(), question::build);
    }

    private boolean isHeavy(TopologyQuestion question) {
        return heavy.of(question.digest(), () -> iteration(question).isHeavy());
    }

    /** Why a pass does not simulate an iteration; empty if it does. */
    public Optional<String> tooLong(TopologyQuestion question) {
        return question.tooLong()
                .or(() -> isHeavy(question)
                        ? Optional.of("too many of its transfers are under way at once")
                        : Optional.empty());
    }

    /** As {@link TopologyQuestion#predict}. */
    public Prediction of(TopologyQuestion question, List<Integer> circuits, double lowerBoundSeconds) {
        return of(new Forecast(question.digest(), circuits, lowerBoundSeconds), question);
    }

    /**
     * The same of several circuits, to be compared. Empty where this pass may not simulate so much: it has simulated
     * some, and a next one goes on. None are compared of an iteration that is too long to be simulated in a pass.
     */
    public Optional<List<Prediction>> compared(
            TopologyQuestion question, List<List<Integer>> circuits, double lowerBoundSeconds) {
        if (isHeavy(question)) {
            return Optional.of(List.of());
        }
        String digest = question.digest();
        List<Prediction> compared = new ArrayList<>();
        for (List<Integer> each : circuits) {
            Forecast forecast = new Forecast(digest, each, lowerBoundSeconds);
            if (!predictions.knows(forecast)) {
                if (transfers >= mostTransfers) {
                    return Optional.empty();
                }
                transfers += iteration(question).cost();
            }
            compared.add(of(forecast, question));
        }
        return Optional.of(compared);
    }

    /** As {@link TopologyQuestion#anew}. */
    public Prediction anew(TopologyQuestion question, Prediction was, Prediction answer) {
        return question.anew(was, answer, () -> iteration(question));
    }

    private Prediction of(Forecast forecast, TopologyQuestion question) {
        return predictions.of(
                forecast,
                () -> question.predict(iteration(question), forecast.circuits(), forecast.lowerBoundSeconds()));
    }
}
