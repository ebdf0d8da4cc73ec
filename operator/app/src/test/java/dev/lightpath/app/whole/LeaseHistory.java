package dev.lightpath.app.whole;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Who held which Lease since when, as a watch told it. */
final class LeaseHistory implements Watcher<Lease>, AutoCloseable {
    /** @param holder empty from when it was given back */
    record Held(String holder, Instant since) {}

    private final Map<String, List<Held>> held = new HashMap<>();
    private final Watch watch;

    LeaseHistory(KubernetesClient client, String namespace) {
        this.watch = client.leases().inNamespace(namespace).watch(this);
    }

    @Override
    public synchronized void eventReceived(Action action, Lease lease) {
        String holder = action == Action.DELETED || lease.getSpec().getHolderIdentity() == null
                ? ""
                : lease.getSpec().getHolderIdentity();
        List<Held> known = held.computeIfAbsent(lease.getMetadata().getName(), name -> new ArrayList<>());
        if (known.isEmpty() || !known.getLast().holder().equals(holder)) {
            known.add(new Held(
                    holder,
                    holder.isEmpty()
                            ? Instant.now()
                            : lease.getSpec().getAcquireTime().toInstant()));
        }
    }

    synchronized List<Held> of(String lease) {
        return List.copyOf(held.getOrDefault(lease, List.of()));
    }

    /** Empty when nobody holds it. */
    synchronized String holder(String lease) {
        List<Held> known = held.getOrDefault(lease, List.of());
        return known.isEmpty() ? "" : known.getLast().holder();
    }

    @Override
    public void onClose(WatcherException cause) {}

    @Override
    public void close() {
        watch.close();
    }
}
