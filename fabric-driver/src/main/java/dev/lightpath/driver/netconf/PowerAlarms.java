package dev.lightpath.driver.netconf;

import dev.lightpath.driver.session.OneLine;
import dev.lightpath.driver.session.StandingAlarms;

/** The notifications {@code port-power-...}. */
final class PowerAlarms {
    private PowerAlarms() {}

    /** Takes a notification; others than those about power change nothing. */
    static void take(Element notification, StandingAlarms standing) {
        for (Element event : notification.children()) {
            if (!event.name().startsWith("port-power-")) {
                continue;
            }
            String port = event.text("port-id").isEmpty() ? event.text("port") : event.text("port-id");
            boolean warning = event.name().contains("warn");
            String key = port + (warning ? "/warning" : "");
            if (event.name().endsWith("-clear")) {
                standing.clear(key);
            } else {
                standing.raise(key, OneLine.of(port), warning, event.name());
            }
        }
    }
}
