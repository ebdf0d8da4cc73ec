package dev.lightpath.studies;

import java.util.List;

/**
 * Lines over a common axis.
 *
 * @param title above the plot
 * @param xLabel with its unit
 * @param yLabel with its unit
 * @param series one line each
 */
public record Chart(String title, String xLabel, String yLabel, List<Series> series) {
    public Chart {
        series = List.copyOf(series);
    }

    /**
     * One line.
     *
     * @param points in the order they are joined
     */
    public record Series(String name, List<Point> points) {
        public Series {
            points = List.copyOf(points);
        }
    }

    /** One point of a line. */
    public record Point(double x, double y) {}
}
