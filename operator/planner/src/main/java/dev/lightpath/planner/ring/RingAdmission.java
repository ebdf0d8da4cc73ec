package dev.lightpath.planner.ring;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Places several jobs of different group sizes on one ring, by priority and age. A job that does not fit is passed over
 * and the next ones are still tried; no job that is placed is ever moved for another.
 */
public final class RingAdmission {

    private RingAdmission() {}

    /**
     * The answer to each request, in the order of service. O(jobs * place).
     *
     * @param occupied positions that running jobs hold
     */
    public static Map<String, PlacementOutcome> admit(
            RingFabric fabric, RingHealth health, Collection<RingWish> wishes, Set<Integer> occupied) {
        Set<Integer> taken = new TreeSet<>(occupied);
        Map<String, PlacementOutcome> answers = new LinkedHashMap<>();
        List<RingWish> queue = wishes.stream().sorted(RingWish.ORDER).toList();
        for (RingWish wish : queue) {
            PlacementOutcome outcome = RingOrchestration.place(fabric, health, wish.demand(), taken);
            switch (outcome) {
                case PlacementOutcome.Placed placed ->
                    taken.addAll(placed.placement().positions());
                case PlacementOutcome.Infeasible infeasible -> {
                    // passed over; its answer says how much room there was
                }
            }
            answers.put(wish.job(), outcome);
        }
        return Collections.unmodifiableMap(answers);
    }
}
