package dev.lightpath.sim.cmis;

import dev.lightpath.sim.core.Hardware;
import dev.lightpath.sim.core.Report;
import dev.lightpath.sim.core.move.Move;
import dev.lightpath.sim.core.plant.DeviceSpec;
import dev.lightpath.sim.core.plant.Plant;
import dev.lightpath.sim.loop.HardwareLoop;
import dev.lightpath.sim.scenario.CmisSpec;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The bus of one node. A request is module, 'R' or 'W', offset, length, and the bytes of a write; the answer is 0 and
 * the bytes of a read, or 1: not acknowledged. With 'r' or 'w' a bank and a page come before the offset, which are
 * selected in the same transaction, and the answer to 'r' has the bank and page that are shown before the bytes.
 * Modules of a node whose management is silent acknowledge nothing.
 */
public final class CmisFront implements AutoCloseable {
    private static final long LOOK_MILLIS = 20;

    private final Hardware hardware;
    private final HardwareLoop loop;
    private final int device;
    private final String id;
    private final ServerSocket server = new ServerSocket();
    private final List<EmulatedModule> modules = new ArrayList<>();
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final Set<Integer> pulled = ConcurrentHashMap.newKeySet();
    /** What the modules of all nodes send, by the first port of the module. */
    private final Map<Integer, EmulatedModule> senders;

    /**
     * @param senders shared by the fronts of an emulation
     * @throws IOException when it cannot listen there
     */
    public CmisFront(CmisSpec spec, Hardware hardware, HardwareLoop loop, Senders senders) throws IOException {
        this.hardware = hardware;
        this.loop = loop;
        this.id = spec.device();
        this.device = hardware.plant().findDevice(spec.device());
        this.senders = senders.modules;
        server.bind(new InetSocketAddress(spec.listen().host(), spec.listen().port()));
        Plant plant = hardware.plant();
        for (int port = plant.firstPort(device); port < plant.endPort(device); port += DeviceSpec.PORTS_PER_MODULE) {
            EmulatedModule module = new EmulatedModule(new Bench(port, modules.size()), spec.quirks());
            modules.add(module);
            this.senders.put(port, module);
        }
        Thread.ofVirtual().name("cmis-accept").start(this::accept);
        Thread.ofVirtual().name("cmis-flags").start(this::look);
    }

    /** What the modules of an emulation send to their far ends. */
    public static final class Senders {
        private final Map<Integer, EmulatedModule> modules = new ConcurrentHashMap<>();
    }

    /** The hardware of one module. */
    private final class Bench implements EmulatedModule.Bench {
        private final int first;
        private final int number;

        Bench(int first, int number) {
            this.first = first;
            this.number = number;
        }

        @Override
        public Report report() {
            return loop.ask(() -> hardware.report(device));
        }

        @Override
        public int firstPort() {
            return first;
        }

        @Override
        public String portName(int port) {
            return hardware.plant().portName(port);
        }

        @Override
        public String serial() {
            return loop.ask(() -> hardware.serial(device)) + "-" + number;
        }

        @Override
        public String firmware() {
            return hardware.plant().device(device).firmware();
        }

        @Override
        public void select(int port) {
            String common = portName(first);
            loop.execute(() -> {
                if (port == 0) {
                    hardware.move(device, List.of(new Move(common, "")), List.of(), false, outcome -> {});
                } else {
                    Move wanted = new Move(common, portName(first + port));
                    hardware.move(device, List.of(), List.of(wanted), false, outcome -> {});
                }
            });
        }

        @Override
        public String transmitted(int port) {
            int module = port
                    - (port - hardware.plant().firstPort(hardware.plant().deviceOf(port)))
                            % DeviceSpec.PORTS_PER_MODULE;
            EmulatedModule sender = senders.get(module);
            if (sender == null) {
                return "";
            }
            return new String(sender.transmit(), StandardCharsets.US_ASCII).replace("\0", "");
        }
    }

    private void look() {
        while (!server.isClosed()) {
            try {
                Thread.sleep(LOOK_MILLIS);
                for (EmulatedModule module : modules) {
                    synchronized (module) {
                        module.look();
                    }
                }
            } catch (InterruptedException | IllegalStateException stopping) {
                return;
            }
        }
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                sockets.add(socket);
                Thread.ofVirtual().name("cmis-bus").start(() -> serve(socket));
            } catch (IOException closing) {
                // the client is gone, or the node is switched off
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            DataInputStream in = new DataInputStream(socket.getInputStream());
            OutputStream out = socket.getOutputStream();
            while (true) {
                int number = in.readUnsignedByte();
                int operation = in.readUnsignedByte();
                byte[] page = operation == 'r' || operation == 'w' ? in.readNBytes(2) : new byte[0];
                boolean reads = operation == 'R' || operation == 'r';
                int offset = in.readUnsignedByte();
                int length = in.readUnsignedByte();
                byte[] bytes = reads ? new byte[0] : in.readNBytes(length);
                out.write(answer(number, reads, page, offset, length, bytes));
                out.flush();
            }
        } catch (IOException | IllegalStateException over) {
            // the client is gone, or the emulation ends
        } finally {
            sockets.remove(socket);
        }
    }

    /** @param page bank and page that are selected first; empty: none */
    private byte[] answer(int number, boolean reads, byte[] page, int offset, int length, byte[] bytes) {
        byte[] refused = {1};
        if (number >= modules.size() || pulled.contains(number) || !loop.ask(() -> hardware.reachable(device))) {
            return refused;
        }
        EmulatedModule module = modules.get(number);
        synchronized (module) {
            if (!module.acknowledges()) {
                return refused;
            }
            if (page.length > 0) {
                module.write(EmulatedModule.BANK, page);
                if (module.isBusy()) {
                    return refused;
                }
            }
            byte[] answer = new byte[1];
            if (reads) {
                byte[] shown = page.length > 0 ? module.read(EmulatedModule.BANK, page.length) : page;
                byte[] read = module.read(offset, length);
                answer = Arrays.copyOf(answer, 1 + shown.length + length);
                System.arraycopy(shown, 0, answer, 1, shown.length);
                System.arraycopy(read, 0, answer, 1 + shown.length, length);
            } else {
                module.write(offset, bytes);
            }
            module.ended();
            return answer;
        }
    }

    /** Pulls a module out, or plugs it in again. Its light is not changed by that. */
    public void pull(int number, boolean out) {
        if (out) {
            pulled.add(number);
        } else {
            pulled.remove(number);
        }
    }

    /** The port it really listens at. */
    public int port() {
        return server.getLocalPort();
    }

    /** The node. */
    public String device() {
        return id;
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            // it listens no more
        }
        sockets.forEach(socket -> {
            try {
                socket.close();
            } catch (IOException e) {
                // it is closed
            }
        });
    }
}
