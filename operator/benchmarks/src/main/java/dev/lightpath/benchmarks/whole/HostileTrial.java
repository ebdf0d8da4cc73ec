package dev.lightpath.benchmarks.whole;

import static dev.lightpath.benchmarks.whole.Speed.say;

import dev.lightpath.benchmarks.Samples;
import java.util.Locale;

/** What one hostile namespace costs the repairs of the others: the same faults without it and with it. */
final class HostileTrial {
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
        Samples insideWithout = new Samples();
        Samples insideWith = new Samples();
        Operator.Series before = site.operator.series();
        say("warming up");
        trial.repairs(new Samples(), new Samples(), faults / 4);
        say("without the hostile namespace: " + faults + " faults");
        trial.repairs(without, insideWithout, faults);
        say("writing the hostile namespace");
        hostile.create();
        try (Probe acts = new Probe(ACT_MILLIS, hostile::act)) {
            Patience.sleepMillis(SETTLE_MILLIS);
            say("with the hostile namespace: " + faults + " faults");
            Load began = Load.of(site);
            trial.repairs(with, insideWith, faults);
            Load.of(site).since(began).forEach(Speed::say);
            say("heap " + site.operator.heapMib() + " MiB after a full collection, largest so far "
                    + site.operator.program().peakResidentMib() + " MiB resident");
        }
        Operator.Series after = site.operator.series();
        return "\n| a Node is marked faulty | without a hostile namespace: p50 / p99 / max (samples) | with one | ratio of p50, p99 |\n"
                + "|---|---|---|---|\n"
                + row("event to last acknowledgement, by the operator's clock", insideWithout, insideWith)
                + row("write to light", without, with)
                + "| searches answered meanwhile | | "
                + Math.round(after.sum("lightpath_solver_answer_seconds_count")
                        - before.sum("lightpath_solver_answer_seconds_count"))
                + " | |\n";
    }

    static String row(String what, Samples without, Samples with) {
        return String.format(
                Locale.ROOT,
                "| %s | %s | %s | %.2f, %.2f |%n",
                what,
                without,
                with,
                with.percentile(50) / without.percentile(50),
                with.percentile(99) / without.percentile(99));
    }
}
