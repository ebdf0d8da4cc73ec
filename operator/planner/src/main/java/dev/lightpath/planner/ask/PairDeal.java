package dev.lightpath.planner.ask;

import dev.lightpath.planner.delta.model.PodPair;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Circuits between pods, where each pair of talking pods is a decision of its own, as in a recorded iteration.
 *
 * @param pods of the job
 * @param pairs that talk, in the order of the instance's groups
 */
public record PairDeal(int pods, List<PodPair> pairs) implements Deal {
    public PairDeal {
        pairs = List.copyOf(pairs);
    }

    @Override
    public int replicas() {
        return 1;
    }

    @Override
    public boolean talks() {
        return !pairs.isEmpty();
    }

    @Override
    public int degree(int pod) {
        return (int) pairs.stream().filter(pair -> touches(pair, pod)).count();
    }

    @Override
    public int used(List<Integer> circuits, int pod) {
        int used = 0;
        for (int group = 0; group < pairs.size(); group++) {
            used += touches(pairs.get(group), pod) ? circuits.get(group) : 0;
        }
        return used;
    }

    private static boolean touches(PodPair pair, int pod) {
        return pair.first() == pod || pair.second() == pod;
    }

    @Override
    public int groups() {
        return pairs.size();
    }

    @Override
    public int least(int group) {
        return 1;
    }

    @Override
    public Optional<List<Integer>> realisable(List<Integer> circuits, List<Integer> ports) {
        return Optional.of(circuits);
    }

    @Override
    public List<Share> deal(List<Integer> circuits) {
        List<Share> shares = new ArrayList<>();
        for (int group = 0; group < pairs.size(); group++) {
            PodPair pair = pairs.get(group);
            shares.add(new Share(0, pair.first(), 0, pair.second(), circuits.get(group), group));
        }
        return shares;
    }

    @Override
    public List<Integer> left(List<Integer> circuits, List<Integer> lit) {
        return List.copyOf(lit);
    }
}
