package dev.lightpath.driver.server;

import dev.lightpath.proto.driver.v1alpha1.PortStatus;

/** What is measured at a port. It changes at every reading, so a stream tells only steps. */
final class PortReadings {
    private static final double BIT_ERROR_FACTOR = 2;
    /** Fewer wrong bits than these are not counted in a day. */
    private static final double FEWEST_BIT_ERRORS = 1e-15;

    private static final double TEMPERATURE_STEP_CELSIUS = 2;

    private PortReadings() {}

    /** A port without what is measured: a change of the rest is always news, and so is that something is measured. */
    static PortStatus without(PortStatus status) {
        PortStatus.Builder rest = status.toBuilder().clearSince();
        if (status.hasReceivePowerDbm()) {
            rest.setReceivePowerDbm(0);
        }
        if (status.hasPreFecBitErrorRatio()) {
            rest.setPreFecBitErrorRatio(0);
        }
        if (status.hasTemperatureCelsius()) {
            rest.setTemperatureCelsius(0);
        }
        if (status.getAttenuation().hasActualDb()) {
            rest.getAttenuationBuilder().setActualDb(0);
        }
        return rest.build();
    }

    /**
     * Whether two readings of a port that measures the same things differ by a step.
     *
     * @param stepDb of receive power and attenuation
     */
    static boolean differ(PortStatus before, PortStatus after, double stepDb) {
        return before.hasReceivePowerDbm() && isStep(before.getReceivePowerDbm(), after.getReceivePowerDbm(), stepDb)
                || before.getAttenuation().hasActualDb()
                        && isStep(
                                before.getAttenuation().getActualDb(),
                                after.getAttenuation().getActualDb(),
                                stepDb)
                || before.hasTemperatureCelsius()
                        && isStep(
                                before.getTemperatureCelsius(), after.getTemperatureCelsius(), TEMPERATURE_STEP_CELSIUS)
                || before.hasPreFecBitErrorRatio()
                        && isStep(
                                logarithm(before.getPreFecBitErrorRatio()),
                                logarithm(after.getPreFecBitErrorRatio()),
                                Math.log10(BIT_ERROR_FACTOR) - 1e-9);
    }

    private static double logarithm(double ratio) {
        return Math.log10(Math.max(ratio, FEWEST_BIT_ERRORS));
    }

    /** A step of 0 tells any change. */
    private static boolean isStep(double before, double after, double step) {
        return before != after && Math.abs(after - before) >= step;
    }
}
