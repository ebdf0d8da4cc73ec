package dev.lightpath.app.monitoring;

import java.util.List;

/**
 * What the dashboards show. A name that no process exports, a label that its series has not, and a value that the label
 * never has do not pass the constructor.
 */
final class Dashboards {
    private final Series series;

    /** @param ports the driver's page of single ports */
    Dashboards(Catalogue operator, Catalogue driver, Catalogue ports) {
        this.series = new Series(operator, driver, ports);
    }

    List<Dashboard> all() {
        return List.of(
                new FleetDashboard(series).dashboard(),
                new RingDashboard(series).dashboard(),
                new SwitchesDashboard(series).dashboard(),
                new JobsDashboard(series).dashboard(),
                new FaultsDashboard(series).dashboard(),
                new OperatorDashboard(series).dashboard(),
                new DriversDashboard(series).dashboard());
    }
}
