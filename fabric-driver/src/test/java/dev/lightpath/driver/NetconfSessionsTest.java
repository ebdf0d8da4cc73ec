package dev.lightpath.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.Availability;
import dev.lightpath.proto.driver.v1alpha1.CircuitServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.Device;
import dev.lightpath.proto.driver.v1alpha1.IdentityServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.ProbeRequest;
import io.grpc.ManagedChannel;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A NETCONF switch takes its time for one thing, and is asked for another meanwhile. */
final class NetconfSessionsTest extends ManagedTrial {
    /** Part of the message that is answered late. */
    private volatile String slow = "nothing yet";

    private final CountDownLatch held = new CountDownLatch(1);
    private final CountDownLatch answered = new CountDownLatch(1);

    private ManagedChannel driver() throws Exception {
        ScriptedNetconf device = new ScriptedNetconf(List.of(), this::answer);
        open.add(device);
        ManagedChannel driver = driver(device.adapter(directory));
        awaitPresent(driver);
        return driver;
    }

    private String answer(String id, String asked) {
        if (asked.contains(slow)) {
            held.countDown();
            try {
                answered.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        return "<rpc-reply message-id=\"" + id + "\"><data/></rpc-reply>";
    }

    /** Reads the circuits of the device. */
    private static void probe(ManagedChannel driver) {
        assertThat(IdentityServiceGrpc.newBlockingStub(driver)
                        .withDeadlineAfter(30, TimeUnit.SECONDS)
                        .probe(ProbeRequest.newBuilder()
                                .setDeviceId(ManagedPlant.DEVICE)
                                .build())
                        .getDetail())
                .as("why it did not answer")
                .isEmpty();
    }

    @Test
    void circuitsAreReadBesideAReadingOfAllPorts() throws Exception {
        ManagedChannel driver = driver();
        slow = "<port-config";
        try {
            held.await();
            probe(driver);
            assertThat(devices(driver))
                    .extracting(Device::getAvailability)
                    .containsExactly(Availability.AVAILABILITY_PRESENT);
        } finally {
            answered.countDown();
        }
    }

    @Test
    void circuitsAreReadBesideAChange() throws Exception {
        ManagedChannel driver = driver();
        slow = "<commit";
        try {
            ApplyCircuitsRequest change =
                    request("slow").addConnects(Requests.key("1->9")).build();
            Future<ApplyCircuitsResponse> changing =
                    CircuitServiceGrpc.newFutureStub(driver).applyCircuits(change);
            held.await();
            probe(driver);
            assertThat(changing).isNotDone();
        } finally {
            answered.countDown();
        }
    }
}
