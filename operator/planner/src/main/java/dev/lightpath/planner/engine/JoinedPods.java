package dev.lightpath.planner.engine;

import dev.lightpath.planner.ask.Deal;
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
 * Pods for a job that free ports join: a walk over seats in their order and pods in theirs, which leaves a pod out where no switch
 * has a free port of it and one of a pod that it would talk to. So sets are tried in a defined order, the preferred pods first.
 */
final class JoinedPods {
    /** Pods looked at for a seat. */
    private static final int STEPS = 20_000;

    /** Links times switches that sets of pods may be striped for: some milliseconds. */
    private static final int MOST_LINKS = 4_000;

    private final Deal deal;
    private final List<String> order;
    private final PodMatching.Fit fit;
    private final Map<String, BitSet> joined;
    private final List<Deal.Share> shares;
    private final Predicate<List<String>> whole;
    private final int cost;
    private final List<String> chosen = new ArrayList<>();
    private final BitSet used = new BitSet();
    private int steps;
    private int links;

    private JoinedPods(
            Deal deal,
            List<String> order,
            PodMatching.Fit fit,
            Map<String, BitSet> joined,
            Predicate<List<String>> whole,
            int switches) {
        this.deal = deal;
        this.order = order;
        this.fit = fit;
        this.joined = joined;
        this.whole = whole;
        this.shares = deal.deal(deal.fewest());
        this.cost = Math.max(1, switches * shares.size());
    }

    /**
     * One pod for each seat, replica by replica. At most so many steps and stripings.
     *
     * @param order pods, those to be taken first before the others
     * @param fit whether a pod has what a place of a replica takes
     * @param free ports of pods by switch
     * @param whole whether circuits join these pods
     * @return empty when none was found
     */
    static List<String> of(
            Deal deal,
            List<String> order,
            PodMatching.Fit fit,
            FreePorts free,
            Predicate<List<String>> whole,
            int switches) {
        JoinedPods search = new JoinedPods(deal, order, fit, free.joined(order), whole, switches);
        return search.seat(0) ? List.copyOf(search.chosen) : List.of();
    }

    private boolean seat(int seat) {
        if (seat == deal.pods() * deal.replicas()) {
            links += cost;
            return whole.test(chosen);
        }
        for (int pod = 0; pod < order.size(); pod++) {
            if (++steps > STEPS || links > MOST_LINKS) {
                return false;
            }
            if (used.get(pod) || !fit.fits(seat % deal.pods(), pod) || !joins(seat, pod)) {
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

    /** Which pods have free ports on which switch. */
    record FreePorts(OcsScene scene, OcsHealth health, Set<PortUse> taken) {

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
            for (OcsSwitch of : scene.intent().switches().values()) {
                if (of.drained() || health.switches().contains(of.name())) {
                    continue;
                }
                BitSet entering = new BitSet();
                BitSet leaving = new BitSet();
                for (int pod = 0; pod < reached.length; pod++) {
                    for (OcsSwitch.Wire wire : scene.wiring().wires(of.name(), order.get(pod))) {
                        entering.set(pod, entering.get(pod) || enters(of, wire));
                        leaving.set(pod, leaving.get(pod) || leaves(of, wire));
                    }
                }
                entering.stream().forEach(pod -> reached[pod].or(leaving));
            }
            return reached;
        }

        private boolean enters(OcsSwitch of, OcsSwitch.Wire wire) {
            return !health.lostIngress(of.name(), wire.ingress())
                    && !taken.contains(PortUse.ingress(of.name(), of.kind(), wire.ingress()));
        }

        private boolean leaves(OcsSwitch of, OcsSwitch.Wire wire) {
            DeviceKind kind = of.kind();
            return !health.lostEgress(of.name(), wire.egress())
                    && !taken.contains(PortUse.egress(of.name(), kind, wire.egress()));
        }
    }
}
