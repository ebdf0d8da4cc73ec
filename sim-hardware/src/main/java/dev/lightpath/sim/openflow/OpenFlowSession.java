package dev.lightpath.sim.openflow;

import dev.lightpath.sim.managed.AnswerTime;
import dev.lightpath.sim.managed.ManagedSwitch;
import dev.lightpath.sim.scenario.OpenFlowSpec;
import dev.lightpath.sim.scenario.OpenFlowSpec.Quirk;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One connection to the controller. */
final class OpenFlowSession {
    private static final int FLOWS = 1;
    private static final int PORTS = 13;
    private static final int MORE = 1;
    private static final int LONGEST_PART = 60_000;
    private static final int PORT_13 = 64;
    private static final int PORT_14 = 40;
    private static final int LINK_DOWN = 1;
    private static final int MODIFIED = 2;
    private static final int OPEN = 0;
    private static final int COMMIT = 4;
    private static final int DISCARD = 6;
    private static final int NO_CHANGE = 0;
    private static final int EQUAL = 1;

    private final OpenFlowSpec spec;
    private final ManagedSwitch device;
    private final FlowTable table;
    private final AnswerTime answerTime;
    private final Generation generation;
    private final Set<String> dark;
    private final Socket socket;
    private final Map<Integer, List<Message>> bundles = new HashMap<>();
    private volatile boolean greeted;

    /**
     * @param dark ports whose light is not as it should be
     * @param generation of the last master, for all connections
     */
    OpenFlowSession(
            OpenFlowSpec spec,
            ManagedSwitch device,
            FlowTable table,
            Generation generation,
            Set<String> dark,
            Socket socket) {
        this.spec = spec;
        this.device = device;
        this.table = table;
        this.answerTime = new AnswerTime(spec.quirks().contains(Quirk.SLOW_ANSWERS));
        this.generation = generation;
        this.dark = dark;
        this.socket = socket;
    }

    /** Ends with the connection. */
    void run() {
        try (socket) {
            socket.setTcpNoDelay(true);
            write(new Message(spec.version(), Message.HELLO, 0, new byte[0]));
            DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            while (true) {
                Message message = Message.read(in);
                if (!device.reachable()) {
                    return;
                }
                try {
                    answer(message);
                } catch (Refusal refusal) {
                    answerTime.take();
                    write(new Message(
                            spec.version(),
                            Message.ERROR,
                            message.xid(),
                            ByteBuffer.allocate(4)
                                    .putShort((short) refusal.type())
                                    .putShort((short) refusal.code())
                                    .array()));
                }
            }
        } catch (IOException over) {
            // the controller is gone
        }
    }

    void end() {
        try {
            socket.close();
        } catch (IOException e) {
            // it is closed
        }
    }

    private synchronized void write(Message message) throws IOException {
        if (device.reachable()) {
            socket.getOutputStream().write(message.bytes());
            socket.getOutputStream().flush();
        } else {
            end();
        }
    }

    private void reply(Message to, int type, byte[] body) throws IOException {
        answerTime.take();
        write(new Message(spec.version(), type, to.xid(), body));
    }

    private void answer(Message message) throws IOException, Refusal {
        switch (message.type()) {
            case Message.HELLO, Message.ECHO_REPLY, Message.ERROR -> {}
            case Message.ECHO_REQUEST -> reply(message, Message.ECHO_REPLY, message.body());
            case Message.BARRIER_REQUEST -> reply(message, Message.BARRIER_REPLY, new byte[0]);
            case Message.FEATURES_REQUEST -> {
                greeted = true;
                reply(
                        message,
                        Message.FEATURES_REPLY,
                        ByteBuffer.allocate(24)
                                .putLong(spec.datapath())
                                .putInt(0)
                                .put((byte) 1)
                                .array());
            }
            case Message.ROLE_REQUEST -> role(message);
            case Message.MULTIPART_REQUEST -> parts(message);
            case Message.FLOW_MOD -> table.carryOut(List.of(table.understood(message.in())));
            case Message.BUNDLE_CONTROL -> bundle(message);
            case Message.BUNDLE_ADD -> add(message);
            default -> throw Refusal.badType();
        }
    }

    private void role(Message message) throws IOException, Refusal {
        if (message.body().length < 16) {
            throw Refusal.badLength();
        }
        int role = message.in().getInt(0);
        long now = role == NO_CHANGE || role == EQUAL
                ? generation.last()
                : generation.become(message.in().getLong(8));
        reply(
                message,
                Message.ROLE_REPLY,
                ByteBuffer.allocate(16).putInt(role).putInt(0).putLong(now).array());
    }

    private void parts(Message message) throws IOException, Refusal {
        if (message.body().length < 8) {
            throw Refusal.badLength();
        }
        int what = Short.toUnsignedInt(message.in().getShort(0));
        List<byte[]> entries = switch (what) {
            case FLOWS -> table.entries();
            case PORTS -> ports();
            default -> throw Refusal.badType();
        };
        int from = 0;
        do {
            int size = 0;
            int to = from;
            while (to < entries.size() && size + entries.get(to).length <= LONGEST_PART) {
                size += entries.get(to).length;
                to++;
            }
            ByteBuffer part = ByteBuffer.allocate(8 + size)
                    .putShort((short) what)
                    .putShort((short) (to < entries.size() ? MORE : 0))
                    .putInt(0);
            entries.subList(from, to).forEach(part::put);
            reply(message, Message.MULTIPART_REPLY, part.array());
            from = to;
        } while (from < entries.size());
    }

    /** A port that failed is none. */
    private List<byte[]> ports() {
        List<byte[]> all = new ArrayList<>();
        for (ManagedSwitch.PortRow row : device.ports()) {
            if (!row.failed()) {
                all.add(port(row.port()));
            }
        }
        return all;
    }

    private byte[] port(String name) {
        boolean older = spec.version() < OpenFlowSpec.VERSION_14;
        ByteBuffer port = ByteBuffer.allocate(older ? PORT_13 : PORT_14);
        port.putInt(0, Integer.parseInt(name));
        if (!older) {
            port.putShort(4, (short) PORT_14);
        }
        port.putInt(36, dark.contains(name) ? LINK_DOWN : 0);
        return port.array();
    }

    /** Light at a port is not as it should be, or is so again. */
    void changed(String name) {
        if (!greeted) {
            return;
        }
        byte[] port = port(name);
        try {
            write(new Message(
                    spec.version(),
                    Message.PORT_STATUS,
                    0,
                    ByteBuffer.allocate(8 + port.length)
                            .put((byte) MODIFIED)
                            .put(new byte[7])
                            .put(port)
                            .array()));
        } catch (IOException gone) {
            end();
        }
    }

    private void requireBundles() throws Refusal {
        if (spec.version() < OpenFlowSpec.VERSION_14 || spec.quirks().contains(Quirk.NO_BUNDLES)) {
            throw Refusal.badType();
        }
    }

    private void bundle(Message message) throws IOException, Refusal {
        if (spec.quirks().contains(Quirk.ENDS_AT_BUNDLES)) {
            end();
            return;
        }
        requireBundles();
        if (message.body().length < 8) {
            throw Refusal.badLength();
        }
        int id = message.in().getInt(0);
        int what = Short.toUnsignedInt(message.in().getShort(4));
        switch (what) {
            case OPEN -> bundles.put(id, new ArrayList<>());
            case COMMIT -> commit(id);
            case DISCARD -> discard(id);
            default -> throw Refusal.badType();
        }
        byte[] done = message.body().clone();
        ByteBuffer.wrap(done).putShort(4, (short) (what + 1));
        reply(message, Message.BUNDLE_CONTROL, done);
    }

    private void discard(int id) throws Refusal {
        if (bundles.remove(id) == null) {
            throw Refusal.badBundle();
        }
    }

    private void commit(int id) throws Refusal {
        List<Message> messages = bundles.remove(id);
        if (messages == null) {
            throw Refusal.badBundle();
        }
        List<FlowTable.Change> changes = new ArrayList<>();
        try {
            for (Message each : messages) {
                changes.add(table.understood(each.in()));
            }
            table.carryOut(changes);
        } catch (Refusal one) {
            throw Refusal.bundleMessageFailed();
        }
    }

    private void add(Message message) throws Refusal {
        requireBundles();
        ByteBuffer in = message.in();
        if (in.remaining() < 16) {
            throw Refusal.badLength();
        }
        List<Message> bundle = bundles.get(in.getInt());
        if (bundle == null) {
            throw Refusal.badBundle();
        }
        in.position(8);
        int version = Byte.toUnsignedInt(in.get());
        int type = Byte.toUnsignedInt(in.get());
        int length = Short.toUnsignedInt(in.getShort());
        int xid = in.getInt();
        if (type != Message.FLOW_MOD || length != in.remaining() + 8) {
            throw Refusal.badLength();
        }
        byte[] body = new byte[in.remaining()];
        in.get(body);
        bundle.add(new Message(version, type, xid, body));
    }
}
