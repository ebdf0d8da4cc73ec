package dev.lightpath.app.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lightpath.app.monitoring.Dashboard.Uid;
import dev.lightpath.app.monitoring.Panel.Target;
import dev.lightpath.app.monitoring.Prometheus.Sample;
import dev.lightpath.proto.emulator.v1alpha1.ChaosServiceGrpc;
import dev.lightpath.proto.emulator.v1alpha1.DeviceTruth;
import dev.lightpath.proto.emulator.v1alpha1.GetGroundTruthRequest;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every query of every dashboard, asked of a real Prometheus after a day of faults and jobs on the local environment, and
 * compared with what API server and emulated hardware say. Runs with {@code -Pdashboards}.
 */
@Tag("dashboards")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DashboardsIT {
    private static final int PORT_BASE = 23400;
    private static final int NODES = 32;
    private static final Path COMMAND_LINE = Path.of("..", "soak", "target", "lightpath-soak.jar");
    private static final String FAULTY = "n31";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern VARIABLE = Pattern.compile("\\$(fabric|namespace|job|device|port)\\b");

    private LocalEnvironment environment;
    private Prometheus prometheus;
    private List<Dashboard> dashboards;
    private ManagedChannel emulator;

    @BeforeAll
    void play(@TempDir Path folder) throws IOException, InterruptedException {
        assertThat(COMMAND_LINE)
                .as("the packaged command line; ./mvnw package -DskipTests builds it")
                .exists();
        dashboards = Scrapes.take(Files.createDirectory(folder.resolve("driver")))
                .dashboards()
                .all();
        environment = new LocalEnvironment(PORT_BASE, NODES);
        emulator = Grpc.newChannelBuilder(environment.variable("EMULATOR"), InsecureChannelCredentials.create())
                .build();
        Path rules = Files.writeString(folder.resolve("rules.yaml"), AlertRules.plain());
        prometheus = new Prometheus(
                folder,
                rules,
                new TreeMap<>(Map.of(
                        "operator", environment.address(14) + "/q/metrics",
                        "driver", environment.address(13) + "/metrics",
                        "ports", environment.address(13) + "/metrics/ports",
                        "emulator", environment.address(11) + "/metrics")));
        environment.study(
                COMMAND_LINE.toAbsolutePath(),
                "--from",
                "59.5",
                "--days",
                "1",
                "--speed",
                "1e6",
                "--turnovers",
                "4",
                "--limit",
                "60",
                "-o",
                "json");
        environment.kubectl(
                "apply",
                "-f",
                DashboardsTest.ROOT.resolve("deploy/local/two-fabrics.yaml").toString());
        environment.kubectl("wait", "--for=condition=Ready", "trainingjob/llm", "--timeout=120s");
        environment.kubectl("annotate", "trainingjob", "llm", "lightpath.dev/iteration-seconds=0.625");
        environment.kubectl("annotate", "node", FAULTY, "lightpath.dev/faulty=optics");
        await().atMost(Duration.ofMinutes(3))
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(prometheus.value("sum(lightpath_fabric_nodes{state=\"faulty\"})"))
                        .as("the node is one of the ring and of a pod")
                        .isEqualTo(2));
    }

    @AfterAll
    void stop() throws IOException, InterruptedException {
        if (prometheus != null) {
            prometheus.close();
        }
        if (emulator != null) {
            emulator.shutdownNow();
        }
        if (environment != null) {
            environment.close();
        }
    }

    /** With everything chosen. */
    private static String all(String query) {
        return VARIABLE.matcher(query)
                .replaceAll(".*")
                .replace("$__rate_interval", "20m")
                .replace("$__range", "20m");
    }

    private Panel panel(Uid dashboard, String title) {
        return dashboards.stream()
                .filter(each -> each.of() == dashboard)
                .flatMap(each -> each.panels().stream())
                .filter(each -> each.title.equals(title))
                .findFirst()
                .orElseThrow();
    }

    private List<Sample> shown(Uid dashboard, String title) throws IOException, InterruptedException {
        return prometheus.ask(
                all(panel(dashboard, title).targets.getFirst().query().text()));
    }

    private double stat(Uid dashboard, String title) throws IOException, InterruptedException {
        List<Sample> samples = shown(dashboard, title);
        assertThat(samples).as(title).hasSize(1);
        return samples.getFirst().value();
    }

    private JsonNode get(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("get"));
        command.addAll(List.of(arguments));
        command.addAll(List.of("-o", "json"));
        return JSON.readTree(environment.kubectl(command.toArray(String[]::new)));
    }

    @Test
    void everyPanelIsAnsweredAndShowsWhatThereIs() throws IOException, InterruptedException {
        List<String> empty = new ArrayList<>();
        int asked = 0;
        for (Dashboard dashboard : dashboards) {
            for (Panel panel : dashboard.panels()) {
                boolean shows = false;
                for (Target target : panel.targets) {
                    asked++;
                    shows |= prometheus.ask(all(target.query().text())).stream()
                            .anyMatch(sample -> !Double.isNaN(sample.value()));
                }
                if (!shows && panel.data == Panel.Data.ALWAYS) {
                    empty.add(dashboard.of() + ": " + panel.title);
                }
            }
        }
        assertThat(empty).isEmpty();
        assertThat(asked).isGreaterThan(80);
    }

    @Test
    void figuresAreThoseOfTheApiServer() throws IOException, InterruptedException {
        JsonNode jobs = get("trainingjobs", "--all-namespaces").get("items");
        long ready = 0;
        for (JsonNode job : jobs) {
            for (JsonNode condition : job.at("/status/conditions")) {
                ready += condition.get("type").asText().equals("Ready")
                                && condition.get("status").asText().equals("True")
                        ? 1
                        : 0;
            }
        }
        assertThat(ready).isEqualTo(1);
        assertThat(stat(Uid.FLEET, "Jobs ready")).isEqualTo(ready);
        assertThat(shown(Uid.JOBS, "Jobs"))
                .hasSize(2)
                .allSatisfy(row -> assertThat(row.labels())
                        .containsEntry("namespace", "default")
                        .containsEntry("job", "llm")
                        .containsEntry("state", "ready"));
        long faulty = 0;
        long missing = 0;
        for (JsonNode fabric : get("opticalfabrics").get("items")) {
            faulty += fabric.at("/status/nodes/faulty").asLong();
            missing += fabric.at("/status/circuits/missing").asLong();
        }
        assertThat(faulty).as("the node is one of the ring and of a pod").isEqualTo(2);
        assertThat(stat(Uid.FLEET, "Nodes faulty")).isEqualTo(faulty);
        assertThat(stat(Uid.FLEET, "Circuits missing")).isEqualTo(missing);
        assertThat(shown(Uid.FAULTS, "Faults that stand")).hasSize(2).allSatisfy(row -> {
            assertThat(row.labels())
                    .containsEntry("kind", "node")
                    .containsEntry("device", FAULTY)
                    .containsEntry("signal", "DeclaredFaulty");
            assertThat(row.value()).isBetween(0.0, 600.0);
        });
        SortedMap<String, Double> revisions = new TreeMap<>();
        for (JsonNode slice : get("trainingjob", "llm").at("/status/slices")) {
            revisions.put(slice.get("fabric").asText(), slice.get("revision").asDouble());
        }
        assertThat(byLabel(shown(Uid.JOBS, "Repairs and moves"), "fabric")).isEqualTo(revisions);
        double predicted = Double.parseDouble(get("trainingjob", "llm")
                .at("/status/prediction/iterationSeconds")
                .asText());
        assertThat(byLabel(shown(Uid.JOBS, "Iteration"), "which"))
                .containsEntry("predicted", predicted)
                .containsEntry("measured", 0.625);
        assertThat(shown(Uid.RING, "Switches"))
                .hasSize(get("opticalswitches").get("items").size());
    }

    @Test
    void figuresAreThoseOfTheHardware() throws IOException, InterruptedException {
        SortedMap<String, Double> lit = new TreeMap<>();
        for (DeviceTruth device : ChaosServiceGrpc.newBlockingStub(emulator)
                .getGroundTruth(GetGroundTruthRequest.getDefaultInstance())
                .getDevicesList()) {
            if (device.getDeviceId().startsWith("ocs-")) {
                lit.put(device.getDeviceId(), (double) device.getCircuitsCount());
            }
        }
        assertThat(lit.values().stream().mapToDouble(circuits -> circuits).sum())
                .isPositive();
        assertThat(byLabel(shown(Uid.SWITCHES, "Circuits"), "device")).isEqualTo(lit);
        double recorded = 0;
        for (Sample row : shown(Uid.JOBS, "Circuits")) {
            if (row.labels().get("fabric").equals("spine")
                    && row.labels().get("state").equals("lit")) {
                recorded += row.value();
            }
        }
        assertThat(recorded)
                .as("all circuits of the switches are those of the job")
                .isEqualTo(
                        lit.values().stream().mapToDouble(circuits -> circuits).sum());
    }

    /** Each repair that was timed is a change of light by its cause. */
    @Test
    void theObjectiveCountsTheRepairsThereWere() throws IOException, InterruptedException {
        double repairs = prometheus.value("sum(lightpath_fault_to_light_seconds_count)");
        assertThat(repairs).isPositive();
        assertThat(prometheus.value("sum(lightpath_light_moved_total{cause=\"repair\"})"))
                .isGreaterThanOrEqualTo(repairs);
        assertThat(prometheus.value("sum(lightpath_fault_to_light_seconds_bucket{le=\"1.0\"})"))
                .isBetween(0.0, repairs);
        assertThat(stat(Uid.FAULTS, "In time")).isBetween(0.0, 1.0);
    }

    /** The day that was played is normal work. How fast a repair is depends on what else this machine does. */
    @Test
    void alertsAreQuietInNormalWork() throws IOException, InterruptedException {
        List<String> firing = new ArrayList<>();
        for (Sample alert : prometheus.ask(
                "max_over_time(ALERTS{alertstate=\"firing\",alertname!=\"LightpathRepairsSlow\"}[20m])")) {
            firing.add(alert.labels().get("alertname") + " " + alert.labels());
        }
        assertThat(firing).isEmpty();
    }

    private static SortedMap<String, Double> byLabel(List<Sample> samples, String label) {
        SortedMap<String, Double> values = new TreeMap<>();
        samples.forEach(sample -> values.put(sample.labels().get(label), sample.value()));
        return values;
    }
}
