package dev.lightpath.app.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
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
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every query of every dashboard, asked of a real Prometheus after a day of faults and jobs on the local environment,
 * and compared with what API server and emulated hardware say. Runs with {@code -Pdashboards}.
 */
@Tag("dashboards")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DashboardsIT {
    private static final int PORT_BASE = 23400;
    private static final int NODES = 32;
    private static final Path COMMAND_LINE = Path.of("..", "soak", "target", "lightpath-soak.jar");
    private static final String FAULTY = "n31";

    /** How fast a repair is depends on what else this machine does. */
    private static final String TIMED = "LightpathRepairsSlow";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern VARIABLE = Pattern.compile("\\$(fabric|namespace|job|device|port)\\b");

    private LocalEnvironment environment;
    private Prometheus prometheus;
    private List<Dashboard> dashboards;
    private ManagedChannel emulator;
    private Path folder;
    private Instant began;

    @BeforeAll
    void play(@TempDir Path own) throws IOException, InterruptedException {
        folder = own;
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
        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(
                        () -> assertThat(prometheus.ask("lightpath_fabric_nodes and on () lightpath_driver_devices"))
                                .as("the first scrapes")
                                .isNotEmpty());
        // a recording that begins with a gap would interrupt every alert each time it is repeated
        began = Instant.now().plusSeconds(1);
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
        environment.train();
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

    /** Every column of the table of fabrics, and every state of the pictures of the ring. */
    @Test
    void fabricsAreThoseOfTheirStatuses() throws IOException, InterruptedException {
        Map<String, String> columns = Map.of(
                "GPUs", "/status/gpus/total",
                "usable", "/status/gpus/usable",
                "allocated", "/status/gpus/allocated",
                "faulty nodes", "/status/nodes/faulty",
                "circuits planned", "/status/circuits/planned",
                "lit", "/status/circuits/lit",
                "missing", "/status/circuits/missing");
        JsonNode fabrics = get("opticalfabrics").get("items");
        assertThat(fabrics).hasSize(2);
        for (Target column : panel(Uid.FLEET, "Fabrics").targets) {
            SortedMap<String, Double> told = new TreeMap<>();
            fabrics.forEach(fabric -> told.put(
                    fabric.at("/metadata/name").asText(),
                    column.name().equals("driver answers")
                            ? 1
                            : fabric.at(columns.get(column.name())).asDouble()));
            assertThat(byLabel(prometheus.ask(all(column.query().text())), "fabric"))
                    .as(column.name())
                    .isEqualTo(told);
        }
        for (String what : List.of("Nodes", "GPUs", "Circuits")) {
            List<Sample> shown = shown(Uid.RING, what);
            assertThat(shown).as(what).hasSizeGreaterThan(5);
            for (Sample row : shown) {
                for (JsonNode fabric : fabrics) {
                    if (fabric.at("/metadata/name").asText().equals(row.labels().get("fabric"))) {
                        assertThat(row.value())
                                .as(what + " " + row.labels())
                                .isEqualTo(fabric.at("/status/" + what.toLowerCase(Locale.ROOT) + "/"
                                                + row.labels().get("state"))
                                        .asDouble());
                    }
                }
            }
        }
    }

    /** What each job has by its own record, and the epoch by its ConfigMap. */
    @Test
    void recordsAreThoseOfTheApiServer() throws IOException, InterruptedException {
        double recorded = 0;
        for (JsonNode slice : get("fabricslices", "--all-namespaces").get("items")) {
            if (slice.at("/spec/fabric").asText().equals("spine")) {
                for (JsonNode on : slice.at("/status/allocation/circuits")) {
                    recorded += on.get("circuits").size();
                }
            }
        }
        double shown = 0;
        for (Sample row : shown(Uid.JOBS, "Circuits")) {
            boolean counts = row.labels().get("fabric").equals("spine")
                    && row.labels().get("state").equals("recorded");
            shown += counts ? row.value() : 0;
        }
        assertThat(recorded).isPositive();
        assertThat(shown).isEqualTo(recorded);
        assertThat(stat(Uid.OPERATOR, "Epoch"))
                .isEqualTo(get("configmap", "lightpath-epoch", "--namespace", "lightpath-system")
                        .at("/data/epoch")
                        .asDouble());
    }

    /** The driver sees every device of the emulator. */
    @Test
    void devicesAreThoseOfTheHardware() throws IOException, InterruptedException {
        var truth = ChaosServiceGrpc.newBlockingStub(emulator)
                .getGroundTruth(GetGroundTruthRequest.getDefaultInstance())
                .getDevicesList();
        SortedMap<String, Double> devices = byLabel(shown(Uid.DRIVERS, "Devices"), "availability");
        assertThat(devices.values().stream().mapToDouble(count -> count).sum()).isEqualTo(truth.size());
        assertThat(devices.get("PRESENT")).isEqualTo(truth.size());
        assertThat(byLabel(shown(Uid.SWITCHES, "Switches"), "device").values())
                .hasSize((int) truth.stream()
                        .filter(device -> device.getDeviceId().startsWith("ocs-"))
                        .count())
                .allSatisfy(answers -> assertThat(answers).isEqualTo(1));
    }

    /** Each repair that was timed is a change of light by its cause. */
    /** What is slow can be followed by its trace. */
    @Test
    void samplesOfRepairsAndChangesNameTheirTraces() throws IOException, InterruptedException {
        SortedSet<String> repairs = prometheus.traces("lightpath_fault_to_light_seconds_bucket", began);
        assertThat(repairs).isNotEmpty().allMatch(id -> id.matches("[0-9a-f]{32}"));
        for (String changes : List.of("lightpath_driver_apply_seconds", "lightpath_driver_change_seconds")) {
            // of a few samples the latest are kept, so a repair need not be among those of each change
            assertThat(prometheus.traces(changes + "_bucket", began))
                    .as(changes)
                    .isNotEmpty()
                    .allMatch(id -> id.matches("[0-9a-f]{32}"));
        }
    }

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

    /** The day that was played is normal work. */
    @Test
    void alertsAreQuietInNormalWork() throws IOException, InterruptedException {
        List<String> firing = new ArrayList<>();
        for (Sample alert :
                prometheus.ask("max_over_time(ALERTS{alertstate=\"firing\",alertname!=\"" + TIMED + "\"}[20m])")) {
            firing.add(alert.labels().get("alertname") + " " + alert.labels());
        }
        assertThat(firing).isEmpty();
    }

    /** The same work for two hours: longer than any alert waits. */
    @Test
    void alertsAreQuietInTwoHoursOfTheRecordedWork() throws IOException, InterruptedException {
        String rules = AlertRules.plain();
        RecordedHours hours = RecordedHours.of(prometheus, rules, began, Instant.now());
        assertThat(hours.names())
                .contains(
                        "lightpath_epoch", "lightpath_fabric_nodes", "lightpath_job_state", "lightpath_driver_devices");
        promtool(hours, rules);
        String tooStrict = rules.replace("> 0.05", ">= 0");
        assertThat(tooStrict).isNotEqualTo(rules);
        assertThatThrownBy(() -> promtool(hours, tooStrict)).hasMessageContaining("LightpathNodesFaulty");
        String forgetful = rules.replace("max(lightpath_epoch) == 0", "max(lightpath_epoch) > 0");
        assertThat(forgetful).isNotEqualTo(rules);
        assertThatThrownBy(() -> promtool(hours, forgetful)).hasMessageContaining("LightpathNobodyLeads");
    }

    private void promtool(RecordedHours hours, String rules) throws IOException, InterruptedException {
        LocalEnvironment.run(
                Duration.ofMinutes(5),
                Prometheus.PROGRAM.toString(),
                "promtool",
                "test",
                "rules",
                hours.write(folder, rules, TIMED).toString());
    }

    private static SortedMap<String, Double> byLabel(List<Sample> samples, String label) {
        SortedMap<String, Double> values = new TreeMap<>();
        samples.forEach(sample -> values.put(sample.labels().get(label), sample.value()));
        return values;
    }
}
