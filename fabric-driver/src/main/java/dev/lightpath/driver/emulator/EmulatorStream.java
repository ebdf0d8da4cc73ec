package dev.lightpath.driver.emulator;

import dev.lightpath.driver.adapter.AdapterListener;
import dev.lightpath.driver.stream.ReopenedStream;
import dev.lightpath.proto.driver.v1alpha1.Environment;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import dev.lightpath.proto.emulator.v1alpha1.DeviceEvent;
import dev.lightpath.proto.emulator.v1alpha1.DeviceServiceGrpc;
import dev.lightpath.proto.emulator.v1alpha1.DeviceSnapshot;
import dev.lightpath.proto.emulator.v1alpha1.GetDeviceResponse;
import dev.lightpath.proto.emulator.v1alpha1.WatchRequest;
import dev.lightpath.proto.emulator.v1alpha1.WatchResponse;
import io.grpc.ManagedChannel;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * What the one stream to an emulator says.
 *
 * <p>The stream says whether devices answer and what they do. Each device must be asked for its description, which may
 * take long, so the stream's thread waits for no device. The listener is called only under this object's monitor, by
 * these rules:
 *
 * <ul>
 * <li>A description says what a device is, never whether it answers or what it does. When it arrives, the device is
 *     reported present only if the stream last said that it answers, and with what the stream said until then.
 * <li>A description counts if its nameplate is the last one on the stream. Otherwise the device was replaced, is gone,
 *     or the description is newer than the stream. Such a description is dropped and requested again.
 * <li>A device whose description is not current is not reported present. Only its silence is reported. Everything else
 *     that the stream says of it is kept until then.
 * <li>A device that does not send its description is reported silent once, and is asked again.
 * </ul>
 */
final class EmulatorStream implements ReopenedStream.Reader<WatchResponse>, AutoCloseable {
    private final ManagedChannel channel;
    private final AdapterListener listener;
    private final Map<String, EmulatedDevice> devices = new HashMap<>();
    private final Set<String> seenSinceOpened = new HashSet<>();
    private final Enquiries enquiries;
    /** Devices whose description was requested. */
    private final Set<EmulatedDevice> asked = new HashSet<>();
    /** Devices reported silent because they did not send their description. */
    private final Set<EmulatedDevice> unanswering = new HashSet<>();
    /** Devices whose presence or silence was not reported to the listener yet. */
    private final Set<String> untold = new HashSet<>();

    private final ReopenedStream<WatchResponse> stream;
    private final CompletableFuture<Set<String>> firstSync = new CompletableFuture<>();
    private volatile boolean closed;
    private boolean listed;
    /** Run of the emulator's process; empty before the first message. */
    private String run = "";

    EmulatorStream(ManagedChannel channel, AdapterListener listener) {
        this.channel = channel;
        this.enquiries = new Enquiries(channel);
        this.listener = listener;
        this.stream = new ReopenedStream<>("emulator-stream", "the emulator", this);
    }

    CompletableFuture<Set<String>> start() {
        stream.start();
        return firstSync;
    }

    @Override
    public Iterator<WatchResponse> open() {
        opened();
        return DeviceServiceGrpc.newBlockingStub(channel)
                .watch(WatchRequest.newBuilder()
                        .setHeartbeatInterval(ReopenedStream.HEARTBEAT)
                        .build());
    }

    private synchronized void opened() {
        seenSinceOpened.clear();
    }

    @Override
    public synchronized void take(WatchResponse message) {
        if (!run.isEmpty() && !run.equals(message.getEmulatorBootId())) {
            devices.values().forEach(EmulatedDevice::beganAnew);
        }
        run = message.getEmulatorBootId();
        switch (message.getMessageCase()) {
            case SNAPSHOT -> snapshot(message.getSnapshot());
            case SYNCED -> synced();
            case EVENT -> event(message.getEvent());
            case HEARTBEAT, MESSAGE_NOT_SET -> {}
        }
    }

    private void snapshot(DeviceSnapshot snapshot) {
        String id = snapshot.getDevice().getDeviceId();
        seenSinceOpened.add(id);
        EmulatedDevice device = devices.computeIfAbsent(id, unused -> {
            untold.add(id);
            return new EmulatedDevice();
        });
        if (!snapshot.getDevice().getReachable()) {
            silent(id, device, "its management does not answer");
            return;
        }
        device.take(snapshot);
        if (device.isDescribed()) {
            present(id, device);
        } else {
            ask(id, device);
        }
    }

    /** Asks again those that answered the stream and not the question what they are. */
    @Override
    public synchronized void beat() {
        devices.forEach((id, device) -> {
            if (device.isAnswering() && !device.isDescribed()) {
                ask(id, device);
            }
        });
    }

    /** Has a device described again, within a heartbeat. */
    synchronized void again(String deviceId) {
        EmulatedDevice device = devices.get(deviceId);
        if (device != null) {
            device.forgetDescription();
        }
    }

    private void ask(String id, EmulatedDevice device) {
        if (!closed && asked.add(device)) {
            enquiries.ask(id, new Enquiries.Asker() {
                @Override
                public void answered(GetDeviceResponse answer) {
                    described(id, device, answer);
                }

                @Override
                public void unanswered(String why) {
                    undescribed(id, device, why);
                }
            });
        }
    }

    private synchronized void described(String id, EmulatedDevice device, GetDeviceResponse answer) {
        asked.remove(device);
        if (closed || devices.get(id) != device || !device.isOf(answer.getDevice())) {
            return;
        }
        listener.described(Translation.description(answer));
        device.described(answer.getDevice());
        if (device.isAnswering()) {
            present(id, device);
        }
    }

    private synchronized void undescribed(String id, EmulatedDevice device, String why) {
        asked.remove(device);
        boolean matters = !closed && devices.get(id) == device && device.isAnswering() && !device.isDescribed();
        if (matters && unanswering.add(device)) {
            listener.silent(id, why);
            told(id);
        }
    }

    private void present(String id, EmulatedDevice device) {
        if (device.tellPowerLoss()) {
            listener.powerCycled(id);
        }
        listener.present(id, device.reading());
        unanswering.remove(device);
        told(id);
    }

    private void silent(String id, EmulatedDevice device, String why) {
        device.fallSilent();
        listener.silent(id, why);
        told(id);
    }

    private void told(String id) {
        untold.remove(id);
        completeFirst();
    }

    /** Only the first time does it go through the devices: all of them are told of when a stream is lost. */
    private void completeFirst() {
        if (listed && untold.isEmpty() && !firstSync.isDone()) {
            firstSync.complete(Set.copyOf(devices.keySet()));
        }
    }

    private void synced() {
        stream.settled();
        Set<String> gone = new HashSet<>(devices.keySet());
        gone.removeAll(seenSinceOpened);
        listed = true;
        gone.forEach(id -> {
            listener.removed(id);
            unanswering.remove(devices.remove(id));
            untold.remove(id);
        });
        completeFirst();
    }

    private void event(DeviceEvent event) {
        String id = event.getDeviceId();
        EmulatedDevice device = devices.get(id);
        if (device == null || !device.isNews(event)) {
            return;
        }
        boolean tell = device.isDescribed() && device.isAnswering();
        switch (event.getEventCase()) {
            case CONNECTION -> {
                device.connection(event.getConnection());
                if (tell) {
                    listener.circuits(id, device.circuits());
                }
            }
            case PORT -> {
                PortStatus port = Translation.port(event.getPort());
                device.port(port);
                if (tell) {
                    listener.ports(id, List.of(port));
                }
            }
            case ALARM_RAISED -> {
                device.raised(event.getAlarmRaised());
                if (tell) {
                    listener.alarms(id, device.alarms());
                }
            }
            case ALARM_CLEARED -> {
                device.cleared(event.getAlarmCleared());
                if (tell) {
                    listener.alarms(id, device.alarms());
                }
            }
            case SILENT -> silent(id, device, "its management fell silent");
            case ENVIRONMENT -> {
                Environment environment = Environment.newBuilder()
                        .setTemperatureCelsius(event.getEnvironment().getTemperatureCelsius())
                        .setPowerWatts(event.getEnvironment().getPowerWatts())
                        .build();
                device.environment(environment);
                if (tell) {
                    listener.environment(id, environment);
                }
            }
            case EVENT_NOT_SET -> {}
        }
    }

    @Override
    public synchronized void lost(String why) {
        if (!closed) {
            devices.forEach((id, device) -> silent(id, device, "no connection to the emulator: " + why));
        }
    }

    @Override
    public void close() {
        closed = true;
        stream.close();
    }
}
