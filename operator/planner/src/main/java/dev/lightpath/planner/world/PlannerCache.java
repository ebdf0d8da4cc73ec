package dev.lightpath.planner.world;

import dev.lightpath.planner.ask.Forecast;
import dev.lightpath.planner.ask.PlacedIteration;
import dev.lightpath.planner.ask.Prediction;
import dev.lightpath.planner.delta.simulation.BuiltIteration;
import dev.lightpath.planner.stripe.Striper;
import dev.lightpath.planner.stripe.Striping;
import dev.lightpath.planner.torus.LentTorus;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Results of a pass about a fabric that the next pass can reuse. They save work and change no decision. A search that
 * goes on from pass to pass (ADR 64) ends sooner with them.
 *
 * @param fruitless everything that the last search for better circuits read if it found nothing, compared by value;
 *     only that search reads it
 * @param stripings results about ports for circuits
 * @param trials the same in short, for sets of pods that were tried for a waiting slice
 * @param lentTori results about tori with lent cubes
 * @param forecasts results about fewer circuits than were answered
 * @param iterations those that are built
 * @param described values derived from the fabric's description and its devices, with both; only the code that derived
 *     them reads them
 * @param derived values derived from records of a ring; not valid for records that changed since
 */
public record PlannerCache(
        Optional<InVain> fruitless,
        Memo.Known<Striping, Striper.Partial> stripings,
        Memo.Known<Striping, Striper.Partial> trials,
        Memo.Known<LentTorus, Optional<LentTorus.Whole>> lentTori,
        Memo.Known<Forecast, Prediction> forecasts,
        Memo.Known<PlacedIteration, BuiltIteration> iterations,
        Optional<OfDescription> described,
        SortedMap<SliceId, DerivedPlacement> derived) {
    /** Everything that a search without a result read, compared by value. */
    public interface InVain {}

    /** Values derived from a fabric's description and its devices, with both. */
    public interface OfDescription {}

    private static final PlannerCache NOTHING = ofRing(Optional.empty(), new TreeMap<>());

    public PlannerCache {
        derived = Collections.unmodifiableSortedMap(new TreeMap<>(derived));
    }

    /** Of a fabric of transceivers. */
    public static PlannerCache ofRing(Optional<OfDescription> described, SortedMap<SliceId, DerivedPlacement> derived) {
        return new PlannerCache(
                Optional.empty(),
                Memo.Known.nothing(),
                Memo.Known.nothing(),
                Memo.Known.nothing(),
                Memo.Known.nothing(),
                Memo.Known.nothing(),
                described,
                derived);
    }

    /** Of a fabric of optical switches. */
    public static PlannerCache ofSwitches(
            Optional<InVain> fruitless,
            Memo.Known<Striping, Striper.Partial> stripings,
            Memo.Known<Striping, Striper.Partial> trials,
            Memo.Known<LentTorus, Optional<LentTorus.Whole>> lentTori,
            Memo.Known<Forecast, Prediction> forecasts,
            Memo.Known<PlacedIteration, BuiltIteration> iterations,
            OfDescription described) {
        return new PlannerCache(
                fruitless, stripings, trials, lentTori, forecasts, iterations, Optional.of(described), new TreeMap<>());
    }

    public static PlannerCache nothing() {
        return NOTHING;
    }

    /** The values derived from the description, if they have this type. */
    public <T extends OfDescription> Optional<T> described(Class<T> as) {
        return described.filter(as::isInstance).map(as::cast);
    }
}
