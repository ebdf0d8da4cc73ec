package dev.lightpath.sim.deviceapi;

import dev.lightpath.proto.device.v1alpha1.Alarms;
import dev.lightpath.proto.device.v1alpha1.Circuits;
import dev.lightpath.proto.device.v1alpha1.Description;
import dev.lightpath.proto.device.v1alpha1.Heartbeat;
import dev.lightpath.proto.device.v1alpha1.Ports;
import dev.lightpath.proto.device.v1alpha1.Silence;
import dev.lightpath.proto.device.v1alpha1.Synced;
import dev.lightpath.proto.device.v1alpha1.WatchResponse;
import dev.lightpath.sim.core.Report;
import dev.lightpath.sim.core.Report.PortView;
import dev.lightpath.sim.scenario.DeviceApiSpec.Quirk;
import io.grpc.stub.ServerCallStreamObserver;
import java.time.Duration;
import java.util.BitSet;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One stream. What changed is kept by device, and not as a queue of events: a driver that reads slowly hears of the
 * present state, later, and the program needs no more memory for it.
 */
final class DeviceStream {
    private final ServerCallStreamObserver<WatchResponse> out;
    private final Duration heartbeat;
    private final Offered offered;
    private final Translation translation;
    private final Map<Integer, News> devices = new TreeMap<>();
    private final BitSet dirty;
    private boolean synced;
    private boolean ended;
    private long lastSentNanos = System.nanoTime();

    DeviceStream(
            ServerCallStreamObserver<WatchResponse> out, Duration heartbeat, Offered offered, Translation translation) {
        this.out = out;
        this.heartbeat = heartbeat;
        this.offered = offered;
        this.translation = translation;
        dirty = offered.devices();
        dirty.stream().forEach(device -> devices.put(device, new News(device)));
    }

    /** What the stream has yet to say of a device. */
    final class News {
        private final int device;
        private @Nullable Description described;
        private boolean everything = true;
        private boolean circuits;
        private boolean alarms;
        private boolean environment;
        private final Map<Integer, PortView> ports = new TreeMap<>();

        private News(int device) {
            this.device = device;
        }

        void everything() {
            everything = true;
            dirty.set(device);
        }

        void circuits() {
            circuits = true;
            dirty.set(device);
        }

        void alarms() {
            alarms = true;
            dirty.set(device);
        }

        void environment() {
            environment = true;
            dirty.set(device);
        }

        void port(PortView view) {
            ports.put(view.port(), view);
            dirty.set(device);
        }
    }

    News newsOf(int device) {
        News news = devices.get(device);
        if (news == null) {
            throw new IllegalArgumentException("device " + device + " is not offered");
        }
        return news;
    }

    boolean ended() {
        return ended || out.isCancelled();
    }

    /** Sends what the reader has room for. */
    void drain() {
        while (!ended() && out.isReady()) {
            int device = dirty.nextSetBit(0);
            if (device >= 0) {
                dirty.clear(device);
                say(newsOf(device));
            } else if (!synced) {
                synced = true;
                send(WatchResponse.newBuilder().setSynced(Synced.getDefaultInstance()));
                if (offered.has(Quirk.SHORT_STREAMS)) {
                    ended = true;
                    out.onCompleted();
                }
            } else {
                return;
            }
        }
    }

    private void say(News news) {
        boolean answers = offered.hardware().reachable(news.device);
        if (news.everything) {
            Description description = translation.description(news.device);
            if (!description.equals(news.described)) {
                news.described = description;
                send(of(news.device).setDescription(description));
            }
            send(
                    answers
                            ? of(news.device).setReading(translation.reading(news.device))
                            : of(news.device)
                                    .setSilence(
                                            Silence.newBuilder().setDetail("the device does not answer its program")));
        } else if (answers) {
            sayChanges(news);
        }
        news.everything = false;
        news.circuits = false;
        news.alarms = false;
        news.environment = false;
        news.ports.clear();
    }

    private void sayChanges(News news) {
        Report report = offered.hardware().report(news.device);
        if (!news.ports.isEmpty()) {
            send(of(news.device).setPorts(ports(news.ports.values())));
        }
        if (news.alarms) {
            send(of(news.device).setAlarms(Alarms.newBuilder().addAllAlarms(translation.alarms(report))));
        }
        if (news.circuits) {
            send(of(news.device).setCircuits(Circuits.newBuilder().addAllCircuits(translation.circuits(report))));
        }
        if (news.environment) {
            send(of(news.device).setEnvironment(translation.environment(report)));
        }
    }

    private Ports ports(Collection<PortView> views) {
        Ports.Builder ports = Ports.newBuilder();
        views.forEach(view -> ports.addPorts(translation.port(view)));
        return ports.build();
    }

    private WatchResponse.Builder of(int device) {
        return WatchResponse.newBuilder()
                .setDeviceId(offered.plant().device(device).id());
    }

    void heartbeat() {
        if (!ended() && out.isReady() && System.nanoTime() - lastSentNanos >= heartbeat.toNanos()) {
            send(WatchResponse.newBuilder().setHeartbeat(Heartbeat.newBuilder().setAt(translation.now())));
        }
    }

    private void send(WatchResponse.Builder message) {
        lastSentNanos = System.nanoTime();
        out.onNext(message.build());
    }
}
