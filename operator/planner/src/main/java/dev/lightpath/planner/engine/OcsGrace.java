package dev.lightpath.planner.engine;

import dev.lightpath.planner.fault.Fault;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.OcsPod;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;

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

    /** Whether what is faulty is a pod of the record, its device or a node of it, or a switch or port of its circuits. */
    private boolean concerns(Allocation recorded, Subject subject) {
        return switch (subject) {
            case Subject.OfNode of ->
                sits(
                        recorded,
                        pod -> pod.name().equals(of.node()) || pod.nodes().containsKey(of.node()),
                        of.node());
            case Subject.OfDevice of ->
                !recorded.circuits().on(of.device()).isEmpty()
                        || sits(recorded, pod -> pod.name().equals(of.device()), of.device());
            case Subject.OfPort of ->
                recorded.circuits().on(of.device()).stream()
                        .anyMatch(circuit -> circuit.ingress().equals(of.port())
                                || circuit.egress().equals(of.port()));
        };
    }

    /** Whether a member sits in one of these pods, by its position or by this name. */
    private boolean sits(Allocation recorded, Predicate<OcsPod> pods, String name) {
        return scene.intent().pods().stream()
                .filter(pods)
                .anyMatch(pod -> recorded.groups().stream()
                        .flatMap(group -> group.members().stream())
                        .anyMatch(member -> member.position() == pod.index()
                                || member.node().equals(name)));
    }
}
