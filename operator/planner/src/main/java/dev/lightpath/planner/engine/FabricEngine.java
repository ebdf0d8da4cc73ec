package dev.lightpath.planner.engine;

import dev.lightpath.planner.ask.Asked;
import dev.lightpath.planner.engine.decision.Agenda;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.engine.decision.OcsVerdict;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.engine.decision.Unserved;
import dev.lightpath.planner.engine.pacing.ChangeFreeze;
import dev.lightpath.planner.engine.ring.RingCapacity;
import dev.lightpath.planner.engine.state.Forecasts;
import dev.lightpath.planner.engine.state.WakeTime;
import dev.lightpath.planner.fault.FaultBook;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.light.Stage;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.Origin;
import dev.lightpath.planner.world.Remembered;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.World;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Decides. Total: always a deliberation, with a verdict for every slice. Deterministic: the same world gives the same
 * deliberation. The order of decisions is fixed: what is unknown is observed before it is written, what is meant is
 * recorded before a device is touched, and light is changed one stage at a time.
 */
public final class FabricEngine {
    private FabricEngine() {}

    /** O(nodes * reach + members log members) for every fabric when nothing has to be placed. */
    public static Deliberation deliberate(World world) {
        return decide(world, Forecasts.MOST_TRANSFERS).deliberation();
    }

    /** @param left room on each ring after its pass */
    public record Result(Deliberation deliberation, Map<String, RingCapacity.Left> left) {}

    /** @param mostTransfers that the pass may simulate for comparison */
    public static Result decide(World world, int mostTransfers) {
        SortedMap<SliceId, SliceVerdict> slices = new TreeMap<>();
        SortedMap<String, FabricVerdict> fabrics = new TreeMap<>();
        SortedMap<String, FaultBook> books = new TreeMap<>();
        List<Decision.Adopt.Entry> entries = new ArrayList<>();
        Optional<Stage> stage = Optional.empty();
        SortedSet<String> darkens = new TreeSet<>();
        SortedSet<String> foreseen = new TreeSet<>();
        Agenda agenda = Agenda.NOTHING.and(new Agenda(0, 0, WakeTime.announced(world)));
        Optional<Origin.Planner> planner = Optional.empty();
        Map<String, RingCapacity.Left> left = new TreeMap<>();
        SortedMap<String, Remembered> remembered = new TreeMap<>();
        for (RingIntent ring : world.rings().values()) {
            RingPass pass = RingPass.over(world, ring);
            slices.putAll(pass.slices());
            fabrics.put(ring.name(), pass.fabric());
            books.put(ring.name(), pass.book());
            entries.addAll(pass.entries());
            foreseen.addAll(pass.foreseen());
            agenda = agenda.and(pass.agenda());
            left.put(ring.name(), pass.left());
            remembered.put(ring.name(), Remembered.ofRing(Optional.of(pass.sites()), pass.sittings()));
            planner =
                    Stream.of(planner, pass.planner()).flatMap(Optional::stream).max(Comparator.naturalOrder());
            if (stage.isEmpty()) {
                stage = pass.stage();
                darkens = pass.darkens();
            }
        }
        RingCapacity groups = new RingCapacity(
                world,
                left,
                slice -> Optional.ofNullable(slices.get(slice.id())).map(SliceVerdict::placement));
        SortedMap<String, OcsVerdict> spines = new TreeMap<>();
        SortedMap<String, Asked> questions = new TreeMap<>();
        for (OcsIntent spine : world.spines().values()) {
            OcsPass pass = OcsPass.over(assumed(world, entries), spine, groups, mostTransfers);
            pass.questions().forEach((digest, asked) -> questions.merge(digest, asked, Asked::and));
            remembered.put(spine.name(), pass.remembered());
            slices.putAll(pass.slices());
            fabrics.put(spine.name(), pass.fabric());
            spines.put(spine.name(), pass.verdict());
            books.put(spine.name(), pass.book());
            entries.addAll(pass.entries());
            agenda = agenda.and(pass.agenda());
            if (stage.isEmpty()) {
                stage = pass.stage();
            }
        }
        for (SliceIntent slice : world.slices().values()) {
            slices.computeIfAbsent(slice.id(), unseen -> homeless(world, slice));
        }
        Deliberation deliberation = new Deliberation(
                next(world, entries, foreseen, stage, darkens, agenda.wakeAt()),
                slices,
                fabrics,
                books,
                agenda,
                planner,
                spines,
                questions,
                remembered);
        return new Result(deliberation, left);
    }

    /** What was decided about other fabrics in this pass counts: a node has its GPUs once. */
    private static World assumed(World world, List<Decision.Adopt.Entry> entries) {
        Map<SliceId, Allocation> recorded = new TreeMap<>();
        entries.forEach(entry -> recorded.put(entry.slice(), entry.allocation()));
        return world.assuming(recorded);
    }

    private static Decision next(
            World world,
            List<Decision.Adopt.Entry> entries,
            SortedSet<String> foreseen,
            Optional<Stage> stage,
            SortedSet<String> darkens,
            Optional<Instant> wakeAt) {
        SortedSet<DeviceId> readable = new TreeSet<>(world.unsettled());
        readable.removeIf(device -> !world.driver(device.driver()).synced() || world.waits(device));
        if (!readable.isEmpty()) {
            return new Decision.Observe(readable);
        }
        if (!world.illegible().records().isEmpty()) {
            return new Decision.Rest(wakeAt);
        }
        if (!entries.isEmpty() && world.recording().isEmpty()) {
            return new Decision.Adopt(entries, foreseen);
        }
        return stage.<Decision>map(next -> new Decision.Apply(next, darkens))
                .orElseGet(() -> new Decision.Rest(wakeAt));
    }

    /** A slice of a fabric that is not there, or that the ledger has not shown yet. */
    private static SliceVerdict homeless(World world, SliceIntent slice) {
        return new SliceVerdict(nowhere(world, slice), world.allocation(slice.id()), SliceVerdict.Light.none());
    }

    private static SliceVerdict.Placement nowhere(World world, SliceIntent slice) {
        String record = world.illegible().records().get(slice.id());
        if (record != null) {
            return new SliceVerdict.Placement.Unplaced(ChangeFreeze.ILLEGIBLE.reason(), record);
        }
        if (serves(world, slice) || isUnread(world, slice)) {
            return new SliceVerdict.Placement.Unplaced(Reason.READING, "its record is being read");
        }
        Unserved unserved = Unserved.of(world, slice);
        if (slice.wanted()) {
            return new SliceVerdict.Placement.Unplaced(unserved.reason(), unserved.why());
        }
        // nothing was ever lit, or all of it was read back dark: whatever the fabric is now has no part in it
        return world.allocation(slice.id())
                .filter(recorded -> !recorded.released())
                .<SliceVerdict.Placement>map(
                        recorded -> new SliceVerdict.Placement.Releasing(remaining(recorded), unserved.burning()))
                .orElseGet(SliceVerdict.Placement.Released::new);
    }

    /** Whether a pass over its fabric gives a verdict as soon as its record is read. */
    private static boolean serves(World world, SliceIntent slice) {
        return world.spines().containsKey(slice.fabric())
                || world.rings().containsKey(slice.fabric()) && slice.demand() instanceof Demand.ScaleUp;
    }

    /** Whether a slice that is to go may have a record that the ledger has not shown yet. */
    private static boolean isUnread(World world, SliceIntent slice) {
        return !slice.wanted() && !world.ledger().containsKey(slice.id());
    }

    /** Nodes or circuits that a record says may be lit. */
    private static int remaining(Allocation recorded) {
        return recorded.nodes().size()
                + recorded.releasing().size()
                + recorded.circuits().size()
                + recorded.darkening().size();
    }
}
