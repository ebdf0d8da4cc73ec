package dev.lightpath.app.lead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lightpath.app.cluster.ClusterInformers;
import dev.lightpath.app.driver.DriverFleet;
import dev.lightpath.app.driver.FencingEpoch;
import dev.lightpath.app.driver.FleetTimings;
import dev.lightpath.app.loop.PassMeter;
import dev.lightpath.app.solving.SearchMarks;
import dev.lightpath.crds.LightpathNames;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.delta.DeltaPlanner;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.light.ChangeOutcome;
import dev.lightpath.reading.OcsIntentReader;
import dev.lightpath.reading.RingIntentReader;
import dev.lightpath.tracing.Tracing;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ApiServerExtension.class)
class LeadershipIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final KubernetesClient client;
    private final List<Candidate> candidates = new ArrayList<>();

    LeadershipIT(ApiServer server) {
        this.client = server.client();
    }

    @AfterEach
    void stop() {
        candidates.forEach(Candidate::close);
        client.close();
    }

    @Test
    void oneLeadsAndTheOtherTakesOverWithAHigherEpoch() {
        namespace("lead-two");
        Candidate first = new Candidate("first", "lead-two");
        await().atMost(PATIENCE).until(() -> first.fencing.held() == 1);
        Candidate second = new Candidate("second", "lead-two");
        await().atMost(PATIENCE).until(second.leadership::standing);
        assertThat(second.fencing.held()).isZero();

        first.close();

        assertThat(first.fencing.held()).isZero();
        await().atMost(PATIENCE).until(() -> second.fencing.held() == 2);
        // the term is announced after its epoch is held
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(second.terms).hasValue(1));
    }

    @Test
    void standsAgainWhenTheLeaseWasLost() {
        namespace("lead-again");
        Candidate only = new Candidate("only", "lead-again");
        await().atMost(PATIENCE).until(() -> only.fencing.held() == 1);

        holder("lead-again", "somebody-else");
        await().atMost(PATIENCE).until(() -> only.fencing.held() == 0);
        client.leases().inNamespace("lead-again").withName(LightpathNames.LEASE).delete();

        await().atMost(PATIENCE).until(() -> only.fencing.held() == 2);
        await().atMost(PATIENCE).until(() -> only.terms.get() == 2);
    }

    /** A process that is stopped notices nothing, and others do not wait for it. */
    @Test
    void aLeaseThatWasNotRenewedInTimeLastsNoMore() {
        namespace("lead-late");
        AtomicLong nanos = new AtomicLong();
        AtomicInteger wins = new AtomicInteger();
        Candidacy candidacy = new Candidacy(
                client, new Identity("late", "lead-late", ""), won -> wins.incrementAndGet(), () -> {}, nanos::get);
        candidacy.stand();
        await().atMost(PATIENCE).until(() -> wins.get() == 1);
        assertThat(candidacy.lasts()).isTrue();

        // it is renewed every two seconds, and may be just between two lines
        await().atMost(PATIENCE).until(() -> {
            nanos.addAndGet(Duration.ofSeconds(16).toNanos());
            return !candidacy.lasts();
        });
        await().atMost(PATIENCE).until(candidacy::lasts);

        candidacy.giveUp();
        await().atMost(PATIENCE).until(candidacy::over);
        assertThat(candidacy.lasts()).isFalse();
    }

    private void holder(String namespace, String name) {
        client.leases().inNamespace(namespace).withName(LightpathNames.LEASE).edit(lease -> {
            lease.getSpec().setHolderIdentity(name);
            lease.getSpec().setRenewTime(java.time.ZonedDateTime.now(java.time.ZoneOffset.UTC));
            return lease;
        });
    }

    private void namespace(String name) {
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
    }

    /** One that stands for the Lease. */
    private final class Candidate {
        final FencingEpoch fencing = new FencingEpoch();
        final AtomicInteger terms = new AtomicInteger();
        final Leadership leadership;
        private final DriverFleet fleet = new DriverFleet(
                fencing::held,
                fencing::book,
                FleetTimings.standard(),
                InstantSource.system(),
                new Random(1),
                Tracing.silent());
        private final ClusterInformers informers;

        Candidate(String name, String namespace) {
            RingIntentReader reader = new RingIntentReader("cluster");
            this.informers = new ClusterInformers(client, reader, new OcsIntentReader("cluster"));
            this.leadership = new Leadership(
                    client,
                    () -> reader,
                    () -> informers,
                    new Identity(name, namespace, "http://10.0.0.1:8080/view"),
                    fleet,
                    fencing,
                    (world, deliberation) -> {},
                    new Deaf(),
                    new DeltaPlanner(),
                    SearchMarks.in(Optional.empty()),
                    Tracing.silent(),
                    true,
                    terms::incrementAndGet);
            candidates.add(this);
            leadership.start();
        }

        void close() {
            leadership.close();
            fleet.close();
            informers.close();
        }
    }

    private static final class Deaf implements PassMeter {
        @Override
        public void differs() {
            throw new AssertionError("a pass concluded otherwise than from nothing");
        }

        @Override
        public void solved(TopologyAnswer answer, Duration elapsed) {}

        @Override
        public void abandoned(int threads) {}

        @Override
        public void certificates(SortedMap<String, Instant> expire) {}

        @Override
        public void waited(Duration elapsed) {}

        @Override
        public void ended() {}

        @Override
        public void passed(Deliberation deliberation, Duration elapsed) {}

        @Override
        public void failed() {}

        @Override
        public void applied(ChangeOutcome outcome, Duration elapsed) {}

        @Override
        public void faultToLight(Duration elapsed) {}
    }
}
