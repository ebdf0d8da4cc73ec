package dev.lightpath.planner.world;

import dev.lightpath.planner.ask.Forecast;
import dev.lightpath.planner.ask.Prediction;
import dev.lightpath.planner.stripe.Striper;
import dev.lightpath.planner.stripe.Striping;
import java.util.Optional;

/**
 * What one pass worked out and the next need not: saves work, and changes no decision.
 *
 * @param read all that the last search for better circuits read that found nothing, compared by value; only who searched looks into it
 * @param stripings what was found out about ports for circuits
 * @param forecasts what was found out about fewer circuits than were answered
 * @param described what follows from the fabric's description alone, with that description; only who worked it out looks into it
 */
public record Fruitless(
        Optional<Record> read,
        Recall.Known<Striping, Striper.Partial> stripings,
        Recall.Known<Forecast, Prediction> forecasts,
        Optional<Record> described) {
    private static final Fruitless NONE =
            new Fruitless(Optional.empty(), Recall.Known.nothing(), Recall.Known.nothing(), Optional.empty());

    /** What follows from the description, as whoever worked it out wrote it down. */
    public <T extends Record> Optional<T> described(Class<T> as) {
        return described.filter(as::isInstance).map(as::cast);
    }

    /** Nothing is remembered. */
    public static Fruitless none() {
        return NONE;
    }
}
