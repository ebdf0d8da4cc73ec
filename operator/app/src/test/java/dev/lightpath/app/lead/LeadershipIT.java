package dev.lightpath.app.lead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lightpath.app.RingManifest;
import dev.lightpath.crds.LightpathNames;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.fabric.OpticalFabric;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
        ApiServer.namespace(client, "lead-two");
        Candidate first = candidate("first", "lead-two");
        await().atMost(PATIENCE).until(() -> first.fencing.held() == 1);
        Candidate second = candidate("second", "lead-two");
        await().atMost(PATIENCE).until(second.leadership::standing);
        assertThat(second.fencing.held()).isZero();

        first.close();

        assertThat(first.fencing.held()).isZero();
        await().atMost(PATIENCE).until(() -> second.fencing.held() == 2);
        // the term is announced after its epoch is held
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(second.terms).hasValue(1));
    }

    /** Else nobody repairs for as long as a large cluster takes to be read. */
    @Test
    void whoStandsByIsInTouchWithDriversAndStillLeadsNothing() {
        ApiServer.namespace(client, "lead-ready");
        client.resource(RingManifest.of("ring-ready", "127.0.0.1:1")).create();
        Candidate first = candidate("first", "lead-ready");
        await().atMost(PATIENCE).until(() -> first.fencing.held() == 1);
        Candidate second = candidate("second", "lead-ready");

        await().atMost(PATIENCE).until(() -> second.fleet.states().containsKey("127.0.0.1:1"));

        assertThat(second.fencing.held()).isZero();
        assertThat(second.begun).hasValue(0);
        client.resources(OpticalFabric.class).withName("ring-ready").delete();
    }

    @Test
    void standsAgainWhenTheLeaseWasLost() {
        ApiServer.namespace(client, "lead-again");
        Candidate only = candidate("only", "lead-again");
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
        ApiServer.namespace(client, "lead-late");
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

    private Candidate candidate(String name, String namespace) {
        Candidate candidate = new Candidate(client, name, namespace, false);
        candidates.add(candidate);
        return candidate;
    }

    /** Tried again: whoever holds it renews it meanwhile. */
    private void holder(String namespace, String name) {
        await().atMost(PATIENCE)
                .ignoreException(KubernetesClientException.class)
                .until(() -> client.leases()
                                .inNamespace(namespace)
                                .withName(LightpathNames.LEASE)
                                .edit(lease -> {
                                    lease.getSpec().setHolderIdentity(name);
                                    lease.getSpec().setRenewTime(java.time.ZonedDateTime.now(java.time.ZoneOffset.UTC));
                                    return lease;
                                })
                        != null);
    }
}
