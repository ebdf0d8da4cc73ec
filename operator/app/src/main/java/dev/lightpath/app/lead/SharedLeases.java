package dev.lightpath.app.lead;

import dev.lightpath.crds.LightpathLabels;
import dev.lightpath.crds.LightpathNames;
import dev.lightpath.planner.share.Contender;
import dev.lightpath.planner.share.Seat;
import dev.lightpath.planner.share.SeenLease;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.NamespacedKubernetesClient;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * The Leases by which replicas share fabrics, on the API server. Each write is over a version that was seen. From any
 * thread.
 */
final class SharedLeases {
    private static final String OF_FABRIC = "lightpath-fabric-";
    private static final String OF_REPLICA = "lightpath-replica-";
    private static final String OF_REST = "lightpath-rest";
    /** Behind the name of a holder that keeps a process out which leads everything, for all that share. */
    private static final String SHARED = "/shared";

    /** Less than a Lease counts for whoever wrote it. */
    private static final int PATIENCE_MILLIS = 3000;

    private final KubernetesClient client;
    private final String namespace;
    /** For what others should read in a Lease; who leads does not depend on it. */
    private volatile Map<Seat, Lease> known = new ConcurrentHashMap<>();

    /** @param namespace the operator's own */
    SharedLeases(KubernetesClient client, String namespace) {
        this.client = client;
        this.namespace = namespace;
    }

    static String name(Seat seat) {
        return switch (seat.kind()) {
            case GUARD -> LightpathNames.LEASE;
            case REST -> OF_REST;
            case REPLICA -> OF_REPLICA + seat.name();
            case FABRIC -> OF_FABRIC + seat.name();
        };
    }

    private static Optional<Seat> seat(String name) {
        if (name.equals(LightpathNames.LEASE)) {
            return Optional.of(Seat.GUARD);
        } else if (name.equals(OF_REST)) {
            return Optional.of(Seat.REST);
        } else if (name.startsWith(OF_FABRIC)) {
            return Optional.of(Seat.ofFabric(name.substring(OF_FABRIC.length())));
        } else if (name.startsWith(OF_REPLICA)) {
            return Optional.of(Seat.ofReplica(name.substring(OF_REPLICA.length())));
        }
        return Optional.empty();
    }

    /** As the API server has them now, and not a cache. */
    List<SeenLease> list() {
        Map<Seat, Lease> now = new ConcurrentHashMap<>();
        List<SeenLease> seen = new ArrayList<>();
        for (Lease lease :
                soon(asked -> asked.leases().inNamespace(namespace).list()).getItems()) {
            seat(lease.getMetadata().getName()).ifPresent(seat -> {
                now.put(seat, lease);
                seen.add(seen(seat, lease));
            });
        }
        known = now;
        return seen;
    }

    private static SeenLease seen(Seat seat, Lease lease) {
        Optional<LeaseSpec> spec = Optional.ofNullable(lease.getSpec());
        String holder = spec.map(LeaseSpec::getHolderIdentity).orElse("");
        boolean shared = seat.equals(Seat.GUARD) && holder.endsWith(SHARED);
        return new SeenLease(
                seat,
                shared ? holder.substring(0, holder.length() - SHARED.length()) : holder,
                shared,
                lease.getMetadata().getResourceVersion(),
                spec.map(LeaseSpec::getLeaseDurationSeconds)
                        .map(Duration::ofSeconds)
                        .orElse(Contender.GUARD_LASTS));
    }

    /**
     * Takes or renews one.
     *
     * @param version that was seen; empty where there was none
     * @return the version that it has now; empty when somebody else wrote it meanwhile
     */
    Optional<String> write(Seat seat, String holder, String version) {
        boolean shared = seat.equals(Seat.GUARD);
        Duration lasts = shared ? Contender.GUARD_LASTS : Contender.LASTS;
        return store(seat, shared ? holder + SHARED : holder, version, lasts);
    }

    /** Leaves one to others at once, if nobody else wrote it. */
    void giveBack(Seat seat, String version) {
        store(seat, "", version, Contender.GIVEN_BACK);
    }

    private Optional<String> store(Seat seat, String holder, String version, Duration lasts) {
        ZonedDateTime now = ZonedDateTime.now(ZoneOffset.UTC);
        // an answer that came late may have brought an older one back
        Optional<LeaseSpec> before = Optional.ofNullable(known.get(seat))
                .filter(last -> version.equals(last.getMetadata().getResourceVersion()))
                .map(Lease::getSpec);
        boolean stays =
                before.map(LeaseSpec::getHolderIdentity).filter(holder::equals).isPresent();
        int transitions = before.map(LeaseSpec::getLeaseTransitions).orElse(0);
        // the highest there is stays: whoever edits a Lease may write it, and a lower one than 0 is refused
        boolean counts = !stays && !holder.isEmpty() && transitions < Integer.MAX_VALUE;
        Lease next = new LeaseBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name(seat))
                // by this alone an update is refused where somebody else wrote it since
                .withResourceVersion(version.isEmpty() ? null : version)
                .addToLabels(LightpathLabels.MANAGED_BY, LightpathLabels.LIGHTPATH)
                .endMetadata()
                .withNewSpec()
                .withHolderIdentity(holder)
                .withLeaseDurationSeconds((int) lasts.toSeconds())
                .withRenewTime(now)
                .withAcquireTime(stays ? before.map(LeaseSpec::getAcquireTime).orElse(now) : now)
                .withLeaseTransitions(counts ? transitions + 1 : transitions)
                .endSpec()
                .build();
        try {
            Lease stored = soon(asked -> version.isEmpty()
                    ? asked.resource(next).create()
                    : asked.resource(next).update());
            known.put(seat, stored);
            return Optional.of(stored.getMetadata().getResourceVersion());
        } catch (KubernetesClientException e) {
            if (isTaken(e)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Unless somebody wrote it since. */
    void remove(Seat seat, String version) {
        Lease lease = known.get(seat);
        if (lease == null) {
            return;
        }
        try {
            soon(asked -> asked.resource(lease).lockResourceVersion(version).delete());
        } catch (KubernetesClientException e) {
            if (!isTaken(e)) {
                throw e;
            }
        }
    }

    /** Asked once and not for long: what is answered after that is of no use, and whoever asks does so again. */
    private <T> T soon(Function<KubernetesClient, T> question) {
        return client.adapt(NamespacedKubernetesClient.class)
                .withRequestConfig(new RequestConfigBuilder()
                        .withRequestTimeout(PATIENCE_MILLIS)
                        .withRequestRetryBackoffLimit(0)
                        .build())
                .call(question::apply);
    }

    private static boolean isTaken(KubernetesClientException e) {
        return e.getCode() == HttpURLConnection.HTTP_CONFLICT || e.getCode() == HttpURLConnection.HTTP_NOT_FOUND;
    }
}
