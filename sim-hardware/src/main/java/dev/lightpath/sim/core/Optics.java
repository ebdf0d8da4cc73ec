package dev.lightpath.sim.core;

import dev.lightpath.sim.core.Chance.Draw;

/** The numbers of light, all drawn from the seed: driver-contract section 3. Losses in dB, powers in dBm. */
public final class Optics {
    /** Below this a receiver with a signal loses it. */
    public static final double LOSS_OF_SIGNAL_DBM = -14;
    /** Above this a receiver that has lost the signal detects it again. */
    public static final double SIGNAL_DETECT_DBM = -13;
    /** Below this the low power alarm is raised. */
    public static final double LOW_POWER_DBM = -10;
    /** Above this the high power alarm is raised. */
    public static final double HIGH_POWER_DBM = 3;
    /** A power alarm clears this far inside its threshold. */
    public static final double HYSTERESIS_DB = 0.5;

    /** Return loss where a fibre ends in air. */
    public static final double OPEN_RETURN_LOSS_DB = 14.7;

    private static final double RETURN_LOSS_PER_DIRT_DB = 4;
    private static final double TAIL_SHARE = 0.02;
    private static final long AVERAGING_NANOS = 100_000_000;

    private final Chance chance;

    /** Optics of a seed. */
    public Optics(Chance chance) {
        this.chance = chance;
    }

    /** Insertion loss from one port to another of the same device: 1.6 +- 0.1 dB, 2 % of the paths up to 3. */
    public double insertionLossDb(int ingress, int egress) {
        long a = Math.min(ingress, egress);
        long b = Math.max(ingress, egress);
        double tail = chance.unit(Draw.LOSS_TAIL, a, b);
        double loss = 1.6 + 0.1 * chance.normal(Draw.LOSS, a, b);
        return tail < TAIL_SHARE ? loss + 1.4 * tail / TAIL_SHARE : loss;
    }

    /** Loss of the strand that leaves one port and enters another, plugs included. */
    public double fibreLossDb(int leaves, int enters) {
        return chance.between(Draw.FIBRE, leaves, enters, 0.3, 0.7);
    }

    /**
     * Return loss at the connector of a port: how much weaker what it throws back is than the light that meets it. 46
     * +- 2 dB when clean, and 4 dB less for each dB that dirt on it takes away.
     */
    public double returnLossDb(int port, double dirtDb) {
        double clean = 46 + 2 * chance.normal(Draw.RETURN_LOSS, port, 0);
        return Math.max(OPEN_RETURN_LOSS_DB, clean - RETURN_LOSS_PER_DIRT_DB * dirtDb);
    }

    /** Power a transmitter launches at its port. */
    public double launchPowerDbm(int port) {
        return chance.between(Draw.LAUNCH, port, 0, 0.7, 1.3);
    }

    /**
     * Share of the bits that a receiver gets wrong before error correction. It is 2.4e-4 at -12 dBm, which is what the
     * outer code of IEEE 802.3 (RS-FEC 544) still corrects, and rises tenfold for each 1.25 dB less; never below 1e-12.
     */
    public static double bitErrorRatio(double powerDbm) {
        double decades = Math.log10(2.4e-4) - (powerDbm + 12) / 1.25;
        return Math.pow(10, Math.clamp(decades, -12, -1));
    }

    /** Noise of a power monitor, constant within its averaging time of 100 ms. */
    public double noiseDb(int port, long nowNanos) {
        return 0.05 * chance.normal(Draw.NOISE, port, nowNanos / AVERAGING_NANOS);
    }
}
