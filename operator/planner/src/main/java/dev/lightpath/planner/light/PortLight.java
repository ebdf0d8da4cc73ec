package dev.lightpath.planner.light;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What one port receives.
 *
 * @param lock how far the receiver has come
 * @param heard the sender, once locked
 * @param receivedPowerDbm where it is measured
 * @param bitErrorRatio share of the bits that are wrong before error correction, where it is measured
 */
public record PortLight(
        Lock lock, Optional<FarEnd> heard, OptionalDouble receivedPowerDbm, OptionalDouble bitErrorRatio) {
    /** States of a receiver, worst first. */
    public enum Lock {
        /** No receiver: the port of a switch, which measures the light that enters. */
        NONE,
        NO_LIGHT,
        LOCKING,
        UP
    }

    private static final PortLight DARK =
            new PortLight(Lock.NO_LIGHT, Optional.empty(), OptionalDouble.empty(), OptionalDouble.empty());

    public static PortLight dark() {
        return DARK;
    }

    /** Whether the light of this port arrives. Called for every link in every pass. */
    public boolean hears(String device, String port) {
        return heard.isPresent()
                && heard.get().device().equals(device)
                && heard.get().port().equals(port);
    }
}
