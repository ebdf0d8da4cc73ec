package dev.lightpath.driver.emulator;

import dev.lightpath.proto.emulator.v1alpha1.DeviceServiceGrpc;
import dev.lightpath.proto.emulator.v1alpha1.GetDeviceRequest;
import dev.lightpath.proto.emulator.v1alpha1.GetDeviceResponse;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks devices for their descriptions, many at the same time, so that a slow one delays no other. If all places are
 * taken, the first to come is asked first.
 */
final class Enquiries {
    private static final Logger LOG = LoggerFactory.getLogger(Enquiries.class);
    private static final int AT_ONCE = 128;
    private static final long PATIENCE_SECONDS = 3;

    /** The caller; gets one answer, on another thread. */
    interface Asker {
        void answered(GetDeviceResponse answer);

        void unanswered(String why);
    }

    private final ManagedChannel channel;
    private final Semaphore places = new Semaphore(AT_ONCE, true);

    Enquiries(ManagedChannel channel) {
        this.channel = channel;
    }

    /** Returns at once. */
    void ask(String id, Asker asker) {
        Thread.ofVirtual().name("emulator-enquiry").start(() -> {
            try {
                asker.answered(call(id));
            } catch (StatusRuntimeException silent) {
                asker.unanswered(
                        silent.getStatus().getCode() + ": " + silent.getStatus().getDescription());
            } catch (RuntimeException bug) {
                LOG.atError().setCause(bug).addKeyValue("device", id).log("what the device is is not understood");
                asker.unanswered(String.valueOf(bug));
            }
        });
    }

    private GetDeviceResponse call(String id) {
        places.acquireUninterruptibly();
        try {
            return DeviceServiceGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(PATIENCE_SECONDS, TimeUnit.SECONDS)
                    .getDevice(GetDeviceRequest.newBuilder().setDeviceId(id).build());
        } finally {
            places.release();
        }
    }
}
