package dev.lightpath.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.driver.config.AdapterConfig;
import dev.lightpath.driver.config.DriverConfig;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.CircuitServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import io.grpc.ManagedChannel;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The gNMI adapter before a server of others, onosproject/gnxi-simulators.
 *
 * <p>What it proves: paths, keys, JSON and Sets are such that a server which nobody here wrote, with a schema that ygot
 * generated, takes them, validates them and shows them; and the adapter gets on with a server that has names without
 * modules, no states, and streams that tell nothing. GnmiTargetStreamTest has it tell.
 *
 * <p>What it does not prove: SONiC's own way to write paths and values, sonic-ocs-states with its {@code tuning} and
 * {@code tuned}, master arbitration, TLS and users. Those are judged before the emulator alone, which was written here.
 */
@Order(1)
final class GnmiTargetConformanceTest extends ServerConformance {
    private GnmiTarget device;

    @BeforeEach
    void start() throws Exception {
        device = open(new GnmiTarget());
    }

    private AdapterConfig adapter() {
        return new AdapterConfig.GnmiSonicOcs(Optional.empty(), List.of(device.device()));
    }

    private JudgedDriver judged() throws Exception {
        return judged(adapter(), "gnxi", device, device::light);
    }

    @TestFactory
    Stream<DynamicTest> conforms() throws Exception {
        return judged().meetsAllBut(with(BEYOND_TWO_SIDES, "scope/names"));
    }

    @Test
    void missesTheCircuitsOfAServerThatWasKilled() throws Exception {
        judged().missesWhatWentWith(device::restart);
    }

    @Test
    void manyCircuitsAreThereWhenTheServerItselfIsAsked() throws Exception {
        try (DriverServer driver =
                DriverServer.start(DriverConfig.onLoopback(directory.resolve("state"), List.of(adapter())))) {
            ManagedChannel channel = EmulatedPlant.channel(driver.port());
            ManagedTrial.awaitPresent(channel);
            ApplyCircuitsRequest.Builder many = Requests.apply("gnxi", "r", 1, "many");
            for (int port = 1; port <= 16; port++) {
                many.addConnects(Requests.key(port + "A->" + (17 - port) + "B"));
            }
            assertThat(CircuitServiceGrpc.newBlockingStub(channel)
                            .withDeadlineAfter(30, TimeUnit.SECONDS)
                            .applyCircuits(many.build())
                            .getOperation()
                            .getOutcome())
                    .isEqualTo(Outcome.OUTCOME_APPLIED);
            assertThat(device.light()).hasSize(16).contains("1A->16B", "16A->1B");
            channel.shutdownNow();
        }
    }
}
