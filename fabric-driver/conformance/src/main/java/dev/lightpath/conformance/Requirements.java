package dev.lightpath.conformance;

import dev.lightpath.conformance.requirement.Confirmation;
import dev.lightpath.conformance.requirement.Memory;
import dev.lightpath.conformance.requirement.Requirement;
import dev.lightpath.conformance.requirement.Roles;
import dev.lightpath.conformance.requirement.WhileItRuns;
import dev.lightpath.conformance.requirement.change.Aborted;
import dev.lightpath.conformance.requirement.change.EndedEarly;
import dev.lightpath.conformance.requirement.change.ExpectedDigest;
import dev.lightpath.conformance.requirement.change.Failure;
import dev.lightpath.conformance.requirement.change.Idempotency;
import dev.lightpath.conformance.requirement.change.Implied;
import dev.lightpath.conformance.requirement.change.Lapsed;
import dev.lightpath.conformance.requirement.change.Late;
import dev.lightpath.conformance.requirement.change.Operations;
import dev.lightpath.conformance.requirement.change.OtherContent;
import dev.lightpath.conformance.requirement.change.Overrides;
import dev.lightpath.conformance.requirement.change.Overtaken;
import dev.lightpath.conformance.requirement.change.RefusedChanges;
import dev.lightpath.conformance.requirement.change.Shapes;
import dev.lightpath.conformance.requirement.change.Stuck;
import dev.lightpath.conformance.requirement.change.Superseded;
import dev.lightpath.conformance.requirement.change.Told;
import dev.lightpath.conformance.requirement.device.Circuit;
import dev.lightpath.conformance.requirement.device.Identity;
import dev.lightpath.conformance.requirement.device.Inventory;
import dev.lightpath.conformance.requirement.device.NarrowDigests;
import dev.lightpath.conformance.requirement.device.Neighbours;
import dev.lightpath.conformance.requirement.device.Ports;
import dev.lightpath.conformance.requirement.device.Untouched;
import dev.lightpath.conformance.requirement.fence.AtOnce;
import dev.lightpath.conformance.requirement.fence.Fences;
import dev.lightpath.conformance.requirement.fence.Foretelling;
import dev.lightpath.conformance.requirement.fence.InTurn;
import dev.lightpath.conformance.requirement.fence.Scopes;
import dev.lightpath.conformance.requirement.fence.SecondRole;
import dev.lightpath.conformance.requirement.fence.Successor;
import dev.lightpath.conformance.requirement.restart.Crash;
import dev.lightpath.conformance.requirement.restart.Interrupted;
import dev.lightpath.conformance.requirement.restart.Restarted;
import dev.lightpath.conformance.requirement.stream.Beginnings;
import dev.lightpath.conformance.requirement.stream.KeptBack;
import dev.lightpath.conformance.requirement.stream.Losses;
import dev.lightpath.conformance.requirement.stream.ManyCircuits;
import dev.lightpath.conformance.requirement.stream.NamedDevices;
import dev.lightpath.conformance.requirement.stream.Reconnect;
import dev.lightpath.conformance.requirement.stream.Silence;
import dev.lightpath.conformance.requirement.stream.SlowClient;
import dev.lightpath.conformance.requirement.stream.Steps;
import dev.lightpath.conformance.requirement.stream.Streams;
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
                        Losses.all(),
                        SlowClient.all(),
                        Crash.all(),
                        RefusedChanges.restarted(),
                        Interrupted.all(),
                        Restarted.all(),
                        SecondRole.all(),
                        Stuck.all(),
                        Failure.all(),
                        Told.all(),
                        Steps.all(),
                        Silence.all(),
                        Reconnect.all(),
                        Memory.all())
                .flatMap(List::stream)
                .toList();
    }
}
