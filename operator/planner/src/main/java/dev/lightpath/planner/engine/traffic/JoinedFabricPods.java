package dev.lightpath.planner.engine.traffic;

import dev.lightpath.planner.ask.Deal;
import dev.lightpath.planner.engine.state.OcsState;
import dev.lightpath.planner.ocs.OcsHealth;
import dev.lightpath.planner.ocs.PortUse;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.OcsSwitch;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Pods for a job that free ports join: a walk over seats in their order and pods in theirs, which leaves a pod out
 * where no switch has a free port of it and one of a pod that it would talk to. So sets are tried in a defined order,
 * the preferred pods first.
 *
 * <p>All walks of a pass share what they may cost: each may use half of what is left, and at least one try. A walk is
 * not repeated while nothing has changed that it read.
 */
final class JoinedFabricPods {
    /** Pods looked at for a seat by all walks of a pass. */
    private static final long STEPS = 40_000;

    /** Links times switches that sets of pods may be striped for in a pass: some milliseconds. */
    private static final long MOST_LINKS = 8_000;

    /**
     * All that a walk reads.
     *
     * @param standing pods of the first seats
     * @param fitting kinds of seats times pods: where one fits the other
     * @param taken ports that are not free
     */
    private record Input(Deal deal, List<String> order, List<String> standing, BitSet fitting, Set<PortUse> taken) {}

    private final Rearrangement.Tries steps = new Rearrangement.Tries(STEPS);
    private final Rearrangement.Tries links = new Rearrangement.Tries(MOST_LINKS);
    private final Map<Input, List<String>> known = new HashMap<>();

    /**
     * One pod for each seat, replica by replica.
     *
     * @param order pods, those to be taken first before the others
     * @param standing pods that the first seats have already
     * @param fit whether a pod has what a place of a replica takes
     * @param free ports of pods by switch
     * @param whole whether circuits join these pods
     * @return empty when none was found
     */
    List<String> find(
            Deal deal,
            List<String> order,
            List<String> standing,
            FabricPodMatching.Fit fit,
            FreePorts free,
            Predicate<List<String>> whole) {
        BitSet fitting = new BitSet();
        for (int at = 0; at < deal.pods() * order.size(); at++) {
            fitting.set(at, fit.fits(at / order.size(), at % order.size()));
        }
        Input input = new Input(deal, List.copyOf(order), List.copyOf(standing), fitting, Set.copyOf(free.taken()));
        List<String> before = known.get(input);
        if (before != null) {
            return before;
        }
        long mostSteps = Math.max((long) order.size() * deal.pods() * deal.replicas(), steps.left() / 2);
        long mostLinks = Math.max(1, links.left() / 2);
        Walk walk =
                new Walk(input, free, whole, new Rearrangement.Tries(mostSteps), new Rearrangement.Tries(mostLinks));
        List<String> found = walk.seat(standing.size()) ? List.copyOf(walk.chosen) : List.of();
        steps.another(mostSteps - walk.steps.left());
        links.another(mostLinks - walk.links.left());
        known.put(input, found);
        return found;
    }

    private static final class Walk {
        private final Deal deal;
        private final List<String> order;
        private final BitSet fitting;
        private final Map<String, BitSet> joined;
        private final List<Deal.Share> shares;
        private final Predicate<List<String>> whole;
        private final long cost;
        private final Rearrangement.Tries steps;
        private final Rearrangement.Tries links;
        private final List<String> chosen = new ArrayList<>();
        private final BitSet used = new BitSet();

        private Walk(
                Input input,
                FreePorts free,
                Predicate<List<String>> whole,
                Rearrangement.Tries steps,
                Rearrangement.Tries links) {
            this.deal = input.deal();
            this.order = input.order();
            this.fitting = input.fitting();
            this.joined = free.joined(order);
            this.shares = deal.deal(deal.fewest());
            this.whole = whole;
            this.cost = Math.max(1, shares.size() * free.directions());
            this.steps = steps;
            this.links = links;
            for (String pod : input.standing()) {
                chosen.add(pod);
                used.set(order.indexOf(pod));
            }
        }

        private boolean seat(int seat) {
            if (seat == deal.pods() * deal.replicas()) {
                return links.another(cost) && whole.test(chosen);
            }
            for (int pod = 0; pod < order.size(); pod++) {
                if (links.left() <= 0 || !steps.another(1)) {
                    return false;
                }
                if (used.get(pod) || !fitting.get(seat % deal.pods() * order.size() + pod) || !joins(seat, pod)) {
                    continue;
                }
                used.set(pod);
                chosen.add(order.get(pod));
                if (seat(seat + 1)) {
                    return true;
                }
                chosen.removeLast();
                used.clear(pod);
            }
            return false;
        }

        private boolean joins(int seat, int pod) {
            for (Deal.Share share : shares) {
                int from = share.fromReplica() * deal.pods() + share.fromPod();
                int to = share.toReplica() * deal.pods() + share.toPod();
                int other = from == seat ? to : to == seat ? from : seat;
                if (other < seat
                        && !joined.getOrDefault(chosen.get(other), new BitSet()).get(pod)) {
                    return false;
                }
            }
            return true;
        }
    }

    /**
     * Which pods have free ports on which switch.
     *
     * @param health in which drained switches are lost
     */
    record FreePorts(OcsState state, OcsHealth health, Set<PortUse> taken) {

        /** Switches, two-sided ones twice: a pair that talks has a link each way there. */
        private int directions() {
            return state.intent().switches().values().stream()
                    .mapToInt(of -> of.kind() == DeviceKind.TWO_SIDED ? 2 : 1)
                    .sum();
        }

        /** Of each pod, the places in the order of those that one circuit each way could join with it. */
        Map<String, BitSet> joined(List<String> order) {
            Map<String, BitSet> joined = new HashMap<>();
            order.forEach(pod -> joined.put(pod, new BitSet()));
            BitSet[] there = lit(order);
            for (int from = 0; from < order.size(); from++) {
                BitSet both = joined.getOrDefault(order.get(from), new BitSet());
                for (int to = 0; to < order.size(); to++) {
                    both.set(to, from != to && there[from].get(to) && there[to].get(from));
                }
            }
            return joined;
        }

        /** Of each pod, those that its light could reach. */
        private BitSet[] lit(List<String> order) {
            BitSet[] reached = new BitSet[order.size()];
            for (int pod = 0; pod < reached.length; pod++) {
                reached[pod] = new BitSet();
            }
            for (OcsSwitch of : state.intent().switches().values()) {
                if (health.switches().contains(of.name())) {
                    continue;
                }
                BitSet entering = new BitSet();
                BitSet leaving = new BitSet();
                for (int pod = 0; pod < reached.length; pod++) {
                    for (OcsSwitch.Wire wire : state.wiring().wires(of.name(), order.get(pod))) {
                        entering.set(pod, entering.get(pod) || health.enters(of, wire, taken::contains));
                        leaving.set(pod, leaving.get(pod) || health.leaves(of, wire, taken::contains));
                    }
                }
                entering.stream().forEach(pod -> reached[pod].or(leaving));
            }
            return reached;
        }
    }
}
