package dev.lightpath.planner.engine;

import dev.lightpath.planner.ask.Asked;
import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.engine.decision.Agenda;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.engine.decision.OcsVerdict;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.engine.decision.Unserved;
import dev.lightpath.planner.engine.ring.RingCapacity;
import dev.lightpath.planner.engine.state.Forecasts;
import dev.lightpath.planner.fault.FaultTracker;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.memory.FixedMap;
import dev.lightpath.planner.memory.PlannerCache;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.Origin;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.World;
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
    private final World world;
    private final SortedMap<String, SortedMap<SliceId, SliceVerdict>> slices = new TreeMap<>();

    private final SortedMap<String, FabricVerdict> fabrics = new TreeMap<>();
    private final SortedMap<String, FaultTracker> trackers = new TreeMap<>();
    private final SortedMap<String, PlannerCache> remembered = new TreeMap<>();
    private final List<Decision.Adopt.Entry> entries = new ArrayList<>();
    private Optional<Decision.Apply> change = Optional.empty();
    private Agenda agenda = Agenda.NOTHING;

    private FabricEngine(World world) {
        this.world = world;
    }

    /**
     * Linear in slices, or constant, when nothing changed since the pass before and nothing is due (ADR 69). Else
     * O(nodes * reach + members log members) for every fabric when nothing has to be placed.
     */
    public static Deliberation deliberate(World world) {
        return LastPass.again(world)
                .orElseGet(() -> LastPass.kept(
                        world, decide(world, Forecasts.MOST_TRANSFERS).deliberation()));
    }

    /**
     * What {@link #deliberate} concludes, without anything that passes before it left, by a look at every slice, and
     * without a limit to what one pass simulates: it may differ only while a search goes on ({@link Agenda#goesOn}).
     */
    public static Deliberation deliberateFromNothing(World world) {
        SortedMap<String, TopologyAnswer> answers = new TreeMap<>(world.answers());
        answers.replaceAll((digest, answer) -> answer.bare());
        return decide(world.with(world.faults(), answers, new TreeMap<>()), Integer.MAX_VALUE)
                .deliberation();
    }

    /** @param left room on each ring after its pass */
    public record Result(Deliberation deliberation, Map<String, RingCapacity.Left> left) {}

    /** @param mostTransfers that the pass may simulate for comparison */
    public static Result decide(World world, int mostTransfers) {
        return new FabricEngine(world).decide(mostTransfers);
    }

    private Result decide(int mostTransfers) {
        Map<String, RingCapacity.Left> left = new TreeMap<>();
        Optional<Origin.Planner> planner = Optional.empty();
        for (RingIntent ring : world.rings().values()) {
            RingPass pass = RingPass.over(world, ring);
            add(ring.name(), pass.pass());
            left.put(ring.name(), pass.left());
            planner =
                    Stream.of(planner, pass.planner()).flatMap(Optional::stream).max(Comparator.naturalOrder());
        }
        RingCapacity groups = new RingCapacity(
                world,
                left,
                slice -> Optional.ofNullable(slices.get(slice.fabric()))
                        .map(verdicts -> verdicts.get(slice.id()))
                        .map(SliceVerdict::placement));
        SortedMap<String, OcsVerdict> ocsFabrics = new TreeMap<>();
        SortedMap<String, Asked> questions = new TreeMap<>();
        for (OcsIntent fabric : world.ocsFabrics().values()) {
            OcsPass pass = OcsPass.over(assumed(), fabric, groups, mostTransfers);
            add(fabric.name(), pass.pass());
            ocsFabrics.put(fabric.name(), pass.switches());
            pass.questions().forEach((digest, asked) -> questions.merge(digest, asked, Asked::and));
        }
        agenda = agenda.and(Agenda.at(NextRecords.waitsUntil(world, entries)));
        return new Result(
                new Deliberation(next(), all(), fabrics, trackers, agenda, planner, ocsFabrics, questions, remembered),
                left);
    }

    /** A verdict for every slice: those of fabrics that are not there included. */
    private SortedMap<SliceId, SliceVerdict> all() {
        SortedMap<SliceId, SliceVerdict> served = FixedMap.union(slices.values());
        if (served.size() == world.slices().size() && world.refused().isEmpty()) {
            return served;
        }
        SortedMap<SliceId, SliceVerdict> all = new TreeMap<>(served);
        for (SliceIntent slice : world.slices().values()) {
            all.computeIfAbsent(slice.id(), unseen -> Unserved.verdict(world, slice));
        }
        entries.forEach(entry -> world.refusesRecord(entry.slice())
                .ifPresent(why -> all.computeIfPresent(entry.slice(), (id, verdict) -> verdict.unrecorded(why))));
        return all;
    }

    private void add(String fabric, FabricPass pass) {
        slices.put(fabric, pass.slices());
        fabrics.put(fabric, pass.fabric());
        trackers.put(fabric, pass.tracker());
        entries.addAll(pass.entries());
        agenda = agenda.and(pass.agenda());
        remembered.put(fabric, pass.remembered());
        if (change.isEmpty()) {
            change = pass.change();
        }
    }

    /** What was decided about other fabrics in this pass counts: a node has its GPUs once. */
    private World assumed() {
        Map<SliceId, Allocation> recorded = new TreeMap<>();
        entries.forEach(entry -> recorded.put(entry.slice(), entry.allocation()));
        return world.assuming(recorded);
    }

    private Decision next() {
        SortedSet<DeviceId> readable = new TreeSet<>(world.unsettled());
        readable.removeIf(device -> !world.driver(device.driver()).synced()
                || world.device(device).filter(known -> !known.away()).isEmpty()
                || world.waits(device));
        if (!readable.isEmpty()) {
            return new Decision.Observe(readable);
        }
        if (!world.unreadable().records().isEmpty()) {
            return new Decision.Rest(agenda.wakeAt());
        }
        return NextRecords.adopt(world, entries)
                .<Decision>map(next -> next)
                .or(() -> change)
                .orElseGet(() -> new Decision.Rest(agenda.wakeAt()));
    }
}
