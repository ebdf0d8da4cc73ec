package dev.lightpath.planner.engine;

import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.OcsSwitch;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Every way of giving the places of a job pods of their own, with one circuit between those that talk, on ports that no
 * record holds. Of jobs of one or two replicas with one stage of a node a pod. It counts nodes and ports of records and
 * knows nothing of planner or striper.
 */
public final class EverySeating {
    private final ToyOcs ocs;
    private final boolean duplex;
    private final List<OcsSwitch> switches;
    private final int[] nodes;
    /** By switch, pod and side: where light enters, where it leaves. */
    private final int[][][] free;

    private EverySeating(ToyOcs ocs) {
        this.ocs = ocs;
        this.switches = List.copyOf(ocs.switches.values());
        this.duplex = switches.getFirst().kind() == DeviceKind.ANY_TO_ANY;
        this.nodes = ocs.pods.stream().mapToInt(pod -> pod.nodes().size()).toArray();
        this.free = new int[switches.size()][nodes.length][2];
        ocs.ledger
                .values()
                .forEach(entry -> entry.allocation().stream()
                        .flatMap(allocation -> allocation.groups().stream())
                        .map(Allocation.Group::members)
                        .forEach(members -> nodes[members.getFirst().position()]--));
        for (int on = 0; on < switches.size(); on++) {
            OcsSwitch of = switches.get(on);
            Set<String> busy = new HashSet<>();
            if (ocs.failedPorts.containsKey(of.name())) {
                busy.addAll(ocs.failedPorts.get(of.name()).keySet());
            }
            ocs.ledger
                    .values()
                    .forEach(entry -> entry.allocation()
                            .ifPresent(allocation ->
                                    allocation.circuits().on(of.name()).forEach(circuit -> take(busy, circuit))));
            for (OcsSwitch.Wire wire : of.wiring()) {
                int pod = Integer.parseInt(wire.pod().substring(4));
                free[on][pod][0] += busy.contains(wire.ingress()) ? 0 : 1;
                free[on][pod][1] += busy.contains(wire.egress()) ? 0 : 1;
            }
        }
    }

    private static void take(Set<String> busy, Circuit circuit) {
        busy.add(circuit.ingress());
        busy.add(circuit.egress());
    }

    /** Whether there is one. */
    public static boolean of(ToyOcs ocs, Demand.Traffic traffic) {
        int stages = traffic.parallelism().pipeline();
        int replicas = traffic.parallelism().replicas();
        List<int[]> talks = new ArrayList<>();
        for (int place = 0; place < stages * replicas; place++) {
            if (place % stages + 1 < stages) {
                talks.add(new int[] {place, place + 1});
            }
            if (replicas == 2 && place < stages) {
                talks.add(new int[] {place, place + stages});
            }
        }
        return new EverySeating(ocs).seat(new int[stages * replicas], 0, talks);
    }

    private boolean seat(int[] pods, int place, List<int[]> talks) {
        if (place == pods.length) {
            return join(pods, talks, 0, true);
        }
        for (int pod = 0; pod < ocs.pods.size(); pod++) {
            if (nodes[pod] > 0) {
                nodes[pod] -= 100;
                pods[place] = pod;
                boolean found = seat(pods, place + 1, talks);
                nodes[pod] += 100;
                if (found) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean join(int[] pods, List<int[]> talks, int pair, boolean there) {
        if (pair == talks.size()) {
            return true;
        }
        int from = pods[talks.get(pair)[there ? 0 : 1]];
        int to = pods[talks.get(pair)[there ? 1 : 0]];
        for (int[][] on : free) {
            int out = duplex ? 0 : 1;
            if (on[from][0] > 0 && on[to][out] > 0) {
                on[from][0]--;
                on[to][out]--;
                boolean found = there && !duplex ? join(pods, talks, pair, false) : join(pods, talks, pair + 1, true);
                on[from][0]++;
                on[to][out]++;
                if (found) {
                    return true;
                }
            }
        }
        return false;
    }
}
