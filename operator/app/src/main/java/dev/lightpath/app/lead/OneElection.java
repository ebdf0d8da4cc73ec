package dev.lightpath.app.lead;

import dev.lightpath.app.cluster.Share;
import dev.lightpath.crds.LightpathNames;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One Lease, whose holder leads everything. */
final class OneElection implements Elections {
    private static final Logger LOG = LoggerFactory.getLogger(OneElection.class);
    private static final Duration RETRY = Duration.ofSeconds(2);

    private final KubernetesClient client;
    private final Identity identity;
    private final ScheduledExecutorService thread;
    private final Office office;
    private volatile Optional<Candidacy> candidacy = Optional.empty();
    private volatile boolean closed;

    /** @param thread of the leadership */
    OneElection(KubernetesClient client, Identity identity, ScheduledExecutorService thread, Office office) {
        this.client = client;
        this.identity = identity;
        this.thread = thread;
        this.office = office;
    }

    @Override
    public Share foreseen() {
        return Share.WHOLE;
    }

    @Override
    public void stand() {
        if (closed) {
            return;
        }
        LOG.atInfo()
                .addKeyValue("lease", identity.namespace() + "/" + LightpathNames.LEASE)
                .addKeyValue("identity", identity.name())
                .log("standing for election");
        Candidacy next =
                new Candidacy(client, identity, won -> office.taken(new Whole(won)), this::deposed, System::nanoTime);
        candidacy = Optional.of(next);
        next.stand();
    }

    private void deposed() {
        office.lost();
        if (!closed) {
            LOG.atWarn().log("the Lease is lost; light stays as it is, standing again");
            try {
                thread.execute(this::again);
            } catch (RejectedExecutionException e) {
                LOG.atDebug().log("stopping; not standing again");
            }
        }
    }

    private void again() {
        office.left();
        if (!closed) {
            thread.schedule(this::stand, RETRY.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    @Override
    public void close() {
        closed = true;
        candidacy.ifPresent(Candidacy::giveUp);
    }

    private final class Whole implements Mandate {
        private final Candidacy won;

        Whole(Candidacy won) {
            this.won = won;
        }

        @Override
        public Share share() {
            return Share.WHOLE;
        }

        @Override
        public boolean over() {
            return won.over();
        }

        @Override
        public boolean lasts() {
            return won.lasts();
        }

        @Override
        public boolean confirmed() {
            Lease lease = client.leases()
                    .inNamespace(identity.namespace())
                    .withName(LightpathNames.LEASE)
                    .get();
            return lease != null && identity.name().equals(lease.getSpec().getHolderIdentity());
        }
    }
}
