package dev.lightpath.conformance.requirement;

import java.util.List;
import java.util.stream.Stream;

/** All requirements, in the order they are judged: cheap ones first, those that restart or hurt something last. */
public final class Requirements {
    private Requirements() {}

    public static List<Requirement> all() {
        return Stream.of(
                        Identity.all(),
                        Inventory.all(),
                        Circuit.all(),
                        ManyCircuits.all(),
                        Ports.all(),
                        Implied.all(),
                        Idempotency.all(),
                        ExpectedDigest.all(),
                        NarrowDigests.all(),
                        Scopes.all(),
                        Fences.all(),
                        RefusedChanges.all(),
                        Roles.all(),
                        Neighbours.all(),
                        Untouched.all(),
                        Shapes.all(),
                        Foretelling.all(),
                        Operations.all(),
                        Late.all(),
                        AtOnce.all(),
                        WhileItRuns.all(),
                        EndedEarly.all(),
                        Aborted.all(),
                        Successor.all(),
                        Overtaken.all(),
                        InTurn.all(),
                        OtherContent.all(),
                        Confirmation.all(),
                        Lapsed.all(),
                        Superseded.all(),
                        Overrides.all(),
                        Streams.all(),
                        Beginnings.all(),
                        NamedDevices.all(),
                        KeptBack.all(),
                        SlowClient.all(),
                        Crash.all(),
                        RefusedChanges.restarted(),
                        Interrupted.all(),
                        Restarted.all(),
                        SecondRole.all(),
                        Stuck.all(),
                        Failure.all(),
                        Told.all(),
                        Silence.all(),
                        Reconnect.all(),
                        Memory.all())
                .flatMap(List::stream)
                .toList();
    }
}
