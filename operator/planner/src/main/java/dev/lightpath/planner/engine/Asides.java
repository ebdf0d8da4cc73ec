package dev.lightpath.planner.engine;

import dev.lightpath.planner.ask.Prediction;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.SliceId;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Who makes room for another job on other ports in this pass: at most one such move is made in it. */
final class Asides {
    private final OcsScene scene;
    private final OcsLight light;
    private final PodRoom room;
    private final DealtLight dealt;
    private final Set<SliceId> settled = new HashSet<>();
    private final Map<Claim, Turn.Change> records = new LinkedHashMap<>();
    private final Rearrangement.Tries seating = new Rearrangement.Tries(64);
    private final Rearrangement.Tries improving = new Rearrangement.Tries(32);

    Asides(OcsScene scene, OcsLight light, PodRoom room, DealtLight dealt) {
        this.scene = scene;
        this.light = light;
        this.room = room;
        this.dealt = dealt;
    }

    /** The record of a job changes in this pass already. */
    void settled(Claim claim) {
        settled.add(claim.id());
    }

    /** In the order in which they are written. */
    Map<Claim, Turn.Change> records() {
        return records;
    }

    /** Room for a job that has no place: with these counts or the fewest that join its pods. */
    Optional<Rearrangement> seat(Claim claim, StageSeats seats, List<Integer> wanted) {
        if (!records.isEmpty()) {
            return Optional.empty();
        }
        Optional<Rearrangement> found =
                new RearrangementSearch(scene, light, room, settled, claim, seats, seating).seat(wanted);
        found.ifPresent(of -> record(of, claim, Optional.empty()));
        return found;
    }

    /**
     * Better circuits for a job that has its place, whose ports are on other switches than those of the pods it talks to.
     *
     * @param question with its budgets, and the answer that does not fit the switches
     * @param floor what it has, or could have without anybody's help: what moves must be worth more
     * @return whether records were made, its own among them
     */
    boolean improve(
            Claim claim,
            StageSeats seats,
            TopologyQuestion question,
            Prediction answer,
            Prediction now,
            Prediction floor) {
        if (!records.isEmpty() || !improving.left()) {
            return false;
        }
        RearrangementSearch search = new RearrangementSearch(scene, light, room, settled, claim, seats, improving);
        if (!search.settled()) {
            return false;
        }
        for (Prediction candidate : BetterCounts.of(question, seats.deal(), answer, floor)) {
            Rearrangement found = search.alone(dealt, candidate.circuits())
                    .or(() -> search.whole(candidate.circuits()))
                    .orElse(null);
            if (found != null && Worth.moves(floor, candidate, found.darkens(room))) {
                record(found, claim, Optional.of(candidate.after(now.bestSeconds())));
                return true;
            }
        }
        return false;
    }

    private void record(Rearrangement found, Claim forWhom, Optional<Prediction> next) {
        found.records().forEach((id, lit) -> {
            Claim claim = Objects.requireNonNull(room.tenants().get(id)).claim();
            Allocation recorded = claim.recorded().orElseThrow();
            Prediction same = recorded.prediction().orElseThrow();
            records.put(
                    claim,
                    id.equals(forWhom.id())
                            ? dealt.give(
                                    claim,
                                    recorded,
                                    lit,
                                    next.orElse(same),
                                    next.orElse(same).words())
                            : dealt.give(
                                    claim,
                                    recorded,
                                    lit,
                                    same,
                                    "the same circuits on other ports, to make room for "
                                            + forWhom.id().name()));
        });
    }
}
