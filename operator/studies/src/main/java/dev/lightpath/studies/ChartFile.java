package dev.lightpath.studies;

import dev.lightpath.console.text.BadInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;

/** Draws a chart as an SVG file. */
final class ChartFile {
    private static final int WIDTH_PIXELS = 900;
    private static final int HEIGHT_PIXELS = 560;

    private ChartFile() {}

    /** @throws BadInput if no chart can be written there, which is better known before a long study */
    static Path checked(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        if (!file.toString().endsWith(".svg") || Files.isDirectory(file)) {
            throw new BadInput("--plot '" + file + "': the name of an .svg file is wanted");
        }
        if (folder == null || !Files.isDirectory(folder)) {
            throw new BadInput("--plot " + file + ": there is no folder " + folder);
        }
        return file;
    }

    static void write(Chart chart, Path file) {
        XYChart plot = new XYChartBuilder()
                .width(WIDTH_PIXELS)
                .height(HEIGHT_PIXELS)
                .title(chart.title())
                .xAxisTitle(chart.xLabel())
                .yAxisTitle(chart.yLabel())
                .build();
        for (Chart.Series series : chart.series()) {
            plot.addSeries(
                    series.name(),
                    series.points().stream().mapToDouble(Chart.Point::x).toArray(),
                    series.points().stream().mapToDouble(Chart.Point::y).toArray());
        }
        try {
            VectorGraphicsEncoder.saveVectorGraphic(plot, file.toString(), VectorGraphicsFormat.SVG);
        } catch (IOException e) {
            throw new BadInput("--plot " + file + ": cannot be written: " + e.getMessage(), e);
        }
    }
}
