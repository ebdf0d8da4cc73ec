package dev.lightpath.app.lead;

import dev.lightpath.app.driver.DriverFleet;
import dev.lightpath.app.loop.PassMeter;
import dev.lightpath.app.loop.Publisher;
import dev.lightpath.app.solving.AbandonedSearches;
import dev.lightpath.app.solving.SearchMarks;
import dev.lightpath.planner.delta.TopologyPlanner;
import dev.lightpath.tracing.Tracing;
import io.fabric8.kubernetes.client.KubernetesClient;

/**
 * What each term of this process works with.
 *
 * @param planner answers questions to DELTA
 * @param abandoned searches of terms before that no caller waits for
 * @param marks what was searched when processes before this one ended
 * @param verify whether each planning pass is decided once more from nothing
 */
record TermParts(
        KubernetesClient client,
        DriverFleet fleet,
        Publisher publisher,
        PassMeter meter,
        TopologyPlanner planner,
        AbandonedSearches abandoned,
        SearchMarks marks,
        Tracing tracing,
        boolean verify) {}
