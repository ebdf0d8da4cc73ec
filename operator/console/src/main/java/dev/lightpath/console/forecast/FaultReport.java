package dev.lightpath.console.forecast;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.lightpath.console.Sight;
import dev.lightpath.console.text.Page;
import dev.lightpath.console.text.Table;
import dev.lightpath.planner.engine.simulation.PlacementPreview;
import dev.lightpath.planner.engine.simulation.Simulation;
import dev.lightpath.planner.engine.simulation.Snapshot;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.words.Counted;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.Origin;
import dev.lightpath.planner.world.Replacement;
import dev.lightpath.planner.world.RingNode;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the failure of a node would do to one ring: to jobs that are on no other fabric.
 *
 * @param repairs of slices that the node serves
 * @param state what the node is when there are none of these
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record FaultReport(
        String fabric,
        String node,
        int position,
        List<Repair> repairs,
        @Nullable String state) {

    /**
     * @param repaired whether a repair fits
     * @param placedAnew whether none fits, and the whole job would be placed anew
     * @param groups those that change, as they would be
     * @param waitsFor what comes first
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Repair(
            String slice,
            String job,
            boolean repaired,
            boolean placedAnew,
            @Nullable String planner,
            String why,
            @Nullable String waitsFor,
            List<Group> before,
            List<Group> groups,
            List<Move> moves) {}

    /**
     * The JSON document of {@code simulate-fault}.
     *
     * @param fault as statuses name it
     * @param fabrics rings of a node that fails, with the jobs that are on them alone
     * @param jobs all others that it concerns
     * @param topologies static topologies that it concerns, by their slices
     * @param hidden how many slices it concerns that the viewer may not see, null for none
     * @param settled false where the simulation was ended before it came to rest: what is shown is how far it came
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Document(
            @Nullable String infeasible,
            String fault,
            List<FaultReport> fabrics,
            List<JobLoss> jobs,
            List<SliceLoss> topologies,
            @Nullable Integer hidden,
            boolean settled) {

        /**
         * For a console.
         *
         * @param title the fault, in the user's words
         */
        public List<String> lines(String title) {
            List<String> lines =
                    new ArrayList<>(page(this, title).render().lines().toList());
            if (!settled) {
                lines.add("the simulation did not come to rest; what is shown is how far it came");
            }
            return lines;
        }
    }

    /**
     * @param waits what keeps the fabric from moving light now, null when nothing does
     * @param anew slices whose whole job would be placed anew
     * @param sight whose slices are named
     */
    static Optional<FaultReport> of(
            Situation situation, String node, @Nullable String waits, Set<SliceId> anew, Instant now, Sight sight) {
        Optional<RingNode> seat = situation.ring().nodes().values().stream()
                .filter(candidate -> candidate.name().equals(node))
                .findFirst();
        if (seat.isEmpty()) {
            return Optional.empty();
        }
        List<Subject> faulty = new ArrayList<>(situation.faulty());
        faulty.add(new Subject.OfNode(node));
        List<Repair> repairs = situation.slices().values().stream()
                .filter(slice -> tells(slice, situation.ledger().get(slice.id()), node))
                .filter(slice -> sight.shows(slice.id().namespace()))
                .map(slice -> repair(situation, slice, faulty, waits, anew.contains(slice.id()), now))
                .toList();
        return Optional.of(new FaultReport(
                situation.ring().name(),
                node,
                seat.get().position(),
                repairs,
                repairs.isEmpty() ? state(situation, seat.get(), sight) : null));
    }

    /** Whether the report of its ring tells of a slice when the node fails. */
    static boolean tells(SliceIntent slice, @Nullable LedgerEntry entry, String node) {
        return slice.wanted() && slice.beside().isEmpty() && serves(entry, node);
    }

    private static String state(Situation situation, RingNode seat, Sight sight) {
        String serving = situation.ledger().entrySet().stream()
                .filter(entry -> serves(entry.getValue(), seat.name()))
                .map(entry ->
                        sight.shows(entry.getKey().namespace()) ? entry.getKey().toString() : "that you may not see")
                .distinct()
                .collect(Collectors.joining(", "));
        if (!serving.isEmpty()) {
            return "it serves slice " + serving;
        }
        boolean faulty = situation.faulty().contains(new Subject.OfNode(seat.name()))
                || situation.faulty().contains(new Subject.OfDevice(seat.name()))
                || !seat.signals().isEmpty();
        if (faulty) {
            return "it counts as faulty already";
        }
        if (!seat.schedulable()) {
            return "it is cordoned";
        }
        return seat.busy()
                ? "its GPUs are held by pods of others, or it has light that nobody planned"
                : "it is a spare";
    }

    static boolean serves(@Nullable LedgerEntry entry, String node) {
        return entry != null
                && entry.allocation()
                        .filter(allocation -> allocation.nodes().contains(node))
                        .isPresent();
    }

    private static Repair repair(
            Situation situation,
            SliceIntent slice,
            List<Subject> faulty,
            @Nullable String waits,
            boolean anew,
            Instant now) {
        Allocation held = Objects.requireNonNull(situation.ledger().get(slice.id()))
                .allocation()
                .orElseThrow();
        // without its pods, which the failure of a node of theirs brings down
        SliceIntent stopped = situation.idle().getOrDefault(slice.id(), slice);
        PlacementPreview preview = PlacementPreview.of(
                Snapshot.of(now, situation.ring(), situation.slices(), situation.ledger(), faulty), stopped);
        Optional<Simulation.Step> step = preview instanceof PlacementPreview.Placed placed
                ? placed.steps().stream()
                        .filter(each -> each.slice().equals(slice.id()))
                        .reduce((first, last) -> last)
                : Optional.empty();
        SliceId id = slice.id();
        if (step.isEmpty()) {
            String why = slice.replacement() instanceof Replacement.Never
                    ? "it is not to be repaired (recovery.replace: Never)"
                    : anew
                            ? "no repair fits: the whole job would be placed anew"
                            : "no repair fits: the job would stay where it is and be Degraded";
            return new Repair(
                    id.toString(), slice.job().name(), false, anew, null, why, null, List.of(), List.of(), List.of());
        }
        List<Group> before = Group.of(held.groups());
        List<Group> after = Group.of(step.get().allocation().groups());
        Origin origin = step.get().origin().orElse(null);
        return new Repair(
                id.toString(),
                slice.job().name(),
                true,
                false,
                origin == null ? null : origin.planner().word(),
                origin == null ? "a repair fits" : origin.why(),
                waits == null ? waitsFor(slice, true) : waits,
                before.stream().filter(group -> !after.contains(group)).toList(),
                after.stream().filter(group -> !before.contains(group)).toList(),
                ((PlacementPreview.Placed) preview)
                        .ring().stream()
                                .flatMap(ring -> ring.bundles().stream())
                                .map(Move::of)
                                .toList());
    }

    /**
     * What a repair waits for besides a fabric that stands still, null when for nothing.
     *
     * @param dying whether the fault itself ends pods of the job
     */
    static @Nullable String waitsFor(SliceIntent slice, boolean dying) {
        if (slice.workload().letsLightMove()) {
            return null;
        }
        return switch (slice.replacement()) {
            case Replacement.Immediately now -> null;
            case Replacement.WithWorkload with ->
                "the pods of the job to stop" + (dying ? ", which a dead node brings about" : "")
                        + " (recovery.replace: WithWorkload)";
            case Replacement.After after ->
                "the pods of the job to stop, at most " + after.delay().toSeconds()
                        + " s (recovery.replace: AfterSeconds)";
            case Replacement.Never never -> null;
        };
    }

    /** What is left broken, for people. */
    Stream<String> refusals() {
        return repairs.stream()
                .filter(repair -> !repair.repaired() && !repair.placedAnew())
                .map(repair -> "slice " + repair.slice() + ": " + repair.why());
    }

    /** @param title the fault, in the user's words */
    public static Table page(Document document, String title) {
        Page page = new Page();
        boolean idle = document.jobs().isEmpty()
                && document.topologies().isEmpty()
                && document.hidden() == null
                && document.fabrics().stream()
                        .allMatch(report -> report.repairs().isEmpty());
        String nothing = idle ? " no light of a job would move" : "";
        for (FaultReport report : document.fabrics()) {
            page.line("if node " + report.node() + " (position " + report.position() + " of fabric " + report.fabric()
                    + ") failed now:" + nothing + (idle && report.state() != null ? ", " + report.state() : ""));
            report.repairs().forEach(repair -> tell(page, repair));
        }
        if (document.fabrics().isEmpty()) {
            page.line("if " + title + " failed now:" + nothing);
        }
        document.jobs().forEach(job -> job.tell(page));
        document.topologies().forEach(loss -> loss.tell(page, "the static topology of fabric " + loss.fabric()));
        if (document.hidden() != null) {
            page.line("  it concerns " + Counted.of(document.hidden(), "slice") + " that you may not see");
        }
        return page.text();
    }

    private static void tell(Page page, Repair repair) {
        page.line("  slice " + repair.slice() + " of job " + repair.job() + ": " + repair.why()
                + (repair.planner() == null ? "" : " (" + repair.planner() + ")"));
        if (repair.waitsFor() != null) {
            page.line("  waits for " + repair.waitsFor());
        }
        if (repair.repaired()) {
            repair.before().forEach(group -> page.line("    was  " + group.line()));
            repair.groups().forEach(group -> page.line("    then " + group.line()));
            Move.tell(page, repair.moves());
        }
    }
}
