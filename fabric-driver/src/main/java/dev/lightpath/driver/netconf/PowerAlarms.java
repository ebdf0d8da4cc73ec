package dev.lightpath.driver.netconf;

import dev.lightpath.driver.adapter.PortLayout;
import dev.lightpath.driver.session.LostException;
import dev.lightpath.driver.session.Ports;
import dev.lightpath.driver.session.StandingAlarms;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** The notifications {@code port-power-...}. */
final class PowerAlarms {
    private PowerAlarms() {}

    /**
     * Takes a notification; others than those about the power of a port that the device has change nothing.
     *
     * @param hiding takes out of the device's words what nobody may read
     */
    static void take(Element notification, PortLayout layout, StandingAlarms standing, UnaryOperator<String> hiding) {
        Optional<Instant> at = time(notification.text("eventTime"));
        for (Element event : notification.children()) {
            if (!event.name().startsWith("port-power-")) {
                continue;
            }
            try {
                String said = event.text("port-id").isEmpty() ? event.text("port") : event.text("port-id");
                String port = Ports.name(layout, said, event.name());
                boolean warning = event.name().contains("warn");
                String key = port + (warning ? "/warning" : "");
                if (event.name().endsWith("-clear")) {
                    standing.clear(key, port, at);
                } else {
                    standing.raise(key, port, warning, hiding.apply(event.name()), at);
                }
            } catch (LostException noSuchPort) {
                // it is the alarm of nothing that the driver knows
            }
        }
    }

    private static Optional<Instant> time(String said) {
        try {
            return Optional.of(OffsetDateTime.parse(said).toInstant());
        } catch (DateTimeParseException none) {
            return Optional.empty();
        }
    }
}
