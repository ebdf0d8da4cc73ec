package dev.lightpath.app.job.facts;

import dev.lightpath.app.job.facts.WorkloadFacts.Ending;
import dev.lightpath.app.job.facts.WorkloadFacts.Run;
import dev.lightpath.app.kueue.QueuedWorkload;
import java.util.Optional;

/** A workload that is there, changed until its facts are read. */
public final class SampleRun {
    private boolean deleting;
    private boolean gated = true;
    private Optional<Ending> ending = Optional.empty();
    private boolean suspended;
    private Made made = Made.unknown();
    private boolean elsewhere;
    private Optional<QueuedWorkload> queued = Optional.empty();
    private int restarts;

    private SampleRun() {}

    /** It runs here behind its gate, in no queue; the operator did not make it. */
    public static SampleRun running() {
        return new SampleRun();
    }

    public SampleRun deleting(boolean is) {
        deleting = is;
        return this;
    }

    public SampleRun withoutGate() {
        gated = false;
        return this;
    }

    public SampleRun ended(boolean succeeded, String reason, String message) {
        ending = Optional.of(new Ending(succeeded, reason, message));
        return this;
    }

    public SampleRun suspended(boolean is) {
        suspended = is;
        return this;
    }

    public SampleRun made(Made by) {
        made = by;
        return this;
    }

    /** MultiKueue runs it in another cluster. */
    public SampleRun elsewhere() {
        elsewhere = true;
        return this;
    }

    public SampleRun queued(QueuedWorkload told) {
        queued = Optional.of(told);
        return this;
    }

    public SampleRun restarts(int times) {
        restarts = times;
        return this;
    }

    public Run run() {
        return new Run(deleting, gated, ending, suspended, made, elsewhere, queued, restarts, false);
    }
}
