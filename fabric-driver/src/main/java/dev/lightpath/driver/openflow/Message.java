package dev.lightpath.driver.openflow;

import java.nio.ByteBuffer;

/**
 * One message (OpenFlow 1.4, 7.1).
 *
 * @param version 4 for OpenFlow 1.3, 5 for 1.4
 * @param body what follows the header, in network order
 */
record Message(int version, int type, int xid, byte[] body) {
    static final int HEADER = 8;
    /** The field for the length has 16 bits. */
    static final int LONGEST = 65_535;

    static final int HELLO = 0;
    static final int ERROR = 1;
    static final int ECHO_REQUEST = 2;
    static final int ECHO_REPLY = 3;
    static final int FEATURES_REQUEST = 5;
    static final int FEATURES_REPLY = 6;
    static final int PACKET_IN = 10;
    static final int FLOW_REMOVED = 11;
    static final int PORT_STATUS = 12;
    static final int FLOW_MOD = 14;
    static final int MULTIPART_REQUEST = 18;
    static final int MULTIPART_REPLY = 19;
    static final int BARRIER_REQUEST = 20;
    static final int BARRIER_REPLY = 21;
    static final int ROLE_REQUEST = 24;
    static final int ROLE_REPLY = 25;
    static final int ROLE_STATUS = 30;
    static final int TABLE_STATUS = 31;
    static final int REQUEST_FORWARD = 32;
    static final int BUNDLE_CONTROL = 33;
    static final int BUNDLE_ADD = 34;

    /** Whether a device sends it unasked (OpenFlow 1.4, 6.1.2). Its number then says nothing. */
    boolean isUnasked() {
        return switch (type) {
            case PACKET_IN, FLOW_REMOVED, PORT_STATUS, ROLE_STATUS, TABLE_STATUS, REQUEST_FORWARD -> true;
            default -> false;
        };
    }

    ByteBuffer read() {
        return ByteBuffer.wrap(body).asReadOnlyBuffer();
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
