package dev.lightpath.sim.http;

import dev.lightpath.sim.core.Hardware;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.function.ToDoubleFunction;

/** The emulator's metrics, as of the last scrape. */
final class Meters {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private volatile Hardware.Counts counts = new Hardware.Counts(0, 0, 0, 0, 0, 0, 0, 0);
    private volatile long lightChanges;

    Meters() {
        gauge("lightpath_emulator_devices", "Devices emulated", Hardware.Counts::devices);
        gauge("lightpath_emulator_devices_unpowered", "Devices without power", Hardware.Counts::unpowered);
        gauge("lightpath_emulator_devices_silent", "Devices whose management is silent", Hardware.Counts::silent);
        gauge("lightpath_emulator_circuits_lit", "Circuits that really pass light", Hardware.Counts::litCircuits);
        gauge("lightpath_emulator_moves_in_progress", "Moves under way", Hardware.Counts::moving);
        gauge("lightpath_emulator_receivers_locked", "Receivers that are locked", Hardware.Counts::lockedReceivers);
        gauge("lightpath_emulator_faults", "Faults that stand", Hardware.Counts::faults);
        FunctionCounter.builder("lightpath_emulator_moves", this, meters -> meters.counts.movesBegun())
                .description("Moves begun")
                .register(registry);
        FunctionCounter.builder("lightpath_emulator_light_changes", this, meters -> meters.lightChanges)
                .description("Changes of real light")
                .register(registry);
    }

    void set(Hardware.Counts now, long changes) {
        counts = now;
        lightChanges = changes;
    }

    String scrape() {
        return registry.scrape();
    }

    private void gauge(String name, String help, ToDoubleFunction<Hardware.Counts> value) {
        Gauge.builder(name, this, meters -> value.applyAsDouble(meters.counts))
                .description(help)
                .register(registry);
    }
}
