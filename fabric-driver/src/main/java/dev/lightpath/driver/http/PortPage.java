package dev.lightpath.driver.http;

import dev.lightpath.driver.contract.ControlledDevice;
import dev.lightpath.driver.contract.Fleet;
import dev.lightpath.driver.contract.view.DeviceView;
import dev.lightpath.proto.driver.v1alpha1.LockState;
import dev.lightpath.proto.driver.v1alpha1.PortOperState;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import dev.lightpath.serving.pages.StatusPages;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Series of single ports, as a page of their own, so that only who asks for them has them. The query names devices:
 * {@code device=NAME}, or {@code device=PREFIX*}, any number of times; without one all switches are shown. At most
 * {@link #MOST} ports are.
 */
public final class PortPage {
    /** Ports of one page. */
    static final int MOST = 4096;

    private static final int MOST_NAMES = 64;

    private final Fleet fleet;
    private final LossBaselines baselines;

    public PortPage(Fleet fleet, LossBaselines baselines) {
        this.fleet = fleet;
        this.baselines = baselines;
    }

    /** Answers a query as it stands in the address; null for none. Linear in ports. */
    public StatusPages.Answer answer(@Nullable String query) {
        List<String> names = new ArrayList<>();
        if (query != null && !query.isEmpty()) {
            for (String part : query.split("&")) {
                if (!part.startsWith("device=") || part.length() == 7 || names.size() == MOST_NAMES) {
                    return refusal(part);
                }
                try {
                    names.add(URLDecoder.decode(part.substring(7), StandardCharsets.UTF_8));
                } catch (IllegalArgumentException notEncoded) {
                    return refusal(part);
                }
            }
        }
        return new StatusPages.Answer(200, StatusPages.METRICS, page(names));
    }

    private static StatusPages.Answer refusal(String part) {
        return new StatusPages.Answer(
                400,
                "text/plain",
                "query: '" + part + "' is not allowed; allowed is device=NAME or device=PREFIX*, at most " + MOST_NAMES
                        + " times\n");
    }

    private static boolean names(List<String> names, DeviceView view) {
        if (names.isEmpty()) {
            return SwitchMeters.isSwitch(view);
        }
        return names.stream()
                .anyMatch(name -> name.endsWith("*")
                        ? view.deviceId().startsWith(name.substring(0, name.length() - 1))
                        : view.deviceId().equals(name));
    }

    private String page(List<String> names) {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        try {
            int ports = 0;
            for (ControlledDevice device : fleet.devices().values()) {
                DeviceView view = device.view();
                if (names(names, view)) {
                    Map<String, Loss> losses = losses(view);
                    for (PortStatus port : view.ports().values()) {
                        if (ports++ < MOST) {
                            show(registry, view.deviceId(), port, losses.get(port.getPort()));
                        }
                    }
                }
            }
            gauge(
                    registry,
                    "lightpath_driver_ports_left_out",
                    "Ports beyond the most of one page",
                    Tags.empty(),
                    Math.max(0, ports - MOST));
            return registry.scrape();
        } finally {
            registry.close();
        }
    }

    /**
     * Of the circuit that begins at a port.
     *
     * @param riseDb since it was first measured
     */
    private record Loss(double lossDb, double riseDb) {}

    private Map<String, Loss> losses(DeviceView view) {
        Map<String, Loss> losses = new HashMap<>();
        baselines
                .rises(view)
                .forEach((pair, rise) -> losses.put(
                        pair.ingress(),
                        new Loss(
                                Objects.requireNonNull(view.circuits().get(pair))
                                        .getMeasuredLossDb(),
                                rise)));
        return losses;
    }

    private static void show(MeterRegistry registry, String device, PortStatus port, @Nullable Loss loss) {
        Tags tags = Tags.of("device", device, "port", port.getPort());
        if (port.getOperState() != PortOperState.PORT_OPER_STATE_UNSPECIFIED) {
            gauge(
                    registry,
                    "lightpath_driver_port_works",
                    "1 while the port works, 0.5 while it works badly, 0 while it does not",
                    tags,
                    works(port.getOperState()));
        }
        if (port.getLockState() != LockState.LOCK_STATE_UNSPECIFIED) {
            gauge(
                    registry,
                    "lightpath_driver_port_locked",
                    "1 while the receiver of the port hears its far end, else 0",
                    tags,
                    port.getLockState() == LockState.LOCK_STATE_LOCKED ? 1 : 0);
        }
        if (port.hasReceivePowerDbm()) {
            gauge(
                    registry,
                    "lightpath_driver_port_receive_power_dbm",
                    "Receive power of the port",
                    tags,
                    port.getReceivePowerDbm());
        }
        if (port.hasPreFecBitErrorRatio()) {
            gauge(
                    registry,
                    "lightpath_driver_port_bit_error_ratio",
                    "Share of the bits that the receiver of the port gets wrong before error correction",
                    tags,
                    port.getPreFecBitErrorRatio());
        }
        if (port.hasTemperatureCelsius()) {
            gauge(
                    registry,
                    "lightpath_driver_port_temperature_celsius",
                    "Temperature of the module of the port",
                    tags,
                    port.getTemperatureCelsius());
        }
        if (loss != null) {
            gauge(
                    registry,
                    "lightpath_driver_port_loss_db",
                    "Insertion loss of the circuit that begins at the port",
                    tags,
                    loss.lossDb());
            gauge(
                    registry,
                    "lightpath_driver_port_loss_rise_db",
                    "Rise of that loss since the circuit was first measured",
                    tags,
                    loss.riseDb());
        }
    }

    private static double works(PortOperState state) {
        return switch (state) {
            case PORT_OPER_STATE_OK -> 1;
            case PORT_OPER_STATE_DEGRADED -> 0.5;
            case PORT_OPER_STATE_FAILED, PORT_OPER_STATE_UNSPECIFIED, UNRECOGNIZED -> 0;
        };
    }

    private static void gauge(MeterRegistry registry, String name, String help, Tags tags, double value) {
        Gauge.builder(name, () -> value).description(help).tags(tags).register(registry);
    }
}
