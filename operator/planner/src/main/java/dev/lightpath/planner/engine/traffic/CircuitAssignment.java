package dev.lightpath.planner.engine.traffic;

import dev.lightpath.planner.ask.Deal;
import dev.lightpath.planner.engine.allocation.StagePods;
import dev.lightpath.planner.engine.state.OcsState;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.ocs.Link;
import dev.lightpath.planner.ocs.LinkPlan;
import dev.lightpath.planner.ocs.OcsHealth;
import dev.lightpath.planner.ocs.PortUse;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.OcsSwitch;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Circuit counts of a job on the ports of real switches.
 *
 * @param circuits counts that every replica has: those wanted, less what found no ports
 * @param light what to light for them
 * @param whole whether nothing is missing
 * @param apart pods that talk and find no circuit, two by two
 */
record CircuitAssignment(List<Integer> circuits, SwitchedLight light, boolean whole, List<String> apart) {
    CircuitAssignment {
        apart = List.copyOf(apart);
    }

    /** Pairs of pods that talk. */
    static int pairs(StagePods stagePods) {
        return stagePods.deal().deal(stagePods.deal().fewest()).size();
    }

    /** Whether every two pods that talk have a circuit. */
    boolean possible() {
        return apart.isEmpty();
    }

    /**
     * Keeps what is recorded and sound. Where a circuit finds no ports the poorest replica sets the count of all, and
     * what the others have too much of is left out.
     *
     * @param taken whether others hold a port
     * @param mayMove whether sound circuits may move; where they may, a drained switch keeps none
     */
    static CircuitAssignment of(
            OcsState state,
            Predicate<PortUse> taken,
            StagePods stagePods,
            List<Integer> wanted,
            boolean mayMove,
            SwitchedLight previous) {
        Deal deal = stagePods.deal();
        List<Integer> counts = wanted;
        SwitchedLight before = previous;
        boolean moves = mayMove;
        OcsHealth health = health(state, mayMove);
        while (true) {
            List<Deal.Share> shares = deal.deal(counts);
            LinkPlan.Outcome plan = LinkPlan.follow(
                    state.wiring(), health, taken, links(state, stagePods, shares), moves, before, state.stripings());
            if (plan.missing().isEmpty()) {
                return new CircuitAssignment(counts, plan.light(), counts.equals(wanted), List.of());
            }
            List<Integer> found = found(stagePods, shares, plan.missing());
            counts = deal.left(counts, found);
            before = plan.light();
            moves = false;
            if (!joins(deal, counts)) {
                return new CircuitAssignment(counts, plan.light(), false, apart(stagePods, shares, found));
            }
        }
    }

    private static OcsHealth health(OcsState state, boolean mayMove) {
        return mayMove ? withoutDrained(state) : state.health();
    }

    /** Health in which drained switches are lost. */
    static OcsHealth withoutDrained(OcsState state) {
        return state.health()
                .and(state.intent().switches().values().stream()
                        .filter(OcsSwitch::drained)
                        .map(OcsSwitch::name)
                        .collect(Collectors.toSet()));
    }

    private static boolean joins(Deal deal, List<Integer> counts) {
        for (int group = 0; group < counts.size(); group++) {
            if (counts.get(group) < deal.least(group)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Circuits of a share go over different switches, so that the loss of one costs a pair little; every pair has its
     * first before any has its second, so that what is short is shared.
     */
    static List<Link> links(OcsState state, StagePods stagePods, List<Deal.Share> shares) {
        List<OcsSwitch> switches = state.intent().switches().values().stream()
                .filter(of -> !of.drained() && !state.health().switches().contains(of.name()))
                .toList();
        List<Link> links = new ArrayList<>();
        int most = shares.stream().mapToInt(Deal.Share::circuits).max().orElse(0);
        int next = 0;
        for (int circuit = 0; circuit < most; circuit++) {
            for (Deal.Share share : shares) {
                if (circuit >= share.circuits()) {
                    continue;
                }
                String from = stagePods.from(share);
                String to = stagePods.to(share);
                OcsSwitch via = switches.isEmpty()
                        ? state.intent().switches().firstEntry().getValue()
                        : switches.get(next++ % switches.size());
                links.add(new Link(from, to, via.name()));
                if (via.kind() == DeviceKind.TWO_SIDED) {
                    links.add(new Link(to, from, via.name()));
                }
            }
        }
        return links;
    }

    private static List<Integer> found(StagePods stagePods, List<Deal.Share> shares, List<Link> missing) {
        return shares.stream()
                .map(share -> {
                    String from = stagePods.from(share);
                    String to = stagePods.to(share);
                    int there = missing(missing, from, to);
                    int back = missing(missing, to, from);
                    return share.circuits() - Math.max(there, back);
                })
                .toList();
    }

    private static List<String> apart(StagePods stagePods, List<Deal.Share> shares, List<Integer> found) {
        int fewest = Collections.min(found);
        return IntStream.range(0, shares.size())
                .filter(share -> found.get(share) == fewest)
                .mapToObj(shares::get)
                .map(share -> stagePods.from(share) + " and " + stagePods.to(share))
                .distinct()
                .toList();
    }

    private static int missing(List<Link> missing, String from, String to) {
        return (int) missing.stream()
                .filter(link -> link.from().equals(from) && link.to().equals(to))
                .count();
    }
}
