package dev.lightpath.planner.engine.allocation;

import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.words.Counted;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.FabricIntent;
import dev.lightpath.planner.world.JobId;
import dev.lightpath.planner.world.Quota;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.World;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which slices wait because their namespace may hold no more of a fabric. What is held counts first, also while it is
 * being given up; then jobs are let in by precedence, and one that is let in counts whether there is room for it or
 * not. A job on two fabrics waits as a whole. A slice that holds something keeps it: a lowered quota bounds only later
 * slices.
 */
public final class OverQuota {
    /** The jobs of a namespace on a fabric. */
    private record Tenant(String fabric, String namespace) {}

    /** A job on a fabric. */
    private record Holding(String fabric, JobId job) {}

    private static final class Use {
        private long gpus;
        private int jobs;
    }

    private final World world;
    private final SortedMap<String, Quota> quotas;
    private final Map<Tenant, Use> uses = new HashMap<>();
    /** GPUs of jobs that hold something. */
    private final Map<Holding, Integer> held = new HashMap<>();

    private OverQuota(World world, SortedMap<String, Quota> quotas) {
        this.world = world;
        this.quotas = quotas;
    }

    /** What those of a fabric are told. O(slices log slices) where any fabric has a quota, else O(fabrics). */
    public static SortedMap<SliceId, SliceVerdict> on(World world, String fabric) {
        SortedMap<String, Quota> quotas = quotas(world);
        if (quotas.isEmpty()) {
            return Collections.emptySortedMap();
        }
        SortedMap<SliceId, SliceVerdict> verdicts = new TreeMap<>();
        new OverQuota(world, quotas).among().forEach((slice, why) -> {
            if (slice.fabric().equals(fabric)) {
                verdicts.put(slice.id(), verdict(why, world.allocation(slice.id())));
            }
        });
        return verdicts;
    }

    private static SliceVerdict verdict(String why, Optional<Allocation> recorded) {
        return new SliceVerdict(
                new SliceVerdict.Placement.Unplaced(Reason.QUOTA_EXCEEDED, why), recorded, SliceVerdict.Light.none());
    }

    private static SortedMap<String, Quota> quotas(World world) {
        SortedMap<String, Quota> quotas = new TreeMap<>();
        for (FabricIntent fabric : world.fabrics()) {
            if (fabric.policy().quota().bounds()) {
                quotas.put(fabric.name(), fabric.policy().quota());
            }
        }
        return quotas;
    }

    /** Why each of them waits, one line for a person. */
    private Map<SliceIntent, String> among() {
        List<SliceIntent> waiting = new ArrayList<>();
        for (SliceIntent slice : world.slices().values()) {
            if (slice.demand() instanceof Demand.Topology) {
                continue;
            }
            if (holds(slice)) {
                held.merge(
                        new Holding(slice.fabric(), slice.job()), slice.demand().gpus(), Math::max);
            } else if (slice.wanted()) {
                waiting.add(slice);
            }
        }
        held.forEach((holding, gpus) -> take(holding, gpus, 1));
        waiting.sort(SliceIntent.PRECEDENCE);
        Map<JobId, List<SliceIntent>> jobs = new LinkedHashMap<>();
        waiting.forEach(slice ->
                jobs.computeIfAbsent(slice.job(), job -> new ArrayList<>()).add(slice));
        Map<SliceIntent, String> over = new LinkedHashMap<>();
        for (List<SliceIntent> job : jobs.values()) {
            Optional<String> why =
                    job.stream().flatMap(slice -> tooMuch(slice).stream()).findFirst();
            job.forEach(slice -> why.ifPresentOrElse(
                    words -> over.put(slice, words),
                    () -> take(holding(slice), more(slice), held.containsKey(holding(slice)) ? 0 : 1)));
        }
        return over;
    }

    /** Whether light is, or may be, recorded for it; of a record that is not read it is unknown. */
    private boolean holds(SliceIntent slice) {
        return world.allocation(slice.id())
                        .filter(recorded -> !recorded.released())
                        .isPresent()
                || !world.ledger().containsKey(slice.id());
    }

    private static Holding holding(SliceIntent slice) {
        return new Holding(slice.fabric(), slice.job());
    }

    /** GPUs beyond those that its job holds on the fabric already: by another attempt. */
    private int more(SliceIntent slice) {
        return Math.max(0, slice.demand().gpus() - held.getOrDefault(holding(slice), 0));
    }

    private void take(Holding holding, int gpus, int jobs) {
        Use use = use(holding.fabric(), holding.job().namespace());
        use.gpus += gpus;
        use.jobs += jobs;
    }

    private Use use(String fabric, String namespace) {
        return uses.computeIfAbsent(new Tenant(fabric, namespace), tenant -> new Use());
    }

    private Optional<String> tooMuch(SliceIntent slice) {
        String namespace = slice.job().namespace();
        Quota.Share share = quotas.getOrDefault(slice.fabric(), Quota.none()).of(namespace);
        Use use = use(slice.fabric(), namespace);
        int more = more(slice);
        if (more > 0
                && share.gpus().isPresent()
                && use.gpus + more > share.gpus().getAsInt()) {
            return Optional.of(words(slice, share.gpus().getAsInt(), "GPU", use.gpus, "it wants " + more));
        }
        boolean another = !held.containsKey(holding(slice));
        return another && share.jobs().isPresent() && use.jobs >= share.jobs().getAsInt()
                ? Optional.of(words(slice, share.jobs().getAsInt(), "job", use.jobs, "this is one more"))
                : Optional.empty();
    }

    private static String words(SliceIntent slice, int most, String unit, long used, String wish) {
        return "namespace " + slice.job().namespace() + " may have " + Counted.of(most, unit) + " on fabric "
                + slice.fabric() + " (policy.quota); " + used + " are held, or wanted by jobs before this one, and "
                + wish;
    }
}
