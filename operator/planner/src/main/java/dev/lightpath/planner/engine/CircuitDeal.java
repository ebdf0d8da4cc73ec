package dev.lightpath.planner.engine;

import dev.lightpath.planner.ask.ReplicaDeal;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.ocs.Link;
import dev.lightpath.planner.ocs.LinkPlan;
import dev.lightpath.planner.ocs.OcsHealth;
import dev.lightpath.planner.ocs.PortUse;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.OcsSwitch;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Circuit counts of a job on the ports of real switches.
 *
 * @param circuits counts that every replica has: those wanted, less what found no ports
 * @param light what to light for them
 * @param whole whether nothing is missing
 * @param possible whether every two pods that talk have a circuit
 */
record CircuitDeal(List<Integer> circuits, SwitchedLight light, boolean whole, boolean possible) {

    /**
     * Keeps what is lit and sound. Where a circuit finds no ports the poorest replica sets the count of all, and what the others
     * have too much of is left out.
     *
     * @param mayMove whether sound circuits may move; where they may, a drained switch keeps none
     */
    static CircuitDeal of(
            OcsScene scene,
            Set<PortUse> taken,
            StageSeats seating,
            List<Integer> wanted,
            boolean mayMove,
            SwitchedLight previous) {
        ReplicaDeal deal = seating.deal();
        List<Integer> counts = wanted;
        SwitchedLight before = previous;
        boolean moves = mayMove;
        OcsHealth health = mayMove ? scene.health().and(drained(scene)) : scene.health();
        while (true) {
            List<ReplicaDeal.Share> shares = deal.deal(counts);
            LinkPlan.Outcome plan =
                    LinkPlan.follow(scene.wiring(), health, taken, links(scene, seating, shares), moves, before);
            if (plan.missing().isEmpty()) {
                return new CircuitDeal(counts, plan.light(), counts.equals(wanted), true);
            }
            counts = deal.left(counts, lit(seating, shares, plan.missing()));
            before = plan.light();
            moves = false;
            if (!joins(deal, counts)) {
                return new CircuitDeal(counts, plan.light(), false, false);
            }
        }
    }

    private static Set<String> drained(OcsScene scene) {
        return scene.intent().switches().values().stream()
                .filter(OcsSwitch::drained)
                .map(OcsSwitch::name)
                .collect(Collectors.toSet());
    }

    private static boolean joins(ReplicaDeal deal, List<Integer> counts) {
        for (int group = 0; group < counts.size(); group++) {
            boolean ring = group >= deal.pods() - 1 && deal.replicas() > 2;
            if (counts.get(group) < (ring ? 2 : 1)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Circuits of a share go over different switches, so that the loss of one costs a pair little; every pair has its first before
     * any has its second, so that what is short is shared.
     */
    private static List<Link> links(OcsScene scene, StageSeats seating, List<ReplicaDeal.Share> shares) {
        List<OcsSwitch> switches = scene.intent().switches().values().stream()
                .filter(of -> !of.drained() && !scene.health().switches().contains(of.name()))
                .toList();
        List<Link> links = new ArrayList<>();
        int most =
                shares.stream().mapToInt(ReplicaDeal.Share::circuits).max().orElse(0);
        int next = 0;
        for (int circuit = 0; circuit < most; circuit++) {
            for (ReplicaDeal.Share share : shares) {
                if (circuit >= share.circuits()) {
                    continue;
                }
                String from = pod(seating, share.fromReplica(), share.fromPod());
                String to = pod(seating, share.toReplica(), share.toPod());
                OcsSwitch via = switches.isEmpty()
                        ? scene.intent().switches().firstEntry().getValue()
                        : switches.get(next++ % switches.size());
                links.add(new Link(from, to, via.name()));
                if (via.kind() == DeviceKind.TWO_SIDED) {
                    links.add(new Link(to, from, via.name()));
                }
            }
        }
        return links;
    }

    private static List<Integer> lit(StageSeats seating, List<ReplicaDeal.Share> shares, List<Link> missing) {
        return shares.stream()
                .map(share -> {
                    String from = pod(seating, share.fromReplica(), share.fromPod());
                    String to = pod(seating, share.toReplica(), share.toPod());
                    int there = missing(missing, from, to);
                    int back = missing(missing, to, from);
                    return share.circuits() - Math.max(there, back);
                })
                .toList();
    }

    private static int missing(List<Link> missing, String from, String to) {
        return (int) missing.stream()
                .filter(link -> link.from().equals(from) && link.to().equals(to))
                .count();
    }

    private static String pod(StageSeats seating, int replica, int pod) {
        return seating.pods().get(replica).get(pod);
    }
}
