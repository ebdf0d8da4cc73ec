package dev.lightpath.planner.ask;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Turns circuit counts of one replica into circuits of all replicas. Neighbouring pods of each replica get the same
 * count. Peers of two replicas face each other. Peers of more replicas form a ring, in which each pod splits its count
 * between the peer before and the peer behind (delta paper, section IV-A1: the aggregate of a bidirectional ring).
 *
 * @param replicas copies of the model
 * @param pods of each
 */
public record ReplicaDeal(int replicas, int pods) implements Deal {

    @Override
    public boolean talks() {
        return replicas > 1 || pods > 1;
    }

    @Override
    public int degree(int pod) {
        int neighbours = (pod > 0 ? 1 : 0) + (pod < pods - 1 ? 1 : 0);
        return neighbours + (replicas > 2 ? 2 : replicas - 1);
    }

    @Override
    public int used(List<Integer> circuits, int pod) {
        int before = pod > 0 ? circuits.get(pod - 1) : 0;
        int behind = pod < pods - 1 ? circuits.get(pod) : 0;
        return before + behind + (replicas > 1 ? circuits.get(pods - 1 + pod) : 0);
    }

    /**
     * Peers in a ring need at least two circuits, and an even number if the number of replicas is odd. An odd count
     * becomes one more if the ports allow it, since one less makes the iteration longer.
     */
    @Override
    public Optional<List<Integer>> realisable(List<Integer> circuits, List<Integer> ports) {
        List<Integer> dealt = new ArrayList<>(circuits);
        if (replicas > 2) {
            for (int pod = 0; pod < pods; pod++) {
                int group = pods - 1 + pod;
                int wanted = circuits.get(group);
                dealt.set(group, Math.max(2, odd() ? wanted + wanted % 2 : wanted));
                if (odd() && wanted % 2 == 1 && wanted > 2 && used(dealt, pod) > ports.get(pod)) {
                    dealt.set(group, wanted - 1);
                }
                while (used(dealt, pod) > ports.get(pod)) {
                    int neighbour = wider(dealt, pod);
                    if (neighbour < 0) {
                        return Optional.empty();
                    }
                    dealt.set(neighbour, dealt.get(neighbour) - 1);
                }
            }
        }
        return Optional.of(List.copyOf(dealt));
    }

    /** In a ring of an odd number of pods an odd count leaves one pod a circuit short. */
    private boolean odd() {
        return replicas > 2 && replicas % 2 == 1;
    }

    /** The group of the neighbour with the most circuits that can give one up; -1 if there is none. */
    private int wider(List<Integer> circuits, int pod) {
        int before = pod > 0 ? circuits.get(pod - 1) : 0;
        int behind = pod < pods - 1 ? circuits.get(pod) : 0;
        if (Math.max(before, behind) < 2) {
            return -1;
        }
        return before >= behind ? pod - 1 : pod;
    }

    @Override
    public int groups() {
        return pods - 1 + (replicas > 1 ? pods : 0);
    }

    /** Two towards a peer that is both the one before and the one behind. */
    @Override
    public int least(int group) {
        return group >= pods - 1 && replicas > 2 ? 2 : 1;
    }

    /** Circuits of all replicas, without pairs that have none. */
    @Override
    public List<Share> deal(List<Integer> circuits) {
        List<Share> shares = new ArrayList<>();
        for (int replica = 0; replica < replicas; replica++) {
            for (int pod = 0; pod + 1 < pods; pod++) {
                shares.add(new Share(replica, pod, replica, pod + 1, circuits.get(pod), pod));
            }
        }
        for (int pod = 0; replicas > 1 && pod < pods; pod++) {
            int group = pods - 1 + pod;
            int count = circuits.get(group);
            if (replicas == 2) {
                shares.add(new Share(0, pod, 1, pod, count, group));
                continue;
            }
            for (int replica = 0; replica < replicas; replica++) {
                boolean more = replica % 2 == 0 && !(replica == replicas - 1);
                int half = more ? (count + 1) / 2 : count / 2;
                shares.add(new Share(replica, pod, (replica + 1) % replicas, pod, half, group));
            }
        }
        return shares;
    }

    /** The replica with the fewest ports limits all. */
    @Override
    public List<Integer> left(List<Integer> circuits, List<Integer> lit) {
        List<Integer> left = new ArrayList<>(circuits);
        List<Share> shares = deal(circuits);
        for (int share = 0; share < shares.size(); share++) {
            Share of = shares.get(share);
            int lost = of.circuits() - lit.get(share);
            left.set(of.group(), Math.min(left.get(of.group()), circuits.get(of.group()) - lost));
        }
        for (int group = pods - 1; odd() && group < left.size(); group++) {
            left.set(group, left.get(group) - left.get(group) % 2);
        }
        return left;
    }
}
