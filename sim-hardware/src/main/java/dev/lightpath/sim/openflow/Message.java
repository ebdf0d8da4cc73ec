package dev.lightpath.sim.openflow;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * One message (OpenFlow 1.4, 7.1).
 *
 * @param version 4 for OpenFlow 1.3, 5 for 1.4
 * @param body what follows the header, in network order
 */
record Message(int version, int type, int xid, byte[] body) {
    private static final int HEADER = 8;

    static final int HELLO = 0;
    static final int ERROR = 1;
    static final int ECHO_REQUEST = 2;
    static final int ECHO_REPLY = 3;
    static final int FEATURES_REQUEST = 5;
    static final int FEATURES_REPLY = 6;
    static final int PORT_STATUS = 12;
    static final int FLOW_MOD = 14;
    static final int MULTIPART_REQUEST = 18;
    static final int MULTIPART_REPLY = 19;
    static final int BARRIER_REQUEST = 20;
    static final int BARRIER_REPLY = 21;
    static final int ROLE_REQUEST = 24;
    static final int ROLE_REPLY = 25;
    static final int BUNDLE_CONTROL = 33;
    static final int BUNDLE_ADD = 34;

    static Message read(DataInputStream in) throws IOException {
        byte[] head = in.readNBytes(HEADER);
        if (head.length < HEADER) {
            throw new IOException("over");
        }
        return parse(ByteBuffer.wrap(head), in);
    }

    private static Message parse(ByteBuffer head, DataInputStream rest) throws IOException {
        int version = Byte.toUnsignedInt(head.get());
        int type = Byte.toUnsignedInt(head.get());
        int length = Short.toUnsignedInt(head.getShort());
        int xid = head.getInt();
        if (length < HEADER) {
            throw new IOException("a message of " + length + " bytes");
        }
        byte[] body = rest.readNBytes(length - HEADER);
        if (body.length < length - HEADER) {
            throw new IOException("over");
        }
        return new Message(version, type, xid, body);
    }

    ByteBuffer in() {
        return ByteBuffer.wrap(body);
    }

    byte[] bytes() {
        return ByteBuffer.allocate(HEADER + body.length)
                .put((byte) version)
                .put((byte) type)
                .putShort((short) (HEADER + body.length))
                .putInt(xid)
                .put(body)
                .array();
    }
}
