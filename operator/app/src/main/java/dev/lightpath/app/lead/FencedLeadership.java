package dev.lightpath.app.lead;

import dev.lightpath.app.cluster.ClusterInformers;
import dev.lightpath.app.cluster.CurrentShare;
import dev.lightpath.app.cluster.ShareOfCluster;
import dev.lightpath.app.driver.FencingEpoch;
import dev.lightpath.app.job.Leadership;
import dev.lightpath.crds.job.TrainingJob;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;

/** The process that holds a fencing epoch leads its share. When a Lease is lost, the epoch is dropped first. */
@ApplicationScoped
public class FencedLeadership implements Leadership {
    private final FencingEpoch epoch;
    private final CurrentShare share;
    private final Instance<ClusterInformers> watches;

    FencedLeadership(FencingEpoch epoch, CurrentShare share, Instance<ClusterInformers> watches) {
        this.epoch = epoch;
        this.share = share;
        this.watches = watches;
    }

    @Override
    public boolean leading() {
        long held = epoch.held();
        return held > 0 && share.get().rest() && epoch.held() == held;
    }

    /** A share counts with the epoch that is held for it, and with no other. */
    @Override
    public boolean leads(TrainingJob job) {
        long held = epoch.held();
        return held > 0 && new ShareOfCluster(watches.get(), share.get()).isOurs(job) && epoch.held() == held;
    }
}
