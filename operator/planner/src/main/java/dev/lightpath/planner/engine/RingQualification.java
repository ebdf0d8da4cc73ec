package dev.lightpath.planner.engine;

import dev.lightpath.planner.engine.allocation.TransceiverPorts;
import dev.lightpath.planner.engine.circuits.RingCircuits;
import dev.lightpath.planner.engine.decision.SliceVerdict.Light;
import dev.lightpath.planner.engine.decision.SliceVerdict.Obstacle;
import dev.lightpath.planner.engine.state.RingState;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.CrossConnects;
import dev.lightpath.planner.light.DeviceBackoff;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.FarEnd;
import dev.lightpath.planner.light.PortLight;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.world.Allocation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * How far the light of one slice has come: read back from the hardware, and proved by what each end of each link hears.
 * The echo of a command is no proof; a neighbour that names itself is.
 */
final class RingQualification {
    private final RingState scene;
    private final RingCircuits light;
    /** Groups smaller than a node name it several times. */
    private final Set<String> counted = new HashSet<>();

    private int total;
    private int lit;
    private int failed;
    private int links;
    private int qualified;
    private final List<Obstacle> obstacles = new ArrayList<>();

    private RingQualification(RingState scene, RingCircuits light) {
        this.scene = scene;
        this.light = light;
    }

    /** O(members * reach). */
    static Light of(RingState scene, RingCircuits light, Allocation allocation) {
        RingQualification qualification = new RingQualification(scene, light);
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
        return qualification.verdict();
    }

    private Light verdict() {
        if (!scene.driver().synced()) {
            Obstacle away = new Obstacle(
                    Reason.DRIVER_UNREACHABLE,
                    "driver " + scene.intent().driver() + ": "
                            + scene.driver().problem().orElse("no contact") + "; light stays as it is");
            return new Light(total, lit, failed, links, qualified, Optional.of(away));
        }
        return new Light(
                total, lit, failed, links, qualified, obstacles.stream().findFirst());
    }

    private void member(Allocation.Member member) {
        if (!counted.add(member.node())) {
            return;
        }
        CrossConnects wanted = light.wanted(member);
        total += wanted.circuits().size();
        DeviceState device = scene.sites().device(member);
        if (device == null || !device.present()) {
            failed += wanted.circuits().size();
            obstacles.add(new Obstacle(Reason.DEGRADED, "transceivers of node " + member.node() + " do not answer"));
            return;
        }
        if (device.moving().isEmpty() && wanted.equals(device.circuits())) {
            lit += wanted.circuits().size();
            return;
        }
        for (Circuit circuit : wanted.circuits()) {
            if (device.circuits().contains(circuit) && !device.moving().contains(circuit.ingress())) {
                lit++;
            } else if (device.failedPorts().containsKey(circuit.egress())
                    || device.failedPorts().containsKey(circuit.ingress())) {
                failed++;
                obstacles.add(new Obstacle(Reason.DEGRADED, member.node() + "/" + circuit + ": port failed"));
            } else {
                obstacles.add(unlit(member.node(), device, circuit));
            }
        }
    }

    private Obstacle unlit(String node, DeviceState device, Circuit circuit) {
        Optional<String> refusal = device.refusal(circuit);
        if (refusal.isPresent()) {
            return new Obstacle(
                    Reason.REJECTED,
                    node + "/" + circuit + ": " + scene.lacking().getOrDefault(node, refusal.get()));
        }
        if (device.inventory().isEmpty()) {
            return Obstacle.programming("what the device of node " + node + " consists of is not read yet");
        }
        DeviceBackoff setback = scene.world().setbacks().get(scene.deviceId(node));
        if (setback != null) {
            return new Obstacle(setback.reason(), "node " + node + ": " + setback.message());
        }
        return Obstacle.programming(node + "/" + circuit + " is not made yet");
    }

    private void link(Allocation.Member left, Allocation.Member right) {
        links++;
        int hop = scene.intent().ring().hop(left.position(), right.position());
        if (hop < 1 || hop > scene.ports().reach()) {
            obstacles.add(
                    new Obstacle(Reason.DEGRADED, "no fibre from node " + left.node() + " to node " + right.node()));
            return;
        }
        String out = TransceiverPorts.port(scene.ports().pathOf(hop));
        String in = TransceiverPorts.port(scene.ports().pathOf(-hop));
        Optional<String> flaw = hears(left, out, right.node(), in).or(() -> hears(right, in, left.node(), out));
        if (flaw.isEmpty()) {
            qualified++;
        } else {
            obstacles.add(new Obstacle(Reason.QUALIFYING, flaw.get()));
        }
    }

    /** What is wrong with the light a port receives; empty when nothing is. */
    private Optional<String> hears(Allocation.Member member, String port, String farNode, String farPort) {
        String node = member.node();
        DeviceState device = scene.sites().device(member);
        if (device == null || !device.present()) {
            return Optional.of("transceivers of node " + node + " do not answer");
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
        double loss = seen.lossDb().orElse(0);
        double allowed = scene.intent().policy().maximumLossDb();
        if (loss > allowed) {
            return Optional.of(String.format(
                    Locale.ROOT,
                    "%s/%s loses %.2f dB, allowed are %.2f dB: clean the connector",
                    node,
                    port,
                    loss,
                    allowed));
        }
        return Optional.empty();
    }
}
