package dev.lightpath.sim.openflow;

import dev.lightpath.sim.core.Hardware;
import dev.lightpath.sim.loop.HardwareLoop;
import dev.lightpath.sim.managed.ManagedSwitch;
import dev.lightpath.sim.scenario.OpenFlowSpec;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.jspecify.annotations.Nullable;

/** Connects one switch to its controller, again and again. */
public final class OpenFlowFront implements AutoCloseable {
    private static final int CONNECT_MILLIS = 1000;
    private static final long PAUSE_MILLIS = 100;

    private final OpenFlowSpec spec;
    private final ManagedSwitch device;
    private final FlowTable table;
    private final Generation generation = new Generation();
    private final Set<String> dark = new ConcurrentSkipListSet<>();
    private final Thread thread;
    private volatile @Nullable OpenFlowSession session;
    private volatile boolean closed;

    public OpenFlowFront(OpenFlowSpec spec, Hardware hardware, HardwareLoop loop) {
        this.spec = spec;
        device = new ManagedSwitch(spec.device(), hardware, loop, new ManagedSwitch.Listener() {
            @Override
            public boolean hears() {
                return session != null;
            }

            @Override
            public void alarm(String port, boolean stands) {
                if (stands ? dark.add(port) : dark.remove(port)) {
                    OpenFlowSession now = session;
                    if (now != null) {
                        now.changed(port);
                    }
                }
            }

            @Override
            public void over() {
                OpenFlowSession now = session;
                if (now != null) {
                    now.end();
                }
            }
        });
        table = new FlowTable(spec, device);
        thread = Thread.ofVirtual().name("openflow-switch").start(this::run);
    }

    private void run() {
        while (!closed) {
            Socket socket = new Socket();
            try {
                if (device.reachable()) {
                    socket.connect(
                            new InetSocketAddress(
                                    spec.controller().host(), spec.controller().port()),
                            CONNECT_MILLIS);
                    OpenFlowSession next = new OpenFlowSession(spec, device, table, generation, dark, socket);
                    session = next;
                    next.run();
                }
            } catch (IOException nobody) {
                // no controller is there
            } catch (IllegalStateException stopping) {
                return;
            } finally {
                session = null;
                close(socket);
            }
            try {
                Thread.sleep(PAUSE_MILLIS);
            } catch (InterruptedException stopping) {
                return;
            }
        }
    }

    /** Bundles, and changes without a bundle, since the start. */
    public long changes() {
        return table.asked();
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // it was never open
        }
    }

    @Override
    public void close() {
        closed = true;
        OpenFlowSession now = session;
        if (now != null) {
            now.end();
        }
        thread.interrupt();
        device.close();
    }
}
