package dev.lightpath.benchmarks.whole;

import static dev.lightpath.benchmarks.whole.Speed.say;

import java.util.Locale;

/** What one hostile namespace costs the repairs of the others: the same faults without and with it, by turns. */
final class HostileTrial {
    private static final int ROUNDS = 2;
    /** So long the operator has for what is new before faults count. */
    private static final long SETTLE_MILLIS = 20_000;

    private static final int ACT_MILLIS = 1000;

    private final Trial trial;
    private final Site site;
    private final int faults;

    HostileTrial(Site site, Trial trial) {
        this.site = site;
        this.trial = trial;
        this.faults = site.size.faults();
    }

    /** Returns a table. */
    String run() {
        trial.place();
        trial.settle(10);
        HostileNamespace hostile = new HostileNamespace(site.client());
        Samples without = new Samples();
        Samples with = new Samples();
        Operator.Series before = site.operator.series();
        say("warming up");
        trial.repairs(new Samples(), faults / 4);
        for (int round = 0; round < ROUNDS; round++) {
            say("without the hostile namespace: " + faults + " faults");
            trial.repairs(without, faults);
            say("writing the hostile namespace");
            hostile.create();
            try (Probe acts = new Probe(ACT_MILLIS, hostile::act)) {
                Patience.sleepMillis(SETTLE_MILLIS);
                say("with the hostile namespace: " + faults + " faults");
                trial.repairs(with, faults);
                say("heap " + site.operator.heapMib() + " MiB after a full collection, largest so far "
                        + site.operator.program().peakResidentMib() + " MiB resident");
            }
            say("removing the hostile namespace");
            hostile.remove();
            Patience.sleepMillis(SETTLE_MILLIS);
        }
        Operator.Series after = site.operator.series();
        return "\n| a Node is marked faulty: written to light | p50 / p99 / max (samples) |\n|---|---|\n"
                + "| without a hostile namespace | " + without + " |\n"
                + "| with one | " + with + " |\n"
                + String.format(
                        Locale.ROOT,
                        "| ratio of p50, of p99 | %.2f, %.2f |%n",
                        with.percentile(50) / without.percentile(50),
                        with.percentile(99) / without.percentile(99))
                + "| searches answered meanwhile | "
                + Math.round(after.sum("lightpath_solver_answer_seconds_count")
                        - before.sum("lightpath_solver_answer_seconds_count"))
                + " |\n";
    }
}
