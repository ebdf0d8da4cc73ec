package dev.lightpath.app.publish.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.publish.status.Outcome;
import dev.lightpath.app.publish.status.Scenes;
import dev.lightpath.planner.ask.Asked;
import dev.lightpath.planner.ask.Iteration;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.delta.Algorithm;
import dev.lightpath.planner.delta.Goal;
import dev.lightpath.planner.delta.iteration.Preset;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.light.ChangeOutcome;
import dev.lightpath.planner.light.DriverState.Contact;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class FabricMetricsTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final FabricMetrics metrics = new FabricMetrics(registry);

    private static Deliberation resting(Map<String, FabricVerdict> fabrics) {
        return Scenes.deliberation(
                new Decision.Rest(Optional.empty()), new TreeMap<>(), new TreeMap<>(fabrics), Optional.empty());
    }

    private void pass(FabricVerdict verdict) {
        metrics.passed(resting(Map.of("ring-a", verdict)), Duration.ofMillis(3));
    }

    private double gauge(String name, String... tags) {
        return registry.get(name).tags(tags).gauge().value();
    }

    @Test
    void showsTheFabricByState() {
        pass(Scenes.verdict(new FabricVerdict.Circuits(16, 13, 2, 1)));
        assertThat(gauge("lightpath.fabric.nodes", "fabric", "ring-a", "state", "healthy"))
                .isEqualTo(8);
        assertThat(gauge("lightpath.fabric.gpus", "fabric", "ring-a", "state", "allocated"))
                .isEqualTo(8);
        assertThat(gauge("lightpath.fabric.circuits", "fabric", "ring-a", "state", "missing"))
                .isEqualTo(1);
        assertThat(gauge("lightpath.foreign.circuits", "fabric", "ring-a")).isEqualTo(2);
        assertThat(gauge("lightpath.fabric.darkness.circuits", "fabric", "ring-a", "which", "dark"))
                .isEqualTo(1);
        assertThat(gauge("lightpath.fabric.darkness.circuits", "fabric", "ring-a", "which", "most"))
                .isEqualTo(3);
        assertThat(gauge("lightpath.fabric.waste.ratio", "fabric", "ring-a")).isEqualTo(0.25);
        pass(Scenes.sound());
        assertThat(gauge("lightpath.fabric.circuits", "fabric", "ring-a", "state", "lit"))
                .isEqualTo(16);
    }

    @Test
    void aFabricWithoutNodesWastesNothing() {
        pass(Scenes.verdict(
                new FabricVerdict.Nodes(0, 0, 0, 0, 0),
                new FabricVerdict.Gpus(32, 32, 0),
                new FabricVerdict.Circuits(0, 0, 0, 0),
                List.of(),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                false));
        assertThat(gauge("lightpath.fabric.waste.ratio", "fabric", "ring-a")).isZero();
    }

    @Test
    void aFabricThatIsGoneHasNoSeries() {
        pass(Scenes.sound());
        metrics.passed(resting(Map.of()), Duration.ofMillis(1));
        assertThat(registry.find("lightpath.fabric.nodes").gauges()).isEmpty();
        assertThat(registry.find("lightpath.fabric.waste.ratio").gauges()).isEmpty();
    }

    /** No pass sees it, so nothing else tells that nobody cares for it. */
    @Test
    void aFabricThatIsLeftAloneCallsForAPerson() {
        pass(Scenes.sound());
        metrics.looked(Scenes.leftAlone("two Secrets for one driver"));
        metrics.passed(resting(Map.of()), Duration.ofMillis(1));
        assertThat(gauge("lightpath.fabric.attention", "fabric", "ring-a", "reason", "InvalidWiring"))
                .isEqualTo(1);
        metrics.looked(Scenes.world(Scenes.synced()));
        pass(Scenes.sound());
        assertThat(gauge("lightpath.fabric.attention", "fabric", "ring-a", "reason", "InvalidWiring"))
                .isZero();
        metrics.looked(Scenes.leftAlone("two Secrets for one driver"));
        metrics.ended();
        assertThat(registry.find("lightpath.fabric.attention").gauges()).isEmpty();
    }

    @Test
    void aRecordThatIsRefusedCallsForAPerson() {
        pass(Scenes.refusing(Scenes.sound(), "slice team/a: policy"));
        assertThat(gauge("lightpath.fabric.attention", "fabric", "ring-a", "reason", "RecordRefused"))
                .isEqualTo(1);
        pass(Scenes.sound());
        assertThat(gauge("lightpath.fabric.attention", "fabric", "ring-a", "reason", "RecordRefused"))
                .isZero();
    }

    /** Whether there would be room for more is asked too, and no job waits to hear. */
    @Test
    void countsQuestionsThatJobsWaitFor() {
        metrics.concluded(
                Scenes.world(Scenes.synced()),
                asking(Asked.Urgency.FORESEEN, Asked.Urgency.NEEDED, Asked.Urgency.FORESEEN, Asked.Urgency.REPAIR));
        assertThat(gauge("lightpath.solver.questions")).isEqualTo(2);
        metrics.concluded(Scenes.world(Scenes.synced()), asking(Asked.Urgency.FORESEEN));
        assertThat(gauge("lightpath.solver.questions")).isZero();
    }

    private static Deliberation asking(Asked.Urgency... urgencies) {
        TreeMap<String, Asked> questions = new TreeMap<>();
        for (Asked.Urgency urgency : urgencies) {
            TopologyQuestion question = new TopologyQuestion(
                    new Iteration.OfModel(
                            Preset.GPT_7B.model(), Preset.GPT_7B.workload().batch()),
                    Preset.GPT_7B.workload().parallelism(),
                    2,
                    400,
                    List.of(4, 4),
                    Goal.fewestPorts(Algorithm.JOINT, 1e-9),
                    Duration.ofSeconds(1 + questions.size()));
            questions.put(question.digest(), Asked.by("team", urgency, question));
        }
        Deliberation like = resting(Map.of());
        return new Deliberation(
                like.decision(),
                like.slices(),
                like.fabrics(),
                like.faults(),
                like.agenda(),
                like.planner(),
                like.ocsFabrics(),
                questions,
                like.remembered());
    }

    @Test
    void countsEachFaultOnce() {
        pass(Scenes.faulty(2));
        pass(Scenes.faulty(2));
        pass(Scenes.faulty(3));
        pass(Scenes.sound());
        pass(Scenes.faulty(1));
        assertThat(registry.get("lightpath.fault")
                        .tags("fabric", "ring-a", "kind", "node")
                        .counter()
                        .count())
                .isEqualTo(4);
    }

    @Test
    void showsFaultsInQuarantineByKind() {
        pass(Scenes.faulty(1));
        assertThat(gauge("lightpath.fabric.quarantined.faults", "fabric", "ring-a", "kind", "node"))
                .isZero();
        pass(Scenes.faulty(3));
        assertThat(gauge("lightpath.fabric.quarantined.faults", "fabric", "ring-a", "kind", "node"))
                .isEqualTo(1);
        assertThat(gauge("lightpath.fabric.quarantined.faults", "fabric", "ring-a", "kind", "port"))
                .isZero();
    }

    @Test
    void countsPassesByDecisionAndLightByCause() {
        Outcome outcome = Scenes.outcome();
        assertThat(outcome.deliberation().decision()).isInstanceOf(Decision.Apply.class);
        metrics.passed(outcome.deliberation(), Duration.ofMillis(2));
        pass(Scenes.sound());
        assertThat(registry.get("lightpath.deliberation")
                        .tag("decision", "apply")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(registry.get("lightpath.deliberation")
                        .tag("decision", "rest")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(registry.get("lightpath.light.moved")
                        .tag("cause", "place")
                        .counter()
                        .count())
                .isGreaterThanOrEqualTo(2);
        assertThat(registry.get("lightpath.plan").timer().count()).isEqualTo(2);
    }

    @Test
    void showsContactAndEpoch() {
        metrics.looked(Scenes.world(Scenes.synced()));
        assertThat(gauge("lightpath.driver.connected", "fabric", "ring-a")).isEqualTo(1);
        assertThat(gauge("lightpath.driver.insecure", "fabric", "ring-a")).isZero();
        assertThat(gauge("lightpath.epoch")).isEqualTo(7);
        metrics.looked(Scenes.world(Scenes.driver(Contact.UNREACHABLE, "gone")));
        assertThat(gauge("lightpath.driver.connected", "fabric", "ring-a")).isZero();
    }

    @Test
    void recordsWhatOthersTellIt() {
        metrics.applied(new ChangeOutcome.Applied("d", Duration.ZERO), Duration.ofMillis(40));
        metrics.applied(new ChangeOutcome.Indeterminate("no answer"), Duration.ofSeconds(5));
        metrics.faultToLight(Duration.ofMillis(90));
        metrics.applyToReady(Duration.ofSeconds(2));
        metrics.jobs(new TreeMap<>(Map.of("ready", 3, "pending", 1)));
        metrics.planned(1.2, 40);
        assertThat(registry.get("lightpath.driver.apply")
                        .tag("result", "applied")
                        .timer()
                        .count())
                .isEqualTo(1);
        assertThat(registry.get("lightpath.driver.apply")
                        .tag("result", "indeterminate")
                        .timer()
                        .count())
                .isEqualTo(1);
        assertThat(registry.get("lightpath.fault.to.light").timer().count()).isEqualTo(1);
        assertThat(registry.get("lightpath.job.apply.to.ready").timer().count()).isEqualTo(1);
        assertThat(gauge("lightpath.job.count", "state", "ready")).isEqualTo(3);
        assertThat(registry.get("lightpath.job.ports.saved").summary().totalAmount())
                .isEqualTo(40);
    }

    @Test
    void agentsOfNodesAreCountedWhereThereAreAny() {
        assertThat(OperatorScrape.text().lines().filter(line -> line.startsWith("lightpath_fabric_agents{")))
                .containsExactlyInAnyOrder(
                        "lightpath_fabric_agents{fabric=\"ring-b\",state=\"answering\"} 7.0",
                        "lightpath_fabric_agents{fabric=\"ring-b\",state=\"away\"} 1.0");
    }

    /** Asked at each scrape: one that leads no more tells so though nothing else happens. */
    @Test
    void showsEachFabricThatExistsWhoeverLeadsIt() {
        Set<String> led = new HashSet<>(Set.of("ring-a"));
        metrics.fabrics(new TreeSet<>(Set.of("ring-a", "spine")), led::contains);
        assertThat(gauge("lightpath.fabric.led", "fabric", "ring-a")).isEqualTo(1);
        assertThat(gauge("lightpath.fabric.led", "fabric", "spine")).isZero();
        led.clear();
        assertThat(gauge("lightpath.fabric.led", "fabric", "ring-a")).isZero();
        metrics.fabrics(new TreeSet<>(Set.of("spine")), led::contains);
        assertThat(registry.find("lightpath.fabric.led").tag("fabric", "ring-a").gauge())
                .isNull();
    }

    @Test
    void prometheusSeesTheNamesOfTheContractWithHelp() {
        PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        FabricMetrics all = new FabricMetrics(prometheus);
        all.passed(resting(Map.of("ring-a", Scenes.faulty(1))), Duration.ofMillis(3));
        all.passed(Scenes.outcome().deliberation(), Duration.ofMillis(3));
        all.looked(Scenes.outcome().world());
        all.applied(new ChangeOutcome.Applied("d", Duration.ZERO), Duration.ofMillis(40));
        all.jobs(new TreeMap<>(Map.of("ready", 3)));
        all.faultToLight(Duration.ofMillis(90));
        String text = prometheus.scrape();
        for (String name : List.of(
                "lightpath_fabric_nodes",
                "lightpath_fabric_gpus",
                "lightpath_fabric_circuits",
                "lightpath_fabric_waste_ratio",
                "lightpath_driver_connected",
                "lightpath_driver_insecure",
                "lightpath_driver_apply_seconds",
                "lightpath_plan_seconds",
                "lightpath_fault_to_light_seconds",
                "lightpath_job_apply_to_ready_seconds",
                "lightpath_fault_total",
                "lightpath_job_count",
                "lightpath_job_normalized_communication_time",
                "lightpath_job_ports_saved",
                "lightpath_light_moved_total",
                "lightpath_deliberation_total",
                "lightpath_foreign_circuits",
                "lightpath_epoch")) {
            assertThat(text).containsPattern("(?m)^# HELP " + name + " \\S");
        }
        assertThat(text).contains("lightpath_fault_to_light_seconds_bucket{");
        assertThat(text).contains("lightpath_plan_seconds_bucket{");
    }
}
