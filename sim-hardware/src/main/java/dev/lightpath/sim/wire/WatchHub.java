package dev.lightpath.sim.wire;

import dev.lightpath.proto.emulator.v1alpha1.DeviceEvent;
import dev.lightpath.proto.emulator.v1alpha1.Environment;
import dev.lightpath.proto.emulator.v1alpha1.Silent;
import dev.lightpath.proto.emulator.v1alpha1.WatchRequest;
import dev.lightpath.proto.emulator.v1alpha1.WatchResponse;
import dev.lightpath.sim.core.Hardware;
import dev.lightpath.sim.core.HardwareListener;
import dev.lightpath.sim.core.Report.AlarmView;
import dev.lightpath.sim.core.Report.ConnectionView;
import dev.lightpath.sim.core.Report.PortView;
import dev.lightpath.sim.core.fault.FaultKind;
import dev.lightpath.sim.loop.HardwareLoop;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;

/** All watching streams. Everything but {@link #watch} happens on the loop. */
final class WatchHub implements HardwareListener {
    private static final long USUAL_HEARTBEAT_NANOS = 5_000_000_000L;
    private static final long LEAST_HEARTBEAT_NANOS = 100_000_000L;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final Hardware hardware;
    private final HardwareLoop loop;
    private final Codec codec;
    private final Calls calls;
    private final String bootId;
    private final List<Watcher> watchers = new ArrayList<>();
    private boolean drainDue;

    WatchHub(Hardware hardware, HardwareLoop loop, Codec codec, Calls calls, String bootId) {
        this.hardware = hardware;
        this.loop = loop;
        this.codec = codec;
        this.calls = calls;
        this.bootId = bootId;
    }

    void watch(WatchRequest request, StreamObserver<WatchResponse> out) {
        ServerCallStreamObserver<WatchResponse> call = (ServerCallStreamObserver<WatchResponse>) out;
        BitSet devices = new BitSet();
        for (String id : request.getDeviceIdsList()) {
            int device = hardware.plant().findDevice(id);
            if (device < 0) {
                out.onError(new StatusException(Status.NOT_FOUND.withDescription("unknown device '" + id + "'")));
                return;
            }
            devices.set(device);
        }
        boolean named = !devices.isEmpty();
        if (!named) {
            devices.set(0, hardware.plant().deviceCount());
        }
        long heartbeat = USUAL_HEARTBEAT_NANOS;
        if (request.hasHeartbeatInterval()) {
            long asked = request.getHeartbeatInterval().getSeconds() * NANOS_PER_SECOND
                    + request.getHeartbeatInterval().getNanos();
            heartbeat = Math.max(LEAST_HEARTBEAT_NANOS, asked);
        }
        Watcher watcher = new Watcher(call, devices, named, heartbeat, bootId, codec, calls);
        call.setOnReadyHandler(() -> loop.execute(() -> drain(watcher)));
        call.setOnCancelHandler(() -> loop.execute(() -> watchers.remove(watcher)));
        loop.execute(() -> {
            if (calls.faulty(-1, FaultKind.CALL_REFUSED) || calls.faulty(-1, FaultKind.CALL_DROP)) {
                watcher.end(Status.UNAVAILABLE.withDescription("refused by a fault"));
            } else {
                watchers.add(watcher);
                drain(watcher);
            }
        });
    }

    /** Called ten times a second. */
    void tick() {
        watchers.removeIf(Watcher::ended);
        for (Watcher watcher : watchers) {
            drain(watcher);
            watcher.heartbeat(hardware.nowNanos());
        }
    }

    @Override
    public void dropped(int device) {
        for (Watcher watcher : watchers) {
            if (watcher.concerns(device)) {
                watcher.end(Status.UNAVAILABLE.withDescription("dropped by a fault"));
            }
        }
    }

    @Override
    public void connection(int device, long seq, ConnectionView view) {
        tell(device, seq, event -> event.setConnection(codec.connection(view)));
    }

    @Override
    public void port(int device, long seq, PortView view) {
        tell(device, seq, event -> event.setPort(codec.reading(view)));
    }

    @Override
    public void alarm(int device, long seq, AlarmView view, boolean raised) {
        tell(device, seq, event -> {
            if (raised) {
                event.setAlarmRaised(codec.alarm(view));
            } else {
                event.setAlarmCleared(codec.alarm(view));
            }
        });
    }

    @Override
    public void environment(int device, long seq, double celsius, double watts) {
        tell(
                device,
                seq,
                event -> event.setEnvironment(
                        Environment.newBuilder().setTemperatureCelsius(celsius).setPowerWatts(watts)));
    }

    @Override
    public void silent(int device, long seq) {
        tell(device, seq, event -> event.setSilent(Silent.getDefaultInstance()));
    }

    @Override
    public void answering(int device) {
        for (Watcher watcher : watchers) {
            if (watcher.watches(device)) {
                watcher.owe(device);
            }
        }
        drainSoon();
    }

    private void tell(int device, long seq, Consumer<DeviceEvent.Builder> content) {
        DeviceEvent event = null;
        for (Watcher watcher : watchers) {
            if (!watcher.watches(device)) {
                continue;
            }
            if (event == null) {
                DeviceEvent.Builder builder = DeviceEvent.newBuilder()
                        .setDeviceId(hardware.plant().device(device).id())
                        .setBootId(hardware.bootId(device))
                        .setSeq(seq)
                        .setAt(codec.at(hardware.nowNanos()));
                content.accept(builder);
                event = builder.build();
            }
            watcher.offer(device, event);
        }
        drainSoon();
    }

    /** Never at once: the hardware is in the middle of something. */
    private void drainSoon() {
        if (!drainDue && !watchers.isEmpty()) {
            drainDue = true;
            loop.execute(() -> {
                drainDue = false;
                watchers.forEach(this::drain);
            });
        }
    }

    private void drain(Watcher watcher) {
        if (watcher.drain()) {
            loop.execute(() -> drain(watcher));
        }
    }
}
