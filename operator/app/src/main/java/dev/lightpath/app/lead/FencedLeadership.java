package dev.lightpath.app.lead;

import dev.lightpath.app.driver.FencingEpoch;
import dev.lightpath.app.job.Leadership;
import jakarta.enterprise.context.ApplicationScoped;

/** Whoever holds a fencing epoch leads; it is taken away first of all when the Lease is lost. */
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
