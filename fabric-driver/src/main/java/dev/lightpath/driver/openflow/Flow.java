package dev.lightpath.driver.openflow;

import dev.lightpath.driver.session.LostException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A flow as the device reports it (OpenFlow 1.4, 7.3.5.2).
 *
 * @param match as it stands on the wire, padded: what is deleted is named by it
 * @param way if the flow does nothing but send all light of one port to one other
 */
record Flow(int table, int priority, long cookie, byte[] match, Optional<Way> way) {
    /** From a port to a port, by their numbers. */
    record Way(int from, int to) {}

    private static final int MATCH_OXM = 1;
    private static final int OXM_IN_PORT = 0x8000_0004;
    private static final int OXM_HEADER = 4;
    private static final int APPLY_ACTIONS = 4;
    private static final int OUTPUT = 0;
    private static final int OUTPUT_LENGTH = 16;
    private static final int INSTRUCTION_HEADER = 8;
    private static final int COUNTERS = 16;

    /** Whether it matches light of a port, all of it or some. */
    boolean takes(int port) {
        return ingress().map(named -> named == port).orElse(true);
    }

    /** Whether it matches light of this port and of no other. */
    boolean names(int port) {
        return ingress().equals(Optional.of(port));
    }

    /** The port of which it matches light; empty: any. */
    private Optional<Integer> ingress() {
        ByteBuffer fields = ByteBuffer.wrap(match);
        if (fields.remaining() < 4 || Short.toUnsignedInt(fields.getShort()) != MATCH_OXM) {
            return Optional.empty();
        }
        fields.limit(Math.clamp(Short.toUnsignedInt(fields.getShort()), 4, match.length));
        while (fields.remaining() >= OXM_HEADER) {
            int header = fields.getInt();
            int length = header & 0xff;
            if (length > fields.remaining()) {
                return Optional.empty();
            }
            if (header == OXM_IN_PORT) {
                return Optional.of(fields.getInt());
            }
            skip(fields, length);
        }
        return Optional.empty();
    }

    /** For people. */
    String said() {
        return "a flow of priority " + priority + " and cookie 0x" + Long.toHexString(cookie) + " in table " + table;
    }

    /** The flows of one part of an answer. */
    static List<Flow> parse(ByteBuffer part) throws LostException {
        List<Flow> flows = new ArrayList<>();
        try {
            while (part.hasRemaining()) {
                int length = Short.toUnsignedInt(part.getShort(part.position()));
                ByteBuffer one = part.slice(part.position(), length);
                part.position(part.position() + length);
                flows.add(one(one));
            }
        } catch (BufferUnderflowException | IllegalArgumentException | IndexOutOfBoundsException cut) {
            throw new LostException("an answer about flows is cut or has wrong lengths");
        }
        return flows;
    }

    private static Flow one(ByteBuffer in) {
        skip(in, 2);
        int table = Byte.toUnsignedInt(in.get());
        // padding, age in seconds and nanoseconds
        skip(in, 1 + 4 + 4);
        int priority = Short.toUnsignedInt(in.getShort());
        // time-outs, flags; importance or padding
        skip(in, 2 + 2 + 2 + 4);
        long cookie = in.getLong();
        skip(in, COUNTERS);
        int start = in.position();
        int type = Short.toUnsignedInt(in.getShort());
        int length = Short.toUnsignedInt(in.getShort());
        byte[] match = new byte[padded(length)];
        in.get(start, match);
        Optional<Integer> from = type == MATCH_OXM ? inPort(in.slice(start + 4, length - 4)) : Optional.empty();
        in.position(start + match.length);
        Optional<Integer> to = output(in);
        Optional<Way> way = from.flatMap(ingress -> to.map(egress -> new Way(ingress, egress)));
        return new Flow(table, priority, cookie, match, way);
    }

    /** The port, if the match names it and nothing else. */
    private static Optional<Integer> inPort(ByteBuffer fields) {
        return fields.remaining() == 8 && fields.getInt() == OXM_IN_PORT
                ? Optional.of(fields.getInt())
                : Optional.empty();
    }

    /** The port, if the instructions are one action that sends everything there. */
    private static Optional<Integer> output(ByteBuffer instructions) {
        if (instructions.remaining() != INSTRUCTION_HEADER + OUTPUT_LENGTH
                || Short.toUnsignedInt(instructions.getShort()) != APPLY_ACTIONS) {
            return Optional.empty();
        }
        skip(instructions, 2 + 4);
        if (Short.toUnsignedInt(instructions.getShort()) != OUTPUT
                || Short.toUnsignedInt(instructions.getShort()) != OUTPUT_LENGTH) {
            return Optional.empty();
        }
        return Optional.of(instructions.getInt());
    }

    private static void skip(ByteBuffer in, int bytes) {
        in.position(in.position() + bytes);
    }

    /** To the next multiple of eight. */
    static int padded(int length) {
        return (length + 7) / 8 * 8;
    }

    /** What all light of a port matches. */
    static byte[] matchOf(int port) {
        return ByteBuffer.allocate(16)
                .putShort((short) MATCH_OXM)
                .putShort((short) 12)
                .putInt(OXM_IN_PORT)
                .putInt(port)
                .array();
    }

    /** What sends it to a port. */
    static byte[] instructionsTo(int port) {
        return ByteBuffer.allocate(INSTRUCTION_HEADER + OUTPUT_LENGTH)
                .putShort((short) APPLY_ACTIONS)
                .putShort((short) (INSTRUCTION_HEADER + OUTPUT_LENGTH))
                .putInt(0)
                .putShort((short) OUTPUT)
                .putShort((short) OUTPUT_LENGTH)
                .putInt(port)
                .array();
    }
}
