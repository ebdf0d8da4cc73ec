package dev.lightpath.driver;

import dev.lightpath.driver.config.AdapterConfig;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.TelemetryServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.WatchRequest;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse.EventCase;
import io.grpc.ManagedChannel;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** News by ON_CHANGE of a server that nobody here wrote. It would be asked for them much later than any test waits. */
final class GnmiTargetStreamTest extends ManagedTrial {
    private static final Duration SELDOM = Duration.ofMinutes(10);
    private static final CircuitKey CIRCUIT = Requests.key("3A->5B");

    @Test
    void whatAnotherClientDoesIsHeard() throws Exception {
        GnmiTarget server = new GnmiTarget(true);
        open.add(server);
        ManagedChannel driver =
                driver(new AdapterConfig.GnmiSonicOcs(Optional.empty(), List.of(server.device(SELDOM))));
        awaitPresent(driver);
        try (Watching watching =
                Watching.start(TelemetryServiceGrpc.newStub(driver), WatchRequest.getDefaultInstance())) {
            watching.await(EventCase.SYNCED);
            server.setTable("3A", "5B");
            watching.await(
                    message -> message.getForeignChange().getAppearedList().contains(CIRCUIT));
            server.setTable("4A", "6B");
            watching.await(
                    message -> message.getForeignChange().getVanishedList().contains(CIRCUIT));
        }
    }
}
