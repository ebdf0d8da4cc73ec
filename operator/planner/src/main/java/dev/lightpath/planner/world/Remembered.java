package dev.lightpath.planner.world;

import dev.lightpath.planner.ask.Forecast;
import dev.lightpath.planner.ask.PlacedIteration;
import dev.lightpath.planner.ask.Prediction;
import dev.lightpath.planner.delta.BuiltIteration;
import dev.lightpath.planner.stripe.Striper;
import dev.lightpath.planner.stripe.Striping;
import dev.lightpath.planner.torus.LentTorus;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What one pass worked out about a fabric and the next need not: saves work, and changes no decision; a search that goes
 * on from pass to pass (ADR 64) comes to it sooner.
 *
 * @param fruitless all that the last search for better circuits read that found nothing, compared by value; only who searched looks
 *     into it
 * @param stripings what was found out about ports for circuits
 * @param trials the same in short, of sets of pods that were tried for somebody who waits
 * @param lentTori what was found out about tori of which cubes are lent
 * @param forecasts what was found out about fewer circuits than were answered
 * @param iterations those that are built
 * @param described what follows from the fabric's description and from what it consists of, with both; only who worked it out looks into it
 * @param sittings what follows from records of a ring; says nothing of records that changed since
 */
public record Remembered(
        Optional<InVain> fruitless,
        Recall.Known<Striping, Striper.Partial> stripings,
        Recall.Known<Striping, Striper.Partial> trials,
        Recall.Known<LentTorus, Optional<LentTorus.Whole>> lentTori,
        Recall.Known<Forecast, Prediction> forecasts,
        Recall.Known<PlacedIteration, BuiltIteration> iterations,
        Optional<OfDescription> described,
        SortedMap<SliceId, Sitting> sittings) {
    /** All that a search read which found nothing, compared by value. */
    public interface InVain {}

    /** What follows from a fabric's description and from what it consists of, with both. */
    public interface OfDescription {}

    private static final Remembered NOTHING = ofRing(Optional.empty(), new TreeMap<>());

    public Remembered {
        sittings = Collections.unmodifiableSortedMap(new TreeMap<>(sittings));
    }

    /** Of a fabric of transceivers. */
    public static Remembered ofRing(Optional<OfDescription> described, SortedMap<SliceId, Sitting> sittings) {
        return new Remembered(
                Optional.empty(),
                Recall.Known.nothing(),
                Recall.Known.nothing(),
                Recall.Known.nothing(),
                Recall.Known.nothing(),
                Recall.Known.nothing(),
                described,
                sittings);
    }

    /** Of a fabric of optical switches. */
    public static Remembered ofSwitches(
            Optional<InVain> fruitless,
            Recall.Known<Striping, Striper.Partial> stripings,
            Recall.Known<Striping, Striper.Partial> trials,
            Recall.Known<LentTorus, Optional<LentTorus.Whole>> lentTori,
            Recall.Known<Forecast, Prediction> forecasts,
            Recall.Known<PlacedIteration, BuiltIteration> iterations,
            OfDescription described) {
        return new Remembered(
                fruitless, stripings, trials, lentTori, forecasts, iterations, Optional.of(described), new TreeMap<>());
    }

    public static Remembered nothing() {
        return NOTHING;
    }

    /** What follows from the description, as whoever worked it out wrote it down. */
    public <T extends OfDescription> Optional<T> described(Class<T> as) {
        return described.filter(as::isInstance).map(as::cast);
    }
}
