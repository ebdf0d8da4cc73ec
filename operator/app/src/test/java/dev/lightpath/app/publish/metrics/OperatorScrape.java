package dev.lightpath.app.publish.metrics;

import dev.lightpath.app.publish.status.Scenes;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.light.Backoff;
import dev.lightpath.planner.light.ChangeOutcome;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.JobId;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.OcsTopology;
import dev.lightpath.planner.world.Origin;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.World;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** A scrape in which every series of the operator is, with every value of its closed labels. */
public final class OperatorScrape {
    private static final String AGENTS = "{node}:9440";
    private static final Duration MOMENT = Duration.ofMillis(3);

    private OperatorScrape() {}

    /** In the text format of Prometheus. */
    public static String text() {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        FabricMetrics metrics = new FabricMetrics(registry);
        new WorkersSeries(registry).workers(2);
        for (Origin.Planner planner : Origin.Planner.values()) {
            metrics.passed(
                    Scenes.deliberation(
                            new Decision.Rest(Optional.empty()),
                            new TreeMap<>(),
                            new TreeMap<>(Map.of("ring-a", Scenes.faulty(1))),
                            Optional.of(planner)),
                    MOMENT);
        }
        metrics.passed(
                Scenes.deliberation(
                        new Decision.Rest(Optional.empty()),
                        new TreeMap<>(),
                        new TreeMap<>(Map.of("ring-a", Scenes.faulty(2))),
                        Optional.empty()),
                MOMENT);
        metrics.looked(withSwitches(Scenes.outcome().world(), 2));
        metrics.applied(new ChangeOutcome.Applied("d", Duration.ZERO), MOMENT);
        metrics.faultToLight(MOMENT);
        metrics.fabrics(new TreeSet<>(Set.of("ring-a")), fabric -> true);
        metrics.certificates(new TreeMap<>(Map.of("Secret lightpath-system/lightpath-driver-client", Scenes.NOW)));
        new JobCensus(metrics).take(jobs(), Scenes.NOW);
        metrics.concluded(Scenes.outcome().world(), Scenes.outcome().deliberation());
        String text = registry.scrape();
        registry.close();
        return text;
    }

    /** A registry with as many jobs, faults and switches as are named, all with names of 20 characters. */
    public static PrometheusMeterRegistry ofMost() {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        FabricMetrics metrics = new FabricMetrics(registry);
        metrics.passed(
                Scenes.deliberation(
                        new Decision.Rest(Optional.empty()),
                        new TreeMap<>(),
                        new TreeMap<>(Map.of("ring-a", Scenes.faulty(2 * FabricDetail.MOST_FAULTS))),
                        Optional.empty()),
                MOMENT);
        metrics.looked(withSwitches(Scenes.world(Scenes.synced()), FabricDetail.MOST_SWITCHES));
        List<TrainingJob> jobs = new ArrayList<>();
        SortedMap<SliceId, SliceIntent> slices = new TreeMap<>();
        SortedMap<SliceId, SliceVerdict> verdicts = new TreeMap<>();
        for (int number = 0; number < 2 * JobSeries.MOST; number++) {
            String name = "large-language-" + (10_000 + number);
            jobs.add(job(name, "uid-" + number, condition("Placed", "True", "Satisfied")));
            SliceIntent like = Scenes.wish();
            SliceId id = new SliceId("team", name);
            slices.put(
                    id,
                    new SliceIntent(
                            id,
                            new JobId("team", name, "uid-" + number),
                            1,
                            "ring-a",
                            like.demand(),
                            0,
                            Scenes.NOW,
                            true,
                            like.workload(),
                            like.replacement(),
                            true));
            verdicts.put(
                    id,
                    new SliceVerdict(
                            new SliceVerdict.Placement.Placed(),
                            Optional.empty(),
                            new SliceVerdict.Light(4, 4, 0, 2, 2, Optional.empty())));
        }
        new JobCensus(metrics).take(jobs, Scenes.NOW);
        World world = Scenes.world(Scenes.synced());
        metrics.concluded(
                World.atRest(
                        world.now(),
                        world.nextStage(),
                        world.rings(),
                        world.ocsFabrics(),
                        slices,
                        new TreeMap<>(),
                        world.drivers()),
                Scenes.deliberation(new Decision.Rest(Optional.empty()), verdicts, new TreeMap<>(), Optional.empty()));
        return registry;
    }

    /** Switches of which every second is drained, and the last change of the first was refused. */
    private static World withSwitches(World world, int count) {
        SortedMap<String, OcsSwitch> switches = new TreeMap<>();
        for (int number = 0; number < count; number++) {
            switches.put(
                    "ocs-" + number,
                    new OcsSwitch(
                            "ocs-" + number,
                            new DeviceId(Scenes.DRIVER, "ocs-" + number),
                            DeviceKind.ANY_TO_ANY,
                            OptionalInt.of(number),
                            List.of(),
                            new TreeSet<>(),
                            number % 2 == 1));
        }
        OcsIntent spine = OcsIntent.plain("spine", "cluster/spine", List.of(), switches, new OcsTopology.Logical());
        SortedMap<String, RingIntent> rings = new TreeMap<>(world.rings());
        rings.put("ring-b", ofAgents());
        SortedMap<String, DriverState> drivers = new TreeMap<>(world.drivers());
        SortedMap<String, DeviceState> devices = new TreeMap<>(Scenes.synced().devices());
        devices.computeIfPresent("n3", (node, device) -> device.goneAway());
        drivers.put(AGENTS, new DriverState(DriverState.Contact.SYNCED, Optional.empty(), "toy", "1.2", 7, devices));
        return new World(
                world.now(),
                world.nextStage(),
                rings,
                world.slices(),
                world.ledger(),
                drivers,
                world.inFlight(),
                world.recording(),
                world.refused(),
                world.unsettled(),
                world.observing(),
                new TreeMap<>(Map.of(
                        new DeviceId(Scenes.DRIVER, "ocs-0"), new Backoff(Reason.REJECTED, "stuck", world.now(), 1))),
                world.faults(),
                world.unreadable(),
                new TreeMap<>(Map.of("spine", spine)),
                world.answers(),
                world.remembered(),
                world.discoveries(),
                world.lineages());
    }

    /** A ring whose nodes have an agent each. */
    private static RingIntent ofAgents() {
        RingIntent like = Scenes.ring(false);
        return new RingIntent(
                "ring-b",
                like.ring(),
                AGENTS,
                "cluster/ring-b",
                like.nodes(),
                new TreeMap<>(),
                like.policy(),
                false,
                Optional.empty(),
                false);
    }

    /** One in each state; that of {@link Scenes} is Ready. */
    static List<TrainingJob> jobs() {
        List<TrainingJob> jobs = new ArrayList<>();
        jobs.add(
                job("llm", "ready", condition("Placed", "True", "Satisfied"), condition("Ready", "True", "Satisfied")));
        jobs.add(job(
                "a",
                "degraded",
                List.of(condition("Placed", "True", "Satisfied"), condition("Ready", "False", "Degraded")),
                "null"));
        jobs.add(job("b", "programming", condition("Placed", "True", "Satisfied")));
        jobs.add(job("c", "pending", condition("Ready", "False", "InsufficientCapacity")));
        jobs.add(job("d", "suspended", condition("Accepted", "False", "Suspended")));
        jobs.add(job("e", "refused", condition("Accepted", "False", "FabricNotFound")));
        TrainingJob releasing = job("f", "releasing");
        releasing.getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z");
        jobs.add(releasing);
        return jobs;
    }

    private static String condition(String type, String status, String reason) {
        return "{type: %s, status: '%s', reason: %s, lastTransitionTime: '2026-01-01T00:00:00Z'}"
                .formatted(type, status, reason);
    }

    static TrainingJob job(String name, String uid, String... conditions) {
        return job(name, uid, List.of(conditions), "{iterationSeconds: '2.5', ratio: '1.25', told: '2.5'}");
    }

    /** What it tells now is nonsense, whatever its status took before. */
    private static TrainingJob job(String name, String uid, List<String> conditions, String measurement) {
        return Serialization.unmarshal(
                """
            apiVersion: lightpath.dev/v1alpha1
            kind: TrainingJob
            metadata:
              {name: %s, namespace: team, uid: %s, creationTimestamp: '2026-01-01T00:00:00Z',
               annotations: {lightpath.dev/iteration-seconds: '5000'}}
            spec: {model: {preset: gpt-7b}, parallelism: {tensor: 8, data: 1}, scaleUp: {fabric: ring-a}}
            status:
              conditions: [%s]
              slices: [{name: s, fabric: ring-a, revision: 2}]
              prediction: {iterationSeconds: '2', lowerBoundSeconds: '1', bestSeconds: '1.5'}
              measurement: %s
            """.formatted(name, uid, String.join(", ", conditions), measurement), TrainingJob.class);
    }
}
