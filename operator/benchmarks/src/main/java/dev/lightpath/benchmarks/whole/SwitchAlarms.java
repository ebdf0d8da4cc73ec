package dev.lightpath.benchmarks.whole;

import dev.lightpath.benchmarks.Arguments;
import dev.lightpath.benchmarks.Samples;
import dev.lightpath.proto.driver.v1alpha1.LockState;
import dev.lightpath.proto.driver.v1alpha1.TelemetryServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.WatchRequest;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import dev.lightpath.proto.emulator.v1alpha1.ChaosServiceGrpc;
import dev.lightpath.proto.emulator.v1alpha1.ChaosServiceGrpc.ChaosServiceBlockingStub;
import dev.lightpath.proto.emulator.v1alpha1.ClearFaultsRequest;
import dev.lightpath.proto.emulator.v1alpha1.FaultKind;
import dev.lightpath.proto.emulator.v1alpha1.InjectFaultRequest;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * How long after a fault at a device a client of the driver has its alarm. A fault is light that is too weak, or where
 * the protocol tells of no light, a port that failed. OpenFlow has no alarms: there the port loses its signal.
 * {@code operator/benchmarks/switches alarms PROTOCOL ROUNDS}.
 */
public final class SwitchAlarms {
    private static final int WARM_UP = 10;
    private static final double LOST_DB = 12;
    /** The emulated management looks each 20 ms: it must have seen one change before the next. */
    private static final int SETTLED_MILLIS = 100;

    /** Whether an alarm stands, and when that was heard. */
    private record Heard(boolean stands, long nanos) {}

    private final BlockingQueue<Heard> heard = new ArrayBlockingQueue<>(64);
    private final SwitchSite site;

    private SwitchAlarms(SwitchSite site) {
        this.site = site;
    }

    public static void main(String[] arguments) {
        Arguments.run(new Wish(), arguments);
    }

    @Command(name = "switches alarms", mixinStandardHelpOptions = true)
    static final class Wish implements Callable<Integer> {
        @Parameters(index = "0", hidden = true, description = "root of the checkout")
        private Path root = Path.of("");

        @Parameters(index = "1", paramLabel = "PROTOCOL", description = "${COMPLETION-CANDIDATES}")
        private SwitchSite.Protocol protocol = SwitchSite.Protocol.NETCONF;

        @Parameters(index = "2", arity = "0..1", paramLabel = "ROUNDS", description = "${DEFAULT-VALUE}")
        private int rounds = 100;

        @Override
        public Integer call() throws IOException, InterruptedException {
            try (SwitchSite site = new SwitchSite(root, protocol, 1)) {
                new SwitchAlarms(site).measure(rounds);
            }
            return 0;
        }
    }

    private void measure(int rounds) throws InterruptedException {
        Iterator<WatchResponse> stream =
                TelemetryServiceGrpc.newBlockingStub(site.channel()).watch(WatchRequest.getDefaultInstance());
        Thread.ofPlatform().daemon().start(() -> hear(stream));
        ManagedChannel emulated = Grpc.newChannelBuilder(
                        "127.0.0.1:" + site.emulatorPort(), InsecureChannelCredentials.create())
                .build();
        ChaosServiceBlockingStub chaos = ChaosServiceGrpc.newBlockingStub(emulated);
        Samples told = new Samples();
        for (int round = -WARM_UP; round < rounds; round++) {
            long began = System.nanoTime();
            var unusedFault = chaos.injectFault(fault());
            long took = await(true) - began;
            if (round >= 0) {
                told.addNanos(took);
            }
            Patience.sleepMillis(SETTLED_MILLIS);
            var unusedEnd = chaos.clearFaults(ClearFaultsRequest.newBuilder()
                    .setDeviceId(SwitchSite.FIRST)
                    .build());
            var unusedNanos = await(false);
            Patience.sleepMillis(SETTLED_MILLIS);
        }
        emulated.shutdownNow();
        System.out.println("  from a fault to its alarm at a client of the driver " + told);
    }

    private void hear(Iterator<WatchResponse> stream) {
        try {
            stream.forEachRemaining(this::take);
        } catch (StatusRuntimeException over) {
            // the site is closed
        }
    }

    private void take(WatchResponse message) {
        long now = System.nanoTime();
        if (site.protocol() != SwitchSite.Protocol.OPENFLOW && message.hasAlarmChanged()) {
            heard.add(new Heard(message.getAlarmChanged().getRaised(), now));
        } else if (site.protocol() == SwitchSite.Protocol.OPENFLOW && message.hasPortsChanged()) {
            message.getPortsChanged().getPortsList().stream()
                    .filter(port -> port.getPort().equals("1"))
                    .forEach(port ->
                            heard.add(new Heard(port.getLockState() == LockState.LOCK_STATE_LOSS_OF_SIGNAL, now)));
        }
    }

    private InjectFaultRequest fault() {
        InjectFaultRequest.Builder fault =
                InjectFaultRequest.newBuilder().setDeviceId(SwitchSite.FIRST).setPort("1");
        return site.protocol() == SwitchSite.Protocol.GNMI
                ? fault.setKind(FaultKind.FAULT_KIND_PORT_FAILED).build()
                : fault.setKind(FaultKind.FAULT_KIND_DIRTY_CONNECTOR)
                        .setValue(LOST_DB)
                        .build();
    }

    private long await(boolean stands) throws InterruptedException {
        while (true) {
            Heard next = heard.poll(60, TimeUnit.SECONDS);
            if (next == null) {
                throw new IllegalStateException("no alarm within 60 s");
            }
            if (next.stands() == stands) {
                return next.nanos();
            }
        }
    }
}
