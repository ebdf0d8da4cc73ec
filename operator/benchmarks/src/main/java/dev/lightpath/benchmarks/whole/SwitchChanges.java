package dev.lightpath.benchmarks.whole;

import dev.lightpath.benchmarks.Arguments;
import dev.lightpath.benchmarks.Samples;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.CircuitServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.CircuitServiceGrpc.CircuitServiceBlockingStub;
import dev.lightpath.proto.driver.v1alpha1.Fencing;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.Scope;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * Told are the time of a change as its caller sees it, how much of that the driver did not wait for the device, and the
 * driver's processor time, which other work on the machine does not change.
 * {@code operator/benchmarks/switches PROTOCOL DEVICES ROUNDS}.
 */
public final class SwitchChanges {
    private static final int CIRCUITS = 64;
    private static final int WARM_UP = 50;

    private final SwitchSite site;

    private SwitchChanges(SwitchSite site) {
        this.site = site;
    }

    public static void main(String[] arguments) {
        Arguments.run(new Wish(), arguments);
    }

    @Command(name = "switches", mixinStandardHelpOptions = true)
    static final class Wish implements Callable<Integer> {
        @Parameters(index = "0", hidden = true, description = "root of the checkout")
        private Path root = Path.of("");

        @Parameters(index = "1", paramLabel = "PROTOCOL", description = "${COMPLETION-CANDIDATES}")
        private SwitchSite.Protocol protocol = SwitchSite.Protocol.NETCONF;

        @Parameters(index = "2", arity = "0..1", paramLabel = "DEVICES", description = "${DEFAULT-VALUE}")
        private int devices = 1;

        @Parameters(index = "3", arity = "0..1", paramLabel = "ROUNDS", description = "${DEFAULT-VALUE}")
        private int rounds = 200;

        @Override
        public Integer call() throws IOException {
            try (SwitchSite site = new SwitchSite(root, protocol, devices)) {
                new SwitchChanges(site).measure(rounds);
            }
            return 0;
        }
    }

    /** As the caller sees it, and without what the driver waited for the device. */
    private record Times(Samples whole, Samples own) {
        Times() {
            this(new Samples(), new Samples());
        }

        void add(long took, long waited) {
            whole.addNanos(took);
            own.addNanos(Math.max(0, took - waited));
        }

        @Override
        public String toString() {
            return whole + "; without the device " + own;
        }
    }

    private void measure(int rounds) {
        Tap tap = site.tap();
        CircuitServiceBlockingStub circuits = CircuitServiceGrpc.newBlockingStub(site.channel());
        Times made = new Times();
        Times broken = new Times();
        Samples spent = new Samples();
        long turns = 0;
        for (int round = -WARM_UP; round < rounds; round++) {
            if (round == 0) {
                turns = tap.turns();
            }
            for (boolean make : new boolean[] {true, false}) {
                long before = site.driver().threadNanos();
                tap.beginWindow();
                long took = nanos(circuits, (make ? "make" : "break") + round, make);
                if (round >= 0) {
                    (make ? made : broken).add(took, tap.waitedNanos());
                    spent.addNanos(site.driver().threadNanos() - before);
                }
            }
        }
        System.out.println("  " + CIRCUITS + " circuits made in " + made);
        System.out.println("  " + CIRCUITS + " circuits broken in " + broken);
        System.out.println("  the driver's processor time of a change " + spent);
        System.out.printf(
                Locale.ROOT, "  answers of the device to a change %.1f%n", (tap.turns() - turns) / 2.0 / rounds);
        System.out.println("  driver: largest resident memory " + site.driver().peakResidentMib() + " MiB");
    }

    private long nanos(CircuitServiceBlockingStub circuits, String operation, boolean make) {
        ApplyCircuitsRequest.Builder request = ApplyCircuitsRequest.newBuilder()
                .setDeviceId(SwitchSite.FIRST)
                .setFencing(
                        Fencing.newBuilder().setRole("benchmark").setEpoch(1).setHolder("benchmark"))
                .setOperationId(operation)
                .setScope(Scope.newBuilder().setAllPorts(true));
        for (int i = 1; i <= CIRCUITS; i++) {
            CircuitKey circuit = CircuitKey.newBuilder()
                    .setIngress(site.protocol().ingress(i))
                    .setEgress(site.protocol().egress(i))
                    .build();
            if (make) {
                request.addConnects(circuit);
            } else {
                request.addDisconnects(circuit);
            }
        }
        ApplyCircuitsRequest ready = request.build();
        long began = System.nanoTime();
        Operation done = circuits.withDeadlineAfter(60, TimeUnit.SECONDS)
                .applyCircuits(ready)
                .getOperation();
        long took = System.nanoTime() - began;
        if (done.getOutcome() != Outcome.OUTCOME_APPLIED) {
            throw new IllegalStateException(operation + " ended as " + done);
        }
        return took;
    }
}
