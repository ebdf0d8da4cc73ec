package dev.lightpath.app.lead;

import dev.lightpath.app.cluster.ClusterInformers;
import dev.lightpath.app.cluster.ShareOfCluster;
import dev.lightpath.app.driver.FencingEpoch;
import dev.lightpath.app.job.effects.OrphanedSlices;
import dev.lightpath.app.statictopology.StaticTopologySlices;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Slices of static topologies, and of jobs that are gone, are looked after by the leader alone. On the thread of the
 * leadership.
 */
final class SliceTending {
    private static final Logger LOG = LoggerFactory.getLogger(SliceTending.class);
    private static final Duration RETRY = Duration.ofSeconds(2);

    private final StaticTopologySlices staticTopologySlices;
    private final OrphanedSlices leftSlices;
    private final FencingEpoch fencing;
    private final ClusterInformers cluster;
    private final Supplier<ShareOfCluster> led;
    private final BooleanSupplier leading;
    private final LeadershipThread thread;
    private boolean pending;

    /**
     * @param namespace the operator's own
     * @param led what this process leads now
     * @param leading whether a term runs
     */
    SliceTending(
            KubernetesClient client,
            String namespace,
            FencingEpoch fencing,
            ClusterInformers cluster,
            Supplier<ShareOfCluster> led,
            BooleanSupplier leading,
            LeadershipThread thread) {
        this.staticTopologySlices = new StaticTopologySlices(client, namespace);
        this.leftSlices = new OrphanedSlices(client);
        this.fencing = fencing;
        this.cluster = cluster;
        this.led = led;
        this.leading = leading;
        this.thread = thread;
    }

    /** Does what is to be done, and comes back for what could not be done. */
    void tend() {
        if (!leading.getAsBoolean()) {
            return;
        }
        try {
            // terms begin on this thread: while one is held it is the same
            BooleanSupplier leads = () -> fencing.held() > 0;
            boolean done =
                    staticTopologySlices.tend(led.get().fabrics(), led.get().slices(), leads);
            done &= leftSlices.tend(cluster.jobs(), led.get().slices(), leads);
            if (!done) {
                later();
            }
        } catch (RuntimeException | Error e) {
            LOG.atWarn().addKeyValue("failure", e.getMessage()).log("slices without a job not tended yet");
            later();
        }
    }

    private void later() {
        if (!pending) {
            pending = true;
            thread.later(this::again, RETRY);
        }
    }

    private void again() {
        pending = false;
        tend();
    }
}
