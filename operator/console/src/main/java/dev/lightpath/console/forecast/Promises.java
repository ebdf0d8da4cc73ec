package dev.lightpath.console.forecast;

import dev.lightpath.console.Look;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.planner.engine.simulation.Simulation;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.reading.pod.PodAttribution;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What is wished of fabrics and recorded for it, with what is promised to jobs that were planned before: the next job
 * finds what these leave, on rings and on switches alike.
 */
final class Promises {
    private final Look look;
    private final PodAttribution pods;
    private final Map<String, Standing> byFabric = new HashMap<>();

    Promises(Look look, PodAttribution pods) {
        this.look = look;
        this.pods = pods;
    }

    /**
     * Of one fabric; further promises show in it. Linear in all objects, the first time.
     *
     * @throws dev.lightpath.console.text.BadInput when a slice, or what a job carries, cannot be read
     */
    Standing on(OpticalFabric fabric) {
        return byFabric.computeIfAbsent(
                fabric.getMetadata().getName(),
                name -> Standing.of(Map.of(name, fabric), look.jobs(), look.slices(), pods));
    }

    /** Of several fabrics, as it is now. */
    Standing on(Collection<OpticalFabric> fabrics) {
        Standing all = new Standing(new TreeMap<>(), new TreeMap<>(), new TreeMap<>());
        for (OpticalFabric fabric : fabrics) {
            Standing one = on(fabric);
            all.slices().putAll(one.slices());
            all.idle().putAll(one.idle());
            all.ledger().putAll(one.ledger());
        }
        return all;
    }

    /**
     * A job was planned.
     *
     * @param wished of fabrics that were asked for before
     * @param steps what is recorded for it, and what of others changes
     */
    void promise(List<SliceIntent> wished, List<Simulation.Step> steps) {
        for (SliceIntent wish : wished) {
            Objects.requireNonNull(byFabric.get(wish.fabric())).slices().put(wish.id(), wish);
        }
        for (Simulation.Step step : steps) {
            byFabric.values().stream()
                    .filter(standing -> standing.slices().containsKey(step.slice()))
                    .forEach(standing -> standing.ledger()
                            .put(step.slice(), new LedgerEntry(Optional.of(step.allocation()), "planned")));
        }
    }
}
