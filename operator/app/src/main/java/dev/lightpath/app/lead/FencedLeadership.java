package dev.lightpath.app.lead;

import dev.lightpath.app.driver.FencingEpoch;
import dev.lightpath.app.job.Leadership;
import jakarta.enterprise.context.ApplicationScoped;

/** The process that holds a fencing epoch leads. When the Lease is lost, the epoch is dropped first. */
@ApplicationScoped
public class FencedLeadership implements Leadership {
    private final FencingEpoch epoch;

    FencedLeadership(FencingEpoch epoch) {
        this.epoch = epoch;
    }

    @Override
    public boolean leading() {
        return epoch.held() > 0;
    }
}
