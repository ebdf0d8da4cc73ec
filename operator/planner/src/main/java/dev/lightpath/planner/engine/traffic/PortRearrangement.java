package dev.lightpath.planner.engine.traffic;

import dev.lightpath.planner.ask.Prediction;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.engine.allocation.SliceDecision;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.allocation.StagePods;
import dev.lightpath.planner.engine.circuits.OcsCircuits;
import dev.lightpath.planner.engine.state.OcsState;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.JobId;
import dev.lightpath.planner.world.SliceId;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Who makes room for another job on other ports in this pass: at most one such move is made in it. */
final class PortRearrangement {
    /** Links times switches that all tries of a pass for who has a place may stripe: some ten milliseconds. */
    private static final long MOST_LINKS = 8_000;

    /** Iterations that all applicants may have simulated. */
    private static final int MOST_SIMULATIONS = 128;

    private final OcsState state;
    private final OcsCircuits circuits;
    private final FabricPodPorts room;
    private final AssignedCircuits assigned;
    private final Set<SliceId> settled = new HashSet<>();
    private final Map<SliceState, SliceDecision.Change> records = new LinkedHashMap<>();
    private final Rearrangement.Tries stagePods = new Rearrangement.Tries(64);
    private final Map<SliceState, Applicant> applicants = new LinkedHashMap<>();
    private Optional<JobId> newcomer = Optional.empty();
    private boolean awaited;
    private boolean unfinished;

    /**
     * A job that has its place and whose best counts do not fit the switches.
     *
     * @param question with its budgets
     * @param answer to it
     */
    private record Applicant(StagePods stagePods, TopologyQuestion question, Prediction answer, Prediction now) {}

    PortRearrangement(OcsState state, OcsCircuits circuits, FabricPodPorts room, AssignedCircuits assigned) {
        this.state = state;
        this.circuits = circuits;
        this.room = room;
        this.assigned = assigned;
    }

    /** The record of a job changes in this pass already. */
    void settled(SliceState slice) {
        settled.add(slice.id());
    }

    /** A job has pods, and waits to be told its circuits: no other job takes ports before it. */
    void awaited() {
        awaited = true;
    }

    /** Whether a search has compared as much as one pass may, and goes on in the next one. */
    boolean unfinished() {
        return unfinished;
    }

    /** The job without a place that gets the room, if it is for one. */
    Optional<JobId> roomFor() {
        return newcomer;
    }

    /** In the order in which they are written. */
    Map<SliceState, SliceDecision.Change> records() {
        return records;
    }

    /** Room for a job that has no place: with these counts or the fewest that join its pods. */
    Optional<Rearrangement> seat(SliceState slice, StagePods seats, List<Integer> wanted) {
        return newcomer(slice, seats, search -> search.seat(wanted));
    }

    /** The same with these counts only. */
    Optional<Rearrangement> whole(SliceState slice, StagePods seats, List<Integer> wanted) {
        return newcomer(slice, seats, search -> search.whole(wanted));
    }

    private Optional<Rearrangement> newcomer(
            SliceState slice, StagePods seats, Function<RearrangementSearch, Optional<Rearrangement>> how) {
        if (!records.isEmpty()) {
            return Optional.empty();
        }
        Optional<Rearrangement> found =
                how.apply(new RearrangementSearch(state, circuits, room, settled, slice, seats, stagePods));
        found.ifPresent(of -> {
            newcomer = Optional.of(slice.intent().job());
            record(of, slice, Optional.empty());
        });
        return found;
    }

    /**
     * A job that has its place would have better circuits if its ports were on the switches of the pods it talks to.
     */
    void applicant(SliceState slice, StagePods seats, TopologyQuestion question, Prediction answer, Prediction now) {
        applicants.put(slice, new Applicant(seats, question, answer, now));
    }

    /**
     * Once all slices are served, and no record changes: better circuits for one of the slices that asked for them, in
     * order of precedence. Each has an equal share of the tries and what those before left of theirs.
     */
    void improve() {
        if (awaited || !records.isEmpty() || !settled.isEmpty()) {
            return;
        }
        long left = MOST_LINKS;
        int turns = applicants.size();
        for (Map.Entry<SliceState, Applicant> each : applicants.entrySet()) {
            // one try is everybody's, however many applicants there are
            long share = Math.max(1, left / turns--);
            Rearrangement.Tries tries = new Rearrangement.Tries(share);
            if (improve(each.getKey(), each.getValue(), tries) || unfinished) {
                return;
            }
            left -= share - tries.left();
        }
    }

    private boolean improve(SliceState slice, Applicant applicant, Rearrangement.Tries tries) {
        RearrangementSearch search =
                new RearrangementSearch(state, circuits, room, settled, slice, applicant.stagePods(), tries);
        if (!search.settled()) {
            return false;
        }
        Optional<List<Prediction>> compared = BetterCounts.of(
                state,
                applicant.question(),
                applicant.stagePods().deal(),
                applicant.answer(),
                applicant.now(),
                simulations());
        if (compared.isEmpty()) {
            unfinished = true;
            return false;
        }
        List<Prediction> candidates = compared.get();
        Prediction base = applicant.now();
        Rearrangement chosen = null;
        for (Prediction candidate : candidates) {
            Rearrangement own = search.alone(assigned, candidate.circuits()).orElse(null);
            if (own != null && InterruptionCost.darkens(base, candidate, own.darkens(room))) {
                base = candidate;
                chosen = own;
                break;
            }
        }
        // neighbours go dark only for what the job does not get without them
        for (Prediction candidate : candidates) {
            if (!InterruptionCost.darkens(base, candidate, 0)) {
                break;
            }
            Rearrangement whole = search.whole(candidate.circuits()).orElse(null);
            if (whole != null && InterruptionCost.darkens(base, candidate, whole.darkens(room))) {
                base = candidate;
                chosen = whole;
                break;
            }
        }
        if (chosen == null) {
            return false;
        }
        record(chosen, slice, Optional.of(base.after(applicant.now().bestSeconds())));
        return true;
    }

    private int simulations() {
        return Math.max(1, MOST_SIMULATIONS / applicants.size());
    }

    private void record(Rearrangement found, SliceState forWhom, Optional<Prediction> next) {
        found.records().forEach((id, lit) -> {
            SliceState slice = Objects.requireNonNull(room.tenants().get(id)).slice();
            Allocation recorded = slice.recorded().orElseThrow();
            Prediction same = recorded.prediction().orElseThrow();
            records.put(
                    slice,
                    id.equals(forWhom.id())
                            ? assigned.give(
                                    slice,
                                    recorded,
                                    lit,
                                    next.orElse(same),
                                    next.orElse(same).words())
                            : assigned.give(
                                    slice,
                                    recorded,
                                    lit,
                                    same,
                                    "the same circuits on other ports, to make room for "
                                            + forWhom.id().name()));
        });
        found.returning().forEach((id, lit) -> {
            room.grant(lit);
            room.hold(Objects.requireNonNull(room.tenants().get(id)).slice(), room.ends(lit));
        });
    }
}
