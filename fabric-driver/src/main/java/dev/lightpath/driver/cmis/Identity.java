package dev.lightpath.driver.cmis;

import java.nio.charset.StandardCharsets;

/** What a module says that it is (lower memory, page 00h). */
record Identity(String vendor, String partNumber, String serial, String firmware) {
    private static final int FIRST_CMIS_REVISION = 0x40;
    private static final int FLAT = 0x80;
    private static final int PLATE = 129;
    private static final int PLATE_BYTES = 53;

    /** @throws NotAnsweredException when it does not answer, or speaks no CMIS with pages */
    static Identity of(ModuleMemory memory) throws NotAnsweredException {
        byte[] lower = memory.read(0, 0, 0, 3);
        if ((lower[1] & 0xFF) < FIRST_CMIS_REVISION) {
            throw new NotAnsweredException("it speaks no CMIS from revision 4.0 on: byte 0 is %02Xh, byte 1 is %02Xh"
                    .formatted(lower[0] & 0xFF, lower[1] & 0xFF));
        }
        if ((lower[2] & FLAT) != 0) {
            throw new NotAnsweredException("its memory is flat (byte 2, bit 7): it has no page of a path selector");
        }
        byte[] version = memory.read(0, 0, 39, 2);
        byte[] plate = memory.read(0, 0, PLATE, PLATE_BYTES);
        return new Identity(
                text(plate, 0, 16),
                text(plate, 19, 16),
                text(plate, 37, 16),
                (version[0] & 0xFF) + "." + (version[1] & 0xFF));
    }

    private static String text(byte[] plate, int from, int length) {
        return new String(plate, from, length, StandardCharsets.ISO_8859_1)
                .replaceAll("[^\\x20-\\x7e]", "?")
                .strip();
    }
}
