package dev.lightpath.planner.engine;

import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.delta.SearchLimits;
import dev.lightpath.planner.delta.TopologyPlanner;
import dev.lightpath.planner.fault.FaultBook;
import dev.lightpath.planner.fault.Signal;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.StageId;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Illegible;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Where a job whose traffic decides would go and what DELTA would give it, alone on switches or with groups on a ring. */
public sealed interface SpinePreview {

    /**
     * It has a place.
     *
     * @param allocations what would be recorded for its slices, in the order in which they were wished
     * @param others records of other jobs that would change before
     */
    record Placed(List<Allocation> allocations, List<RingPreview.Step> others) implements SpinePreview {
        public Placed {
            allocations = List.copyOf(allocations);
            others = List.copyOf(others);
        }
    }

    /** It has none; reason and words of the condition that its job would get. */
    record Unplaceable(String reason, String why) implements SpinePreview {}

    /**
     * Passes on paper: every record is taken as written, every release as read back, every question as answered.
     *
     * @param rings those that the wishes ask for
     * @param slices wishes on these fabrics that are there already
     * @param ledger what is recorded for them
     * @param faulty what counts as faulty besides what the signals of nodes say
     * @param wished of one job: its slice on the switches, and that on a ring where it has one
     */
    static SpinePreview of(
            Instant now,
            SortedMap<String, RingIntent> rings,
            OcsIntent spine,
            SortedMap<SliceId, SliceIntent> slices,
            SortedMap<SliceId, LedgerEntry> ledger,
            Collection<Subject> faulty,
            List<SliceIntent> wished,
            TopologyPlanner planner) {
        SortedMap<SliceId, SliceIntent> wishes = new TreeMap<>(slices);
        SortedMap<SliceId, LedgerEntry> records = new TreeMap<>(ledger);
        wished.forEach(wish -> {
            wishes.put(wish.id(), wish);
            records.putIfAbsent(wish.id(), new LedgerEntry(Optional.empty(), ""));
        });
        SortedMap<String, TopologyAnswer> answers = new TreeMap<>();
        List<RingPreview.Step> others = new ArrayList<>();
        int passes = 8 + 2 * wishes.size();
        for (int pass = 0; ; pass++) {
            List<Allocation> found = wished.stream()
                    .map(wish -> Claim.of(wish, java.util.Objects.requireNonNull(records.get(wish.id()))))
                    .filter(Claim::placed)
                    .map(claim -> claim.recorded().orElseThrow())
                    .toList();
            if (found.size() == wished.size()) {
                return new Placed(found, others);
            }
            World world = world(now, rings, spine, wishes, records, faulty, answers);
            Deliberation heard = FabricEngine.deliberate(world);
            heard.questions()
                    .forEach((digest, question) ->
                            answers.put(digest, question.answer(planner, SearchLimits.standard())));
            if (heard.decision() instanceof Decision.Adopt adopt && pass < passes) {
                for (Decision.Adopt.Entry entry : adopt.entries()) {
                    records.put(entry.slice(), new LedgerEntry(Optional.of(dark(entry.allocation())), entry.version()));
                    if (wished.stream().noneMatch(wish -> wish.id().equals(entry.slice()))) {
                        others.add(new RingPreview.Step(
                                entry.slice(), entry.allocation().origin(), entry.allocation()));
                    }
                }
            } else if (heard.questions().isEmpty() || pass >= passes) {
                return unplaceable(heard, wished);
            }
        }
    }

    private static SpinePreview unplaceable(Deliberation heard, List<SliceIntent> wished) {
        for (SliceIntent wish : wished) {
            SliceVerdict verdict = heard.slices().get(wish.id());
            if (verdict != null && verdict.placement() instanceof SliceVerdict.Placement.Unplaced none) {
                return new Unplaceable(none.reason(), none.message());
            }
        }
        return new Unplaceable("InsufficientCapacity", "no place was found");
    }

    private static World world(
            Instant now,
            SortedMap<String, RingIntent> rings,
            OcsIntent spine,
            SortedMap<SliceId, SliceIntent> wishes,
            SortedMap<SliceId, LedgerEntry> records,
            Collection<Subject> faulty,
            SortedMap<String, TopologyAnswer> answers) {
        SortedSet<String> endpoints = new TreeSet<>(spine.drivers());
        rings.values().forEach(ring -> endpoints.add(ring.driver()));
        SortedMap<String, DriverState> drivers = new TreeMap<>();
        endpoints.forEach(endpoint -> drivers.put(
                endpoint,
                new DriverState(DriverState.Contact.SYNCED, Optional.empty(), "paper", "", 0, new TreeMap<>())));
        SortedMap<String, FaultBook> books = new TreeMap<>();
        books.put(
                spine.name(),
                book(now, faulty, FaultBook.Policy.standard(spine.policy().clear())));
        rings.values()
                .forEach(ring -> books.put(
                        ring.name(),
                        book(
                                now,
                                faulty,
                                FaultBook.Policy.standard(ring.policy().clear()))));
        return new World(
                now,
                new StageId(1, 1),
                rings,
                wishes,
                records,
                drivers,
                List.of(),
                new TreeSet<>(),
                new TreeSet<>(),
                new TreeSet<>(),
                new TreeMap<>(),
                books,
                Illegible.none(),
                new TreeMap<>(Map.of(spine.name(), spine)),
                answers);
    }

    private static FaultBook book(Instant now, Collection<Subject> faulty, FaultBook.Policy policy) {
        return FaultBook.opened(now)
                .advance(
                        faulty.stream()
                                .map(subject -> new Signal(subject, "Known", Duration.ZERO))
                                .toList(),
                        subject -> false,
                        now,
                        policy);
    }

    private static Allocation dark(Allocation allocation) {
        return new Allocation(
                allocation.revision(),
                allocation.groups(),
                new TreeSet<>(),
                allocation.origin(),
                allocation.circuits(),
                SwitchedLight.none(),
                allocation.prediction());
    }
}
