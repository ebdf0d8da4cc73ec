package dev.lightpath.driver.openflow;

import dev.lightpath.driver.session.LostException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A port as the device describes it (OpenFlow 1.4, 7.2.1).
 *
 * @param down by its administrator
 * @param linkDown it receives no light
 */
record PortDescription(int number, boolean down, boolean linkDown) {
    /** Numbers from here on are no ports of light. */
    private static final long RESERVED = 0xffff_ff00L;

    private static final int VERSION_14 = 5;
    private static final int LENGTH_13 = 64;
    private static final int CONFIG = 32;
    private static final int DOWN = 1;
    private static final int LINK_DOWN = 1;

    /** The ports of one part of an answer. */
    static List<PortDescription> parse(ByteBuffer part, int version) throws LostException {
        List<PortDescription> ports = new ArrayList<>();
        try {
            while (part.hasRemaining()) {
                int start = part.position();
                int length = version < VERSION_14 ? LENGTH_13 : Short.toUnsignedInt(part.getShort(start + 4));
                if (length < CONFIG + 8) {
                    throw new LostException("the description of a port has " + length + " bytes");
                }
                long number = Integer.toUnsignedLong(part.getInt(start));
                if (number < RESERVED) {
                    ports.add(new PortDescription(
                            (int) number,
                            (part.getInt(start + CONFIG) & DOWN) != 0,
                            (part.getInt(start + CONFIG + 4) & LINK_DOWN) != 0));
                }
                part.position(start + length);
            }
        } catch (BufferUnderflowException | IllegalArgumentException | IndexOutOfBoundsException cut) {
            throw new LostException("the description of the ports is cut or has wrong lengths");
        }
        return ports;
    }
}
