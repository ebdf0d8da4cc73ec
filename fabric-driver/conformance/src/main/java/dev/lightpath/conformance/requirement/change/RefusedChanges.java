package dev.lightpath.conformance.requirement.change;

import static dev.lightpath.conformance.bench.Expect.equal;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Change;
import dev.lightpath.conformance.bench.Circuits;
import dev.lightpath.conformance.bench.Layout;
import dev.lightpath.conformance.requirement.Requirement;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.PortOverride;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** Changes that are refused for what the device shows or takes: their epoch counts all the same. */
public final class RefusedChanges {
    private RefusedChanges() {}

    public static List<Requirement> all() {
        return List.of(new Requirement(
                "fencing/every-refusal-raises",
                "Fencing",
                "The epoch of a change counts for whatever reason the change is refused, unless for its form",
                RefusedChanges::raise));
    }

    /** Those that need the driver restarted. */
    public static List<Requirement> restarted() {
        return List.of(new Requirement(
                "crash/epoch-of-every-refusal",
                "Fencing; Crash",
                "The epoch of a change that was refused, for whatever reason but its form, is remembered after a restart",
                RefusedChanges::remembered));
    }

    /** A change that is refused for this reason while the circuit 0 is there, and what must be so besides. */
    private record Refused(String reason, Consumer<Bench> before, Consumer<Bench> change) {}

    private static List<Refused> prepared(Bench bench) {
        bench.change().make(0).apply();
        Layout layout = bench.layout();
        CircuitKey other = layout.crosses() ? layout.crossing(0, 1) : layout.alternative(0);
        List<Refused> all = new ArrayList<>(List.of(
                precondition(
                        "PORT_IN_USE", RefusedChanges::nothing, b -> b.change().connect(other)),
                precondition(
                        "NO_SUCH_CIRCUIT",
                        RefusedChanges::nothing,
                        b -> b.change().disconnect(other))));
        if (tooMany(bench).items() > bench.device().mostItems()) {
            all.add(new Refused("BATCH_TOO_LARGE", RefusedChanges::nothing, b -> {
                Change change = tooMany(b);
                var unused = change.refusedAsTooLarge(change.items() + " items");
            }));
        }
        all.add(precondition(
                "PORT_OUT_OF_SERVICE", RefusedChanges::takeOut, b -> b.change().make(1)));
        return all;
    }

    private static void nothing(Bench bench) {}

    private static void takeOut(Bench bench) {
        var unused = bench.override(bench.layout().circuit(1).getEgress(), PortOverride.PORT_OVERRIDE_OUT_OF_SERVICE);
    }

    private static Refused precondition(String reason, Consumer<Bench> before, Function<Bench, Change> change) {
        return new Refused(reason, before, bench -> {
            var unused = change.apply(bench)
                    .refused(
                            "a change while " + Circuits.text(bench.layout().circuit(0)) + " is there",
                            Status.Code.FAILED_PRECONDITION,
                            reason);
        });
    }

    /** As many items as the free ports allow, which break and make nothing that is another's. */
    private static Change tooMany(Bench bench) {
        Layout wide = bench.layout().wide();
        Change change = bench.change().scope(wide.scope());
        for (int i = 0; i < wide.size(); i++) {
            change.disconnect(Circuits.key(wide.circuit(i).getIngress(), "")).connect(wide.circuit(i));
        }
        return change;
    }

    private static void raise(Bench bench) {
        for (Refused refused : prepared(bench)) {
            refused.before().accept(bench);
            long lower = bench.epoch();
            bench.raiseEpoch();
            refused.change().accept(bench);
            equal(
                    "highest_epoch after a change refused with " + refused.reason(),
                    bench.epoch(),
                    bench.read().getHighestEpoch());
            bench.change()
                    .epoch(lower)
                    .refused(
                            "the epoch before that of a change refused with " + refused.reason(),
                            Status.Code.PERMISSION_DENIED,
                            "STALE_EPOCH");
        }
        bench.expectMade(0);
    }

    private static void remembered(Bench bench) throws Exception {
        bench.requireRestart();
        for (Refused refused : prepared(bench)) {
            refused.before().accept(bench);
            bench.raiseEpoch();
            refused.change().accept(bench);
            bench.restartDriver();
            equal(
                    "highest_epoch after a change refused with " + refused.reason() + " and a restart",
                    bench.epoch(),
                    bench.read().getHighestEpoch());
        }
        bench.expectMade(0);
    }
}
