package dev.lightpath.conformance.requirement.stream;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Fault;
import dev.lightpath.conformance.bench.Inapplicable;
import dev.lightpath.conformance.bench.Watching;
import dev.lightpath.conformance.requirement.Requirement;
import dev.lightpath.proto.driver.v1alpha1.DeviceScope;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import dev.lightpath.proto.driver.v1alpha1.WatchRequest;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BiPredicate;
import java.util.function.Function;

/** What ports measure is told once it has changed by a step. The kit changes it behind the driver's back. */
public final class Steps {
    /** Begins the reason why a device is not judged. */
    public static final String NOT_MEASURED = "no port of the device tells ";

    private static final int WEAKER_DB = 6;
    private static final int WARMER_CELSIUS = 10;
    private static final int ATTENUATED_DB = 3;
    /** No power ever changes by so much: such a stream is told of nothing for its receive power. */
    private static final double NEVER_DB = 1000;

    private Steps() {}

    public static List<Requirement> all() {
        return List.of(
                new Requirement(
                        "stream/receive-power",
                        "WatchRequest.receive_power_step_db",
                        "Receive power that fell by more than the step of a stream is told on it",
                        bench -> weaker(bench, Measure.POWER, usual(bench))),
                new Requirement(
                        "stream/bit-errors",
                        "PortStatus.pre_fec_bit_error_ratio",
                        "A share of wrong bits that has doubled is told, whatever step of receive power is asked for",
                        bench -> weaker(bench, Measure.BIT_ERRORS, withStep(bench, NEVER_DB))),
                new Requirement(
                        "stream/temperature",
                        "PortStatus.temperature_celsius",
                        "A temperature of a port that rose by two degrees is told",
                        Steps::temperature),
                new Requirement(
                        "stream/attenuation",
                        "PortStatus.attenuation",
                        "What an attenuator is set to is told",
                        Steps::attenuation));
    }

    /** What a port may measure, and when a reading of it is another. */
    private enum Measure {
        POWER(
                "receive power",
                port -> port.hasReceivePowerDbm()
                        ? OptionalDouble.of(port.getReceivePowerDbm())
                        : OptionalDouble.empty(),
                (before, after) -> after <= before - WEAKER_DB / 2.0),
        BIT_ERRORS(
                "a bit error ratio",
                port -> port.hasPreFecBitErrorRatio()
                        ? OptionalDouble.of(port.getPreFecBitErrorRatio())
                        : OptionalDouble.empty(),
                (before, after) -> after >= 2 * before && after > 0),
        TEMPERATURE(
                "its temperature",
                port -> port.hasTemperatureCelsius()
                        ? OptionalDouble.of(port.getTemperatureCelsius())
                        : OptionalDouble.empty(),
                (before, after) -> after >= before + 2),
        ATTENUATION(
                "what its attenuator is set to",
                port -> port.getAttenuation().hasSetDb()
                        ? OptionalDouble.of(port.getAttenuation().getSetDb())
                        : OptionalDouble.empty(),
                (before, after) -> before.doubleValue() != after);

        private final String words;
        private final Function<PortStatus, OptionalDouble> value;
        private final BiPredicate<Double, Double> steps;

        Measure(String words, Function<PortStatus, OptionalDouble> value, BiPredicate<Double, Double> steps) {
            this.words = words;
            this.value = value;
            this.steps = steps;
        }

        OptionalDouble of(PortStatus port) {
            return value.apply(port);
        }

        boolean isStep(double before, OptionalDouble after) {
            return after.isPresent() && steps.test(before, after.getAsDouble());
        }
    }

    /** All ports of the device: light that is there need not be at a port that the kit may use. */
    private static WatchRequest usual(Bench bench) {
        return WatchRequest.newBuilder()
                .setClientName("lightpath-driver-conformance")
                .addDevices(DeviceScope.newBuilder().setDeviceId(bench.deviceId()))
                .build();
    }

    private static WatchRequest withStep(Bench bench, double stepDb) {
        return usual(bench).toBuilder().setReceivePowerStepDb(stepDb).build();
    }

    private static void weaker(Bench bench, Measure measure, WatchRequest request) throws Exception {
        judge(bench, measure, request, port -> new Fault.WeakerLight(port.getPort(), WEAKER_DB));
    }

    private static void temperature(Bench bench) throws Exception {
        judge(
                bench,
                Measure.TEMPERATURE,
                usual(bench),
                port -> new Fault.Temperature((int) Math.round(port.getTemperatureCelsius()) + WARMER_CELSIUS));
    }

    private static void attenuation(Bench bench) throws Exception {
        String device = bench.deviceId();
        try (Watching watching = bench.watch(usual(bench))) {
            watching.awaitSynced();
            PortStatus before = measuring(watching, device, Measure.ATTENUATION);
            double was = before.getAttenuation().getSetDb();
            int other = was == ATTENUATED_DB ? ATTENUATED_DB + 1 : ATTENUATED_DB;
            bench.faults().inject(new Fault.Attenuated(before.getPort(), other));
            try {
                told(watching, device, before, Measure.ATTENUATION);
            } finally {
                bench.faults().inject(new Fault.Attenuated(before.getPort(), (int) Math.round(was)));
            }
        }
    }

    private static void judge(Bench bench, Measure measure, WatchRequest request, Function<PortStatus, Fault> fault)
            throws Exception {
        try (Watching watching = bench.watch(request)) {
            watching.awaitSynced();
            PortStatus before = measuring(watching, bench.deviceId(), measure);
            bench.faults().inject(fault.apply(before));
            told(watching, bench.deviceId(), before, measure);
        }
    }

    /** A port that measures this. */
    private static PortStatus measuring(Watching watching, String device, Measure measure) {
        return watching.messages().stream()
                .filter(m -> m.getSnapshot().getDeviceId().equals(device))
                .flatMap(m -> m.getSnapshot().getPortsList().stream())
                .filter(port -> measure.of(port).isPresent())
                .findFirst()
                .orElseThrow(() -> new Inapplicable(NOT_MEASURED + measure.words));
    }

    private static void told(Watching watching, String device, PortStatus before, Measure measure) {
        double was = measure.of(before).orElseThrow();
        watching.await(
                measure.words + " of port " + before.getPort() + ", another than " + was,
                message -> port(message, device, before.getPort())
                        .filter(after -> measure.isStep(was, measure.of(after)))
                        .isPresent());
    }

    private static Optional<PortStatus> port(WatchResponse message, String device, String port) {
        List<PortStatus> ports = message.getPortsChanged().getDeviceId().equals(device)
                ? message.getPortsChanged().getPortsList()
                : List.of();
        return ports.stream().filter(each -> each.getPort().equals(port)).findFirst();
    }
}
