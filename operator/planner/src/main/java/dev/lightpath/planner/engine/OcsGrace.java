package dev.lightpath.planner.engine;

import dev.lightpath.planner.fault.Fault;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.world.Allocation;
import java.time.Instant;
import java.util.Optional;

/** What repairs on one fabric of switches wait for, and when the first of them need wait no longer. Serves one pass. */
final class OcsGrace {
    private final OcsScene scene;
    private Optional<Instant> wakeAt = Optional.empty();

    OcsGrace(OcsScene scene) {
        this.scene = scene;
    }

    /** What a repair of a placed slice waits for; empty when it may go ahead. Counted from the first fault of its own. */
    Optional<RepairKeys.Wait> wait(Claim claim, Halt halt) {
        Allocation recorded = claim.recorded().orElseThrow();
        Instant since = scene.book().faults().stream()
                .filter(fault -> concerns(recorded, fault.subject()))
                .map(Fault::since)
                .min(Instant::compareTo)
                .orElse(Instant.EPOCH);
        Optional<RepairKeys.Wait> wait =
                RepairKeys.wait(claim.intent(), halt, since, scene.world().now());
        wait.flatMap(RepairKeys.Wait::until)
                .ifPresent(
                        due -> wakeAt = Optional.of(wakeAt.filter(due::isAfter).orElse(due)));
        return wait;
    }

    /** When the first grace runs out. */
    Optional<Instant> wakeAt() {
        return wakeAt;
    }

    /** Whether what is faulty is a pod of the record, or a switch or port of its circuits. */
    private boolean concerns(Allocation recorded, Subject subject) {
        return switch (subject) {
            case Subject.OfNode of ->
                scene.intent().pods().stream()
                        .filter(pod ->
                                pod.name().equals(of.node()) || pod.nodes().containsKey(of.node()))
                        .anyMatch(pod -> recorded.groups().stream()
                                .flatMap(group -> group.members().stream())
                                .anyMatch(member -> member.position() == pod.index()
                                        || member.node().equals(of.node())));
            case Subject.OfDevice of -> !recorded.circuits().on(of.device()).isEmpty();
            case Subject.OfPort of ->
                recorded.circuits().on(of.device()).stream()
                        .anyMatch(circuit -> circuit.ingress().equals(of.port())
                                || circuit.egress().equals(of.port()));
        };
    }
}
