package dev.lightpath.planner.engine;

import dev.lightpath.planner.engine.allocation.TransceiverPorts;
import dev.lightpath.planner.engine.circuits.RingCircuits;
import dev.lightpath.planner.engine.decision.SliceVerdict.Light;
import dev.lightpath.planner.engine.state.RingState;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.CrossConnects;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.FarEnd;
import dev.lightpath.planner.light.PortLight;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.world.Allocation;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@link Qualification} of a slice on a ring: a link joins neighbours in a group. */
final class RingQualification {
    private final RingState state;
    private final RingCircuits circuits;
    private final Qualification made;
    /** Groups smaller than a node name it several times. */
    private final Set<String> counted = new HashSet<>();

    private RingQualification(RingState state, RingCircuits circuits) {
        this.state = state;
        this.circuits = circuits;
        this.made = new Qualification(state);
    }

    /** O(members * reach). */
    static Light of(RingState state, RingCircuits circuits, Allocation allocation) {
        RingQualification qualification = new RingQualification(state, circuits);
        for (Allocation.Group group : allocation.groups()) {
            Allocation.Member before = null;
            for (Allocation.Member member : group.members()) {
                qualification.member(member);
                if (before != null) {
                    qualification.link(before, member);
                }
                before = member;
            }
        }
        return qualification.made.verdict();
    }

    private void member(Allocation.Member member) {
        if (!counted.add(member.node())) {
            return;
        }
        CrossConnects wanted = circuits.wanted(member);
        made.want(wanted.circuits().size());
        DeviceState device = state.positions().device(member);
        if (device != null && device.away()) {
            made.away(member.node());
            return;
        }
        if (device == null || !device.present()) {
            made.silent(wanted.circuits().size(), "transceivers of node " + member.node() + silence(device));
            return;
        }
        if (device.moving().isEmpty() && wanted.equals(device.circuits())) {
            made.lit(wanted.circuits().size());
            return;
        }
        for (Circuit circuit : wanted.circuits()) {
            if (device.circuits().contains(circuit) && !device.moving().contains(circuit.ingress())) {
                made.lit(1);
            } else if (device.failed(circuit)) {
                made.portFailed(Qualification.label(member.node(), circuit));
            } else {
                unlit(member.node(), device, circuit);
            }
        }
    }

    private void unlit(String node, DeviceState device, Circuit circuit) {
        Optional<String> refusal =
                device.refusal(circuit).map(why -> state.lacking().getOrDefault(node, why));
        if (refusal.isEmpty() && device.inventory().isEmpty()) {
            made.unread("node " + node);
        } else {
            made.unmade(Qualification.label(node, circuit), refusal, state.deviceId(node), "node " + node);
        }
    }

    private void link(Allocation.Member left, Allocation.Member right) {
        int hop = state.intent().ring().hop(left.position(), right.position());
        String out = TransceiverPorts.port(state.ports().pathOf(hop));
        String in = TransceiverPorts.port(state.ports().pathOf(-hop));
        Optional<String> flaw = hears(left, out, right.node(), in).or(() -> hears(right, in, left.node(), out));
        made.links(1, flaw.isEmpty() ? 1 : 0);
        flaw.ifPresent(why -> made.obstacle(Reason.QUALIFYING, why));
    }

    private static String silence(@Nullable DeviceState device) {
        if (device != null && device.away()) {
            return " are not known while their driver is away";
        }
        return device != null && device.presence() == DeviceState.Presence.FOREIGN
                ? " are held by another role"
                : " do not answer";
    }

    /** What is wrong with the light a port receives; empty when nothing is. */
    private Optional<String> hears(Allocation.Member member, String port, String farNode, String farPort) {
        String node = member.node();
        DeviceState device = state.positions().device(member);
        if (device == null || !device.present()) {
            return Optional.of("transceivers of node " + node + silence(device));
        }
        PortLight seen = device.lightAt(port);
        if (seen.lock() != PortLight.Lock.UP) {
            return Optional.of(
                    node + "/" + port + (seen.lock() == PortLight.Lock.LOCKING ? " is locking" : " sees no light"));
        }
        if (!seen.hears(farNode, farPort)) {
            return Optional.of(node + "/" + port + " hears "
                    + seen.heard().map(FarEnd::toString).orElse("nobody it can name") + ", expected "
                    + new FarEnd(farNode, farPort) + ": check the fibre");
        }
        return made.excessLoss(() -> node + "/" + port, device, port);
    }
}
