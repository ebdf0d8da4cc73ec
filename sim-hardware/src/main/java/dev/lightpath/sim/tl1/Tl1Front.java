package dev.lightpath.sim.tl1;

import dev.lightpath.sim.core.Hardware;
import dev.lightpath.sim.loop.HardwareLoop;
import dev.lightpath.sim.managed.ActivityLog;
import dev.lightpath.sim.managed.AnswerTime;
import dev.lightpath.sim.managed.ManagedSwitch;
import dev.lightpath.sim.scenario.Tl1Spec;
import dev.lightpath.sim.scenario.Tl1Spec.Quirk;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;

/** The TL1 port of one switch. */
public final class Tl1Front implements AutoCloseable {
    private final Tl1Spec spec;
    private final ActivityLog activities;
    private final ManagedSwitch device;
    private final Tongue tongue;
    private final AnswerTime answerTime;
    private final ServerSocket server = new ServerSocket();
    private final Set<Tl1Server> sessions = new CopyOnWriteArraySet<>();

    /** @throws IOException when it cannot listen there */
    public Tl1Front(Tl1Spec spec, Hardware hardware, HardwareLoop loop, ActivityLog activities) throws IOException {
        this.spec = spec;
        this.activities = activities;
        this.answerTime = new AnswerTime(spec.quirks().contains(Quirk.SLOW_ANSWERS));
        server.bind(new InetSocketAddress(spec.listen().host(), spec.listen().port()));
        device = new ManagedSwitch(spec.device(), hardware, loop, new ManagedSwitch.Listener() {
            @Override
            public boolean hears() {
                return sessions.stream().anyMatch(Tl1Server::known);
            }

            @Override
            public void alarm(String port, boolean stands) {
                sessions.forEach(session -> session.alarm(port, stands));
            }

            @Override
            public void over() {
                sessions.forEach(Tl1Server::end);
            }
        });
        tongue = switch (spec.dialect()) {
            case POLATIS -> new PolatisTongue(spec, device);
            case CALIENT -> new CalientTongue(spec, device);
        };
        Thread.ofVirtual().name("tl1-accept").start(this::accept);
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                if (device.reachable()) {
                    Tl1Server session = new Tl1Server(spec, device, tongue, socket, this);
                    sessions.add(session);
                    session.start();
                } else {
                    socket.close();
                }
            } catch (IOException closing) {
                // the client is gone, or the switch listens no more
            }
        }
    }

    /** A session is over. */
    void leave(Tl1Server session) {
        sessions.remove(session);
    }

    /** Returns when it is time to answer. */
    void takeTime() {
        answerTime.take();
    }

    /** Whether the switch lets one more user in. */
    boolean admits() {
        return !spec.quirks().contains(Quirk.ONE_SESSION) || sessions.stream().noneMatch(Tl1Server::known);
    }

    /** A user has changed something. */
    void note(String address, String command) {
        activities.note(new ActivityLog.Activity(spec.device(), spec.user(), address, "TL1", command));
    }

    /** The port it really listens at. */
    public int port() {
        return server.getLocalPort();
    }

    @Override
    public void close() {
        device.close();
        try {
            server.close();
        } catch (IOException e) {
            // it listens no more
        }
        sessions.forEach(Tl1Server::end);
    }
}
