package dev.lightpath.driver;

import dev.lightpath.driver.config.AdapterConfig;
import dev.lightpath.proto.driver.v1alpha1.ForeignChange;
import dev.lightpath.proto.driver.v1alpha1.TelemetryServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.WatchRequest;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse.EventCase;
import io.grpc.ManagedChannel;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** News by the stream of a server that nobody here wrote. It would be asked for them much later than any test waits. */
final class NetconfdStreamTest extends ManagedTrial {
    private static final Duration SELDOM = Duration.ofMinutes(10);

    private static String circuits(String attributes) {
        return "<cross-connects xmlns=\"http://www.polatis.com/yang/optical-switch\"><pair" + attributes
                + "><ingress>5</ingress><egress>13</egress></pair></cross-connects>";
    }

    @Test
    void whatAnotherClientDoesIsHeardAndNamed() throws Exception {
        Netconfd server = new Netconfd(directory);
        open.add(server);
        Ncclient other = new Ncclient(server.port(), "lab");
        open.add(other);
        ManagedChannel driver = driver(new AdapterConfig.NetconfPolatis(List.of(server.device(server.port(), SELDOM))));
        awaitPresent(driver);
        try (Watching watching =
                Watching.start(TelemetryServiceGrpc.newStub(driver), WatchRequest.getDefaultInstance())) {
            watching.await(EventCase.SYNCED);
            other.edit(circuits(""));
            watching.await(message -> isNamed(message.getForeignChange())
                    && message.getForeignChange().getAppearedList().stream()
                            .anyMatch(circuit -> Requests.text(circuit).equals("5->13")));
            other.edit(circuits(" xmlns:nc=\"urn:ietf:params:xml:ns:netconf:base:1.0\" nc:operation=\"remove\""));
            watching.await(message -> isNamed(message.getForeignChange())
                    && message.getForeignChange().getVanishedList().stream()
                            .anyMatch(circuit -> Requests.text(circuit).equals("5->13")));
        }
    }

    private static boolean isNamed(ForeignChange change) {
        return change.getChangedByList().stream().anyMatch(who -> who.startsWith("user 'lab'"));
    }
}
