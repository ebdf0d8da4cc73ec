package dev.lightpath.sim.cmis;

/** The versatile diagnostics monitors of a module: bit errors before correction, of each lane of both sides. */
final class Monitors {
    static final int DESCRIPTORS_PAGE = 0x20;
    static final int VALUES_PAGE = 0x24;
    static final int CONTROL_PAGE = 0x2F;

    private static final int FIRST_BYTE = 128;
    private static final int LANES = 8;
    /** Types of monitors: pre-FEC BER, current value. */
    private static final int OF_MEDIA = 15;

    private static final int OF_HOST = 16;
    private static final int MANTISSA_BITS = 11;
    private static final double LEAST = 1e-24;

    private Monitors() {}

    /** Those of the host side come first. */
    static Memory descriptors() {
        Memory page = Memory.page();
        for (int lane = 0; lane < LANES; lane++) {
            page.word(FIRST_BYTE + 2 * lane, lane << 8 | OF_HOST);
            page.word(FIRST_BYTE + 2 * (LANES + lane), lane << 8 | OF_MEDIA);
        }
        return page;
    }

    /** @param ratio of all lanes of the media side; NaN: there is nothing to count, and the registers have any value */
    static Memory values(double ratio) {
        Memory page = Memory.page();
        for (int lane = 0; lane < LANES; lane++) {
            page.word(FIRST_BYTE + 2 * (LANES + lane), Double.isNaN(ratio) ? 0xFFFF : f16(ratio));
        }
        return page;
    }

    /** In format F16: five bits of a decimal exponent above -24, and eleven of a mantissa, as exactly as can be. */
    private static int f16(double value) {
        int exponent = 0;
        double mantissa = value / LEAST;
        while (Math.round(mantissa) >= 1 << MANTISSA_BITS) {
            mantissa /= 10;
            exponent++;
        }
        return exponent << MANTISSA_BITS | (int) Math.round(mantissa);
    }
}
