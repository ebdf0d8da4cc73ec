package dev.lightpath.sim.deviceapi;

import dev.lightpath.proto.device.v1alpha1.WatchRequest;
import dev.lightpath.proto.device.v1alpha1.WatchResponse;
import dev.lightpath.sim.core.HardwareListener;
import dev.lightpath.sim.core.Report.AlarmView;
import dev.lightpath.sim.core.Report.ConnectionView;
import dev.lightpath.sim.core.Report.PortView;
import dev.lightpath.sim.loop.HardwareLoop;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** All streams of a program. Everything but {@link #begin} happens on the loop. */
final class Streams implements HardwareListener {
    private static final Duration USUAL_HEARTBEAT = Duration.ofSeconds(5);
    private static final Duration LEAST_HEARTBEAT = Duration.ofMillis(100);

    private final Offered offered;
    private final Translation translation;
    private final HardwareLoop loop;
    private final List<DeviceStream> streams = new ArrayList<>();
    private boolean drainDue;

    Streams(Offered offered, Translation translation, HardwareLoop loop) {
        this.offered = offered;
        this.translation = translation;
        this.loop = loop;
    }

    void begin(WatchRequest request, StreamObserver<WatchResponse> out) {
        ServerCallStreamObserver<WatchResponse> call = (ServerCallStreamObserver<WatchResponse>) out;
        Duration heartbeat = USUAL_HEARTBEAT;
        if (request.hasHeartbeatInterval()) {
            Duration asked = Duration.ofSeconds(
                    request.getHeartbeatInterval().getSeconds(),
                    request.getHeartbeatInterval().getNanos());
            heartbeat = asked.compareTo(LEAST_HEARTBEAT) < 0 ? LEAST_HEARTBEAT : asked;
        }
        DeviceStream stream = new DeviceStream(call, heartbeat, offered, translation);
        call.setOnReadyHandler(() -> loop.execute(stream::drain));
        call.setOnCancelHandler(() -> loop.execute(() -> streams.remove(stream)));
        loop.execute(() -> {
            streams.add(stream);
            stream.drain();
        });
    }

    /** Called ten times a second. */
    void tick() {
        streams.removeIf(DeviceStream::ended);
        for (DeviceStream stream : streams) {
            stream.drain();
            stream.heartbeat();
        }
    }

    @Override
    public void connection(int device, long seq, ConnectionView view) {
        tell(device, DeviceStream.News::circuits);
    }

    @Override
    public void loss(int device) {
        tell(device, DeviceStream.News::circuits);
    }

    @Override
    public void port(int device, long seq, PortView view) {
        tell(device, news -> news.port(view));
    }

    @Override
    public void alarm(int device, long seq, AlarmView view, boolean raised) {
        tell(device, DeviceStream.News::alarms);
    }

    @Override
    public void environment(int device, long seq, double temperatureCelsius, double powerWatts) {
        tell(device, DeviceStream.News::environment);
    }

    @Override
    public void silent(int device, long seq) {
        tell(device, DeviceStream.News::everything);
    }

    @Override
    public void answering(int device) {
        tell(device, DeviceStream.News::everything);
    }

    /** Streams send it soon, and never at once: the hardware is in the middle of something. */
    private void tell(int device, Consumer<DeviceStream.News> what) {
        if (!offered.has(device) || streams.isEmpty()) {
            return;
        }
        streams.forEach(stream -> what.accept(stream.newsOf(device)));
        if (!drainDue) {
            drainDue = true;
            loop.execute(() -> {
                drainDue = false;
                streams.forEach(DeviceStream::drain);
            });
        }
    }
}
