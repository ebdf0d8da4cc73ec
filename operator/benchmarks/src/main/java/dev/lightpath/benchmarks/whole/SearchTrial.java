package dev.lightpath.benchmarks.whole;

import static dev.lightpath.benchmarks.whole.Speed.say;

import dev.lightpath.benchmarks.Samples;
import dev.lightpath.crds.job.TrainingJob;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;

/** What four long searches cost the repairs of other jobs: the same faults without them and with them. */
final class SearchTrial {
    private static final int SEARCHES = 4;
    private static final int MICRO_BATCHES = 1024;
    private static final int BEGIN_SECONDS = 120;

    private final Trial trial;
    private final Site site;
    private final int faults;

    SearchTrial(Site site, Trial trial) {
        this.site = site;
        this.trial = trial;
        this.faults = site.size.faults();
    }

    /** Returns a table. */
    String run() {
        trial.place();
        trial.settle(10);
        Samples without = new Samples();
        Samples with = new Samples();
        Samples insideWithout = new Samples();
        Samples insideWith = new Samples();
        say("warming up");
        trial.repairs(new Samples(), new Samples(), faults / 4);
        say("without searches: " + faults + " faults");
        trial.repairs(without, insideWithout, faults);
        for (int number = 0; number < SEARCHES; number++) {
            begin("searching-" + number, MICRO_BATCHES - 8 * number);
        }
        Patience.until(SEARCHES + " searches run", BEGIN_SECONDS, () -> searches() == SEARCHES);
        say("with " + SEARCHES + " searches: " + faults + " faults");
        trial.repairs(with, insideWith, faults);
        double left = searches();
        if (left < SEARCHES) {
            throw new IllegalStateException("of " + SEARCHES + " searches only " + left + " ran to the end");
        }
        return "\n| a Node is marked faulty | without searches: p50 / p99 / max (samples) | with " + SEARCHES
                + " that take long | ratio of p50, p99 |\n|---|---|---|---|\n"
                + HostileTrial.row("event to last acknowledgement, by the operator's clock", insideWithout, insideWith)
                + HostileTrial.row("write to light", without, with)
                + "| searches that ran in the operator though there is a worker | | "
                + Math.round(site.operator.series().sum("lightpath_solver_local_total")) + " | |\n";
    }

    private double searches() {
        return site.operator.series().sum("lightpath_solver_questions");
    }

    /** Each in a namespace of its own: one namespace has three at most. */
    private void begin(String namespace, int microBatches) {
        site.client()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build())
                .create();
        site.create(Manifests.searchingJob(namespace, microBatches), TrainingJob.class);
    }
}
