package dev.lightpath.driver.cmis;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The monitors of a module that tell bit errors before correction: among the versatile diagnostics monitors (VDM) of
 * CMIS 5, pages 20h to 2Fh of bank 0. A group of 64 monitors has a page of descriptors, and one of values four pages
 * on.
 */
final class BitErrors {
    private static final int CONTROL_PAGE = 0x2F;
    private static final int FIRST_DESCRIPTORS_PAGE = 0x20;
    private static final int VALUES_AFTER = 4;
    private static final int FIRST_BYTE = 128;
    private static final int BYTES = 128;
    /** Longer reads are more than some buses take at once. */
    private static final int READ_BYTES = 32;

    /** Type of a monitor: pre-FEC BER, current value, media input. */
    private static final int CURRENT_OF_MEDIA = 15;

    private static final int MANTISSA_BITS = 11;
    private static final int LEAST_EXPONENT = -24;

    /** Offsets of the values by their page, in order. */
    private final Map<Integer, List<Integer>> values;

    private BitErrors(Map<Integer, List<Integer>> values) {
        this.values = values;
    }

    /**
     * Those of these lanes, of a module that advertises such monitors.
     *
     * @param lanes of the media side: bit 0 is the first
     */
    static BitErrors of(ModuleMemory memory, int lanes) throws NotAnsweredException {
        Map<Integer, List<Integer>> values = new HashMap<>();
        int groups = (memory.read(0, CONTROL_PAGE, FIRST_BYTE, 1)[0] & 3) + 1;
        for (int page = FIRST_DESCRIPTORS_PAGE; page < FIRST_DESCRIPTORS_PAGE + groups; page++) {
            for (int from = FIRST_BYTE; from < FIRST_BYTE + BYTES; from += READ_BYTES) {
                byte[] descriptors = memory.read(0, page, from, READ_BYTES);
                for (int at = 0; at < READ_BYTES; at += 2) {
                    boolean ours = (lanes & 1 << (descriptors[at] & 0xF)) != 0;
                    if (ours && descriptors[at + 1] == CURRENT_OF_MEDIA) {
                        values.computeIfAbsent(page + VALUES_AFTER, unused -> new ArrayList<>())
                                .add(from + at);
                    }
                }
            }
        }
        return new BitErrors(values);
    }

    /** The share of wrong bits of the worst lane. A lane that tells no share is left out; empty where none is left. */
    OptionalDouble worst(ModuleMemory memory) throws NotAnsweredException {
        double worst = -1;
        for (Map.Entry<Integer, List<Integer>> page : values.entrySet()) {
            int highest = page.getValue().getLast();
            int from = 0;
            byte[] raw = {};
            for (int offset : page.getValue()) {
                if (offset + 2 > from + raw.length) {
                    from = offset;
                    raw = memory.read(0, page.getKey(), from, Math.min(READ_BYTES, highest + 2 - from));
                }
                double share = share((raw[offset - from] & 0xFF) << 8 | raw[offset - from + 1] & 0xFF);
                worst = share > 1 ? worst : Math.max(worst, share);
            }
        }
        return worst < 0 ? OptionalDouble.empty() : OptionalDouble.of(worst);
    }

    /** A number of format F16: five bits of a decimal exponent, and eleven of a mantissa. */
    static double share(int raw) {
        int exponent = (raw >> MANTISSA_BITS) + LEAST_EXPONENT;
        int mantissa = raw & (1 << MANTISSA_BITS) - 1;
        return mantissa * Math.pow(10, exponent);
    }
}
