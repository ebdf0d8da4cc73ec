package dev.lightpath.driver;

/** The adapter for vendors' programs on the emulated transceivers of a ring. */
final class DeviceApiTransceiverConformanceTest extends TransceiverConformance {
    @Override
    TransceiverPlant plant() {
        return new DeviceApiRing();
    }
}
