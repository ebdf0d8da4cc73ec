package dev.lightpath.sim.wire;

import dev.lightpath.sim.core.Hardware;
import dev.lightpath.sim.core.fault.Fault;
import dev.lightpath.sim.core.fault.FaultKind;
import dev.lightpath.sim.core.plant.Plant;
import dev.lightpath.sim.loop.HardwareLoop;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings calls onto the loop and applies the call faults to them. */
final class Calls {
    private static final Logger LOG = LoggerFactory.getLogger(Calls.class);

    private final Hardware hardware;
    private final HardwareLoop loop;
    private final ScheduledExecutorService delays;

    Calls(Hardware hardware, HardwareLoop loop, ScheduledExecutorService delays) {
        this.hardware = hardware;
        this.loop = loop;
        this.delays = delays;
    }

    /** Answers a call once. */
    interface Reply<R> extends Consumer<R> {
        /** Fails the call. */
        void fail(Status status);
    }

    /**
     * A call of the native plane to one device that must answer.
     *
     * @param body carried out on the loop with the device's number
     */
    <R> void toDevice(String deviceId, StreamObserver<R> out, DeviceCall<R> body) {
        onLoop(out, reply -> {
            int device = hardware.plant().findDevice(deviceId);
            if (device < 0) {
                reply.fail(Status.NOT_FOUND.withDescription("unknown device '" + deviceId + "'"));
                return;
            }
            meddled(device, reply, passed -> {
                if (hardware.reachable(device)) {
                    body.answer(device, passed);
                } else {
                    passed.fail(Status.UNAVAILABLE.withDescription("device " + deviceId + " does not answer"));
                }
            });
        });
    }

    /** A call of the native plane to no device in particular. */
    <R> void toAll(StreamObserver<R> out, Consumer<Reply<R>> body) {
        onLoop(out, reply -> meddled(-1, reply, body));
    }

    /** A call that no fault touches. */
    <R> void untouched(StreamObserver<R> out, Consumer<Reply<R>> body) {
        onLoop(out, body);
    }

    /** Whether a fault of calls is active for a device or for all. */
    boolean faulty(int device, FaultKind kind) {
        return hardware.callFault(device, kind) != null;
    }

    /** The fault that makes calls to a device wait comes first, then those that change their fate. */
    private <R> void meddled(int device, Reply<R> reply, Consumer<Reply<R>> body) {
        Fault delay = hardware.callFault(device, FaultKind.CALL_DELAY);
        if (delay == null) {
            fated(device, reply, body);
        } else {
            delays.schedule(
                    () -> loop.execute(() -> carriedOut(reply, () -> fated(device, reply, body))),
                    (long) delay.value(),
                    TimeUnit.MILLISECONDS);
        }
    }

    private <R> void fated(int device, Reply<R> reply, Consumer<Reply<R>> body) {
        if (faulty(device, FaultKind.CALL_REFUSED)) {
            reply.fail(Status.UNAVAILABLE.withDescription("refused by a fault"));
        } else if (faulty(device, FaultKind.CALL_DROP)) {
            body.accept(new Unheard<>());
        } else if (!faulty(device, FaultKind.CALL_HALF_OPEN)) {
            body.accept(reply);
        }
    }

    private <R> void onLoop(StreamObserver<R> out, Consumer<Reply<R>> body) {
        if (out instanceof ServerCallStreamObserver<R> call) {
            call.setOnCancelHandler(() -> {});
        }
        Reply<R> reply = new Heard<>(out);
        loop.execute(() -> carriedOut(reply, () -> body.accept(reply)));
    }

    private static void carriedOut(Reply<?> reply, Runnable call) {
        try {
            call.run();
        } catch (IllegalArgumentException e) {
            reply.fail(Status.INVALID_ARGUMENT.withDescription(e.getMessage()));
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).log("a call failed");
            reply.fail(Status.INTERNAL.withDescription(e.toString()));
        }
    }

    /**
     * Pages through devices in the order of their names.
     *
     * @param size requested page size, 0 for the default
     * @return first device of the page after this one, or the number of devices when this is the last
     */
    static int page(Plant plant, String token, int size, int usual, int most, ToIntFunction<Integer> each) {
        int device = token.isEmpty() ? 0 : plant.deviceAfter(token);
        int left = size <= 0 ? usual : Math.min(size, most);
        while (device < plant.deviceCount() && left > 0) {
            left -= each.applyAsInt(device);
            device++;
        }
        return device;
    }

    /** The body of a call to one device. */
    @FunctionalInterface
    interface DeviceCall<R> {
        /** Carries out the call and replies now or later, on the loop. */
        void answer(int device, Reply<R> reply);
    }

    private record Heard<R>(StreamObserver<R> out) implements Reply<R> {
        @Override
        public void accept(R answer) {
            out.onNext(answer);
            out.onCompleted();
        }

        @Override
        public void fail(Status status) {
            out.onError(new StatusException(status));
        }
    }

    private record Unheard<R>() implements Reply<R> {
        @Override
        public void accept(R answer) {}

        @Override
        public void fail(Status status) {}
    }
}
