package dev.lightpath.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.driver.config.AdapterConfig.Tl1Dialect;
import dev.lightpath.proto.driver.v1alpha1.CircuitServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.CircuitState;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.emulator.v1alpha1.FaultKind;
import dev.lightpath.proto.emulator.v1alpha1.InjectFaultRequest;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Devices that lie, by each protocol. The conformance kit asks the driver alone, and to it a device that lies well
 * looks like an honest one: what is judged here needs the light as well.
 */
final class ManagedLiesTest extends ManagedTrial {
    /** By which protocol a switch is managed, and a circuit by the names of that. */
    enum Protocol {
        CANDIDATE("1->9"),
        RUNNING("1->9"),
        POLATIS("1->9"),
        CALIENT("1.1.1->1.1.2"),
        GNMI("1A->2B"),
        OPENFLOW("1->9");

        private final String circuit;

        Protocol(String circuit) {
            this.circuit = circuit;
        }

        ManagedPlant plant(Path directory) throws Exception {
            return switch (this) {
                case CANDIDATE -> new NetconfPlant(directory, "ports: 16", "datastore: candidate");
                case RUNNING -> new NetconfPlant(directory, "ports: 16", "datastore: running, notifications: false");
                case POLATIS -> new Tl1Plant(directory, "ports: 16", Tl1Dialect.POLATIS, "");
                case CALIENT -> new CalientPlant(directory, 16, "");
                case GNMI -> new GnmiPlant(directory, 8, "");
                case OPENFLOW -> OpenFlowPlant.of(directory, 8, "1.4", "");
            };
        }
    }

    /**
     * Whatever the device says: what counts as made is what it shows, no mirror is moved twice, and when it tells the
     * truth again the driver does too.
     */
    @ParameterizedTest
    @CsvSource({
        "CANDIDATE, LIE_OK_BEFORE_TUNED, 1",
        "CANDIDATE, LIE_CONFIG_ECHO, 1",
        "CANDIDATE, LIE_STALE_CACHE, 1",
        "CANDIDATE, LIE_FALSE_OK, 0",
        "RUNNING, LIE_OK_BEFORE_TUNED, 1",
        "RUNNING, LIE_CONFIG_ECHO, 1",
        "RUNNING, LIE_STALE_CACHE, 1",
        "RUNNING, LIE_FALSE_OK, 0",
        "POLATIS, LIE_OK_BEFORE_TUNED, 1",
        "POLATIS, LIE_CONFIG_ECHO, 1",
        "POLATIS, LIE_STALE_CACHE, 1",
        "POLATIS, LIE_FALSE_OK, 0",
        "CALIENT, LIE_OK_BEFORE_TUNED, 1",
        "CALIENT, LIE_CONFIG_ECHO, 1",
        "CALIENT, LIE_STALE_CACHE, 1",
        "CALIENT, LIE_FALSE_OK, 0",
        "GNMI, LIE_OK_BEFORE_TUNED, 1",
        "GNMI, LIE_CONFIG_ECHO, 1",
        "GNMI, LIE_STALE_CACHE, 1",
        "GNMI, LIE_FALSE_OK, 0",
        "OPENFLOW, LIE_OK_BEFORE_TUNED, 1",
        "OPENFLOW, LIE_CONFIG_ECHO, 1",
        "OPENFLOW, LIE_STALE_CACHE, 1",
        "OPENFLOW, LIE_FALSE_OK, 0"
    })
    void whatALiarShowsIsToldAndMadeOnce(Protocol protocol, String lie, int moves) throws Exception {
        ManagedPlant plant = protocol.plant(directory);
        open.add(plant);
        ManagedChannel driver = driver(plant.adapter());
        awaitPresent(driver);
        plant.inject(InjectFaultRequest.newBuilder().setKind(FaultKind.valueOf("FAULT_KIND_" + lie)));
        Operation first = apply(
                driver,
                request("first").addConnects(Requests.key(protocol.circuit)).build());
        boolean shown = isShownMade(driver);
        assertThat(first.getOutcome() == Outcome.OUTCOME_APPLIED)
                .as(first.getOutcome() + " of a circuit that is shown as made: " + shown)
                .isEqualTo(shown);
        again(driver, protocol.circuit);
        plant.clearFaults();
        List<String> light = moves == 0 ? List.of() : List.of(protocol.circuit);
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(plant::truth, light::equals);
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> circuits(driver), light::equals);
        assertThat(plant.moves()).as("moves of mirrors").isEqualTo(moves);
    }

    private static boolean isShownMade(ManagedChannel driver) {
        return CircuitServiceGrpc.newBlockingStub(driver)
                .withDeadlineAfter(30, TimeUnit.SECONDS)
                .getCircuits(GetCircuitsRequest.getDefaultInstance())
                .getDevices(0)
                .getCircuitsList()
                .stream()
                .anyMatch(circuit -> circuit.getState() == CircuitState.CIRCUIT_STATE_CONNECTED);
    }

    /** Somebody who does not believe it asks once more. */
    private static void again(ManagedChannel driver, String circuit) {
        try {
            var unused = CircuitServiceGrpc.newBlockingStub(driver)
                    .withDeadlineAfter(60, TimeUnit.SECONDS)
                    .applyCircuits(
                            request("again").addConnects(Requests.key(circuit)).build());
        } catch (StatusRuntimeException refused) {
            assertThat(refused).as("a refusal says why").hasMessageContaining(":");
        }
    }
}
