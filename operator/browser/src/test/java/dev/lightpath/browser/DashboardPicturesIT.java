package dev.lightpath.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every dashboard, drawn in the distribution's Chromium from what a real Prometheus recorded of a job, a fault and a
 * drain. The page draws what the files say with the library that Grafana draws graphs with. Grafana itself is not run.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DashboardPicturesIT {
    private static final Path PICTURES = Path.of("..", "..", "docs", "pictures", "dashboards");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int REST_SECONDS = 30;
    private static final double TOLERANCE = 1e-9;

    /**
     * What has no data as long as devices do what they are told, nothing waits for a person, and switches have no
     * meters. The environment has no certificates and no agents on its nodes. One search for circuits is no rate.
     */
    private static final Set<String> QUIET = Set.of(
            "Agents of nodes that are away",
            "Certificates expire in",
            "Changes that devices do not make",
            "Choices of circuits",
            "Waits for a person",
            "Insertion loss",
            "Rise of insertion loss",
            "Loss of a port",
            "Receiver of a port",
            "Bit errors of a port",
            "Temperature of a port");

    private final Environment environment = Environment.fromVariables();
    private Chromium chromium;
    private DashboardPage served;
    private long start;
    private long end;

    /** As a reader of Prometheus sees a target of a panel. */
    private record Row(JsonNode labels, List<Double> values) {}

    @BeforeAll
    void play() throws IOException, InterruptedException {
        served = new DashboardPage(Environment.variable("LIGHTPATH_PROMETHEUS"));
        start = Instant.now().getEpochSecond();
        environment.apply(Jobs.onTwoFabrics("drawn"));
        environment.run("wait", "tj/drawn", "--for=condition=Ready", "--timeout=60s");
        environment.apply(Jobs.tooLarge("waits"));
        environment.run("annotate", "tj", "drawn", "lightpath.dev/iteration-seconds=0.625");
        rest();
        String faulty = environment
                .json("get", "fs", "-l", "lightpath.dev/job=drawn")
                .at("/items/0/status/allocation/groups/0/nodes/1")
                .asText();
        environment.run("annotate", "node", faulty, "lightpath.dev/faulty=optics");
        rest();
        environment.run("wait", "tj/drawn", "--for=condition=Ready", "--timeout=60s");
        end = Instant.now().getEpochSecond();
        chromium = Chromium.open();
        Files.createDirectories(PICTURES);
    }

    /** As long as a rate needs. */
    private static void rest() throws InterruptedException {
        TimeUnit.SECONDS.sleep(REST_SECONDS);
    }

    @AfterAll
    void close() {
        environment.run("annotate", "node", "--all", "lightpath.dev/faulty-");
        environment.run("delete", "tj", "--all", "--wait=false");
        if (chromium != null) {
            chromium.close();
        }
        served.close();
    }

    static Stream<String> dashboards() throws IOException {
        try (Stream<Path> files = Files.list(DashboardPage.DASHBOARDS)) {
            return files
                    .map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".json"))
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    @ParameterizedTest
    @MethodSource("dashboards")
    void isDrawnAsPrometheusAnswers(String name) throws IOException {
        JsonNode dashboard =
                JSON.readTree(DashboardPage.DASHBOARDS.resolve(name).toFile());
        List<String> wrong = new ArrayList<>();
        try (Page page = chromium.browser().newPage()) {
            page.setViewportSize(1400, 900);
            page.onConsoleMessage(message -> wrong.add(message.text()));
            page.onPageError(wrong::add);
            page.navigate(served.address(name, start, end));
            page.waitForCondition(
                    () -> !wrong.isEmpty() || page.locator("body[data-drawn]").count() == 1);
            assertThat(wrong).isEmpty();
            List<String> empty = new ArrayList<>();
            for (JsonNode panel : dashboard.get("panels")) {
                String title = panel.get("title").asText();
                Locator box = page.locator("section.%s[data-panel=\"%s\"]"
                        .formatted(panel.get("type").asText(), title));
                assertThat(box.count()).as("%s, %s", name, title).isEqualTo(1);
                boolean quiet = switch (panel.get("type").asText()) {
                    case "timeseries" -> lines(panel, box);
                    case "stat" -> value(panel, box);
                    case "table" -> rows(panel, box);
                    default -> false;
                };
                if (quiet && !QUIET.contains(title)) {
                    empty.add(title);
                }
            }
            page.screenshot(new Page.ScreenshotOptions()
                    .setFullPage(true)
                    .setPath(PICTURES.resolve(name.replace("lightpath-", "").replace(".json", ".png"))));
            assertThat(empty).as("panels of %s without data", name).isEmpty();
        }
    }

    /** Compares the legend, and looks for a colour of a line. @return whether there is none */
    private boolean lines(JsonNode panel, Locator box) throws IOException {
        Set<String> told = new TreeSet<>();
        for (JsonNode target : panel.get("targets")) {
            for (Row row : overTime(target)) {
                String legend = target.get("legendFormat").asText();
                for (var label : row.labels().properties()) {
                    legend = legend.replace(
                            "{{" + label.getKey() + "}}", label.getValue().asText());
                }
                told.add(legend);
            }
        }
        assertThat(box.locator("li").allTextContents())
                .as(panel.get("title").asText())
                .hasSameElementsAs(told);
        if (told.isEmpty()) {
            assertThat(box.textContent()).contains("No data");
            return true;
        }
        BufferedImage picture =
                ImageIO.read(new ByteArrayInputStream(box.locator("canvas").screenshot()));
        assertThat(coloured(picture))
                .as("pixels of the lines of %s", panel.get("title").asText())
                .isGreaterThan(20);
        return false;
    }

    /** Pixels that are not grey. */
    private static int coloured(BufferedImage picture) {
        int coloured = 0;
        for (int x = 0; x < picture.getWidth(); x++) {
            for (int y = 0; y < picture.getHeight(); y++) {
                int rgb = picture.getRGB(x, y);
                int red = rgb >> 16 & 255;
                int green = rgb >> 8 & 255;
                int blue = rgb & 255;
                if (Math.max(red, Math.max(green, blue)) - Math.min(red, Math.min(green, blue)) > 64) {
                    coloured++;
                }
            }
        }
        return coloured;
    }

    private boolean value(JsonNode panel, Locator box) throws IOException {
        List<Row> rows = overTime(panel.at("/targets/0"));
        if (rows.isEmpty()) {
            assertThat(box.textContent()).contains("No data");
            return true;
        }
        assertThat(Double.parseDouble(box.locator(".value").getAttribute("data-value")))
                .as(panel.get("title").asText())
                .isEqualTo(rows.getLast().values().getLast(), within(TOLERANCE));
        return false;
    }

    /** A row of the table is one set of labels, whatever queries have it. */
    private boolean rows(JsonNode panel, Locator box) throws IOException {
        Set<String> told = new TreeSet<>();
        Set<String> columns = new TreeSet<>();
        JsonNode names = panel.at("/transformations/1/options/renameByName");
        for (JsonNode target : panel.get("targets")) {
            JsonNode rows = asked("query", target, "&time=" + end);
            JsonNode column = names.path("Value #" + target.get("refId").asText());
            if (!rows.isEmpty() && column.isTextual()) {
                columns.add(column.asText());
            }
            for (JsonNode row : rows) {
                told.add(row.get("metric").properties().stream()
                        .map(label -> label.getValue().asText())
                        .sorted()
                        .collect(Collectors.joining(" ")));
            }
        }
        if (told.isEmpty()) {
            assertThat(box.textContent()).contains("No data");
            return true;
        }
        assertThat(box.locator("tr:has(td)").count())
                .as(panel.get("title").asText())
                .isEqualTo(told.size());
        String drawn = box.textContent();
        told.forEach(row -> assertThat(drawn).contains(row.split(" ")));
        assertThat(box.locator("th").allTextContents()).containsAll(columns);
        return false;
    }

    private List<Row> overTime(JsonNode target) throws IOException {
        List<Row> rows = new ArrayList<>();
        for (JsonNode row : asked("query_range", target, "&start=" + start + "&end=" + end + "&step=1")) {
            List<Double> values = new ArrayList<>();
            row.get("values")
                    .forEach(value -> values.add(Double.parseDouble(value.get(1).asText())));
            values.removeIf(value -> !Double.isFinite(value));
            if (!values.isEmpty()) {
                rows.add(new Row(row.get("metric"), values));
            }
        }
        return rows;
    }

    private JsonNode asked(String how, JsonNode target, String more) throws IOException {
        String query = target.get("expr")
                .asText()
                .replace("$__rate_interval", "20s")
                .replace("$__range", end - start + "s")
                .replaceAll("\\$[a-z]+", ".*");
        JsonNode answer = JSON.readTree(
                served.asked("/api/v1/" + how + "?query=" + URLEncoder.encode(query, StandardCharsets.UTF_8) + more));
        assertThat(answer.path("status").asText()).as(query).isEqualTo("success");
        return answer.at("/data/result");
    }
}
