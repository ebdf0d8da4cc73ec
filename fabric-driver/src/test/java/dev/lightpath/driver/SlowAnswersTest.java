package dev.lightpath.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.TelemetryServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.WatchRequest;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import io.grpc.ManagedChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A switch that needs its time for each answer, whatever it speaks, is waited for, and nothing is done twice. */
final class SlowAnswersTest extends ManagedTrial {
    private static final int SIDE = 8;
    /** The change, and reading it back. */
    private static final Duration TWO_ANSWERS = Duration.ofMillis(300);

    /** What the switch speaks. */
    enum Tongue {
        NETCONF(List.of("1->9", "2->10")) {
            @Override
            ManagedPlant plant(Path directory) throws Exception {
                return new NetconfPlant(
                        directory, "ports: " + 2 * SIDE, "base: \"1.1\", datastore: candidate, quirks: [slow-answers]");
            }
        },
        TL1(List.of("1->9", "2->10")) {
            @Override
            ManagedPlant plant(Path directory) throws Exception {
                return new Tl1Plant(directory, "ports: " + 2 * SIDE, "slow-answers");
            }
        },
        CALIENT(List.of("1.1.1->1.1.2", "1.1.2->1.1.3")) {
            @Override
            ManagedPlant plant(Path directory) throws Exception {
                return new CalientPlant(directory, SIDE, "slow-answers");
            }
        },
        GNMI(List.of("1A->1B", "2A->2B")) {
            @Override
            ManagedPlant plant(Path directory) throws Exception {
                return new GnmiPlant(directory, SIDE, "slow-answers");
            }
        },
        OPENFLOW(List.of("1->9", "2->10")) {
            @Override
            ManagedPlant plant(Path directory) throws Exception {
                return OpenFlowPlant.of(directory, SIDE, "1.4", "slow-answers");
            }
        };

        private final List<String> circuits;

        Tongue(List<String> circuits) {
            this.circuits = circuits;
        }

        abstract ManagedPlant plant(Path directory) throws Exception;
    }

    @ParameterizedTest
    @EnumSource
    void aSlowSwitchIsWaitedFor(Tongue tongue) throws Exception {
        ManagedPlant plant = tongue.plant(directory);
        open.add(plant);
        ManagedChannel driver = driver(plant.adapter());
        awaitPresent(driver);
        var request = request("slow");
        tongue.circuits.forEach(each -> request.addConnects(Requests.key(each)));
        try (Watching watching =
                Watching.start(TelemetryServiceGrpc.newStub(driver), WatchRequest.getDefaultInstance())) {
            watching.await(WatchResponse.EventCase.SYNCED);
            long began = System.nanoTime();
            assertThat(apply(driver, request.build()).getOutcome()).isEqualTo(Outcome.OUTCOME_APPLIED);
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(TWO_ANSWERS);
            assertThat(plant.truth()).isEqualTo(tongue.circuits);
            assertThat(plant.moves()).isEqualTo(tongue.circuits.size());
            // of this driver alone: the log is that of other tests as well
            assertThat(watching.messages()).noneMatch(WatchResponse::hasAvailabilityChanged);
        }
    }
}
