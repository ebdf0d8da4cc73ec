package dev.lightpath.app.job.facts;

import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.Demand;
import dev.lightpath.crds.slice.Outlook;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import java.util.Optional;

/** A slice of a job, changed until its facts are read. */
public final class SampleSlice {
    private final String name;
    private final String fabric;
    private final int attempt;
    private final Demand demand;
    private List<Condition> conditions = List.of();
    private Optional<Allocation> allocation = Optional.empty();
    private boolean deleting;
    private boolean forceRelease;
    private Optional<Outlook> outlook = Optional.empty();
    private boolean labelled = true;
    private Optional<Long> observedRevision = Optional.empty();
    private Optional<String> preemptor = Optional.empty();

    private SampleSlice(String name, String fabric, int attempt, Demand demand) {
        this.name = name;
        this.fabric = fabric;
        this.attempt = attempt;
        this.demand = demand;
    }

    /** With nothing recorded and nothing told. */
    public static SampleSlice of(String name, String fabric, int attempt, Demand demand) {
        return new SampleSlice(name, fabric, attempt, demand);
    }

    /** The same as another one, with all parts of its record. */
    public static SampleSlice like(SliceFacts slice) {
        return like(slice, slice.fabric(), slice.demand());
    }

    /** The same, of another fabric and for another demand. */
    public static SampleSlice like(SliceFacts slice, String fabric, Demand demand) {
        SampleSlice same = new SampleSlice(slice.name(), fabric, slice.attempt(), demand);
        same.conditions = slice.conditions();
        same.allocation = slice.allocation();
        same.deleting = slice.deleting();
        same.forceRelease = slice.forceRelease();
        same.outlook = slice.outlook();
        same.labelled = slice.labelled();
        same.observedRevision = slice.observedRevision();
        same.preemptor = slice.preemptor();
        return same;
    }

    public SampleSlice says(Condition... told) {
        return says(List.of(told));
    }

    public SampleSlice says(List<Condition> told) {
        conditions = told;
        return this;
    }

    /** What its conditions speak of, too. */
    public SampleSlice recorded(Allocation record) {
        allocation = Optional.of(record);
        observedRevision = Optional.of(record.revision());
        return this;
    }

    /** Nothing is recorded. */
    public SampleSlice unrecorded() {
        allocation = Optional.empty();
        observedRevision = Optional.empty();
        return this;
    }

    /** Of which record its conditions speak. */
    public SampleSlice toldOf(Optional<Long> revision) {
        observedRevision = revision;
        return this;
    }

    /** Somebody deleted it. */
    public SampleSlice deleting() {
        deleting = true;
        return this;
    }

    /** A person lets it go. */
    public SampleSlice forced() {
        forceRelease = true;
        return this;
    }

    public SampleSlice expecting(Optional<Outlook> hope) {
        outlook = hope;
        return this;
    }

    public SampleSlice unlabelled() {
        labelled = false;
        return this;
    }

    public SampleSlice preemptedBy(String job) {
        preemptor = Optional.of(job);
        return this;
    }

    public SliceFacts facts() {
        return new SliceFacts(
                name,
                fabric,
                attempt,
                demand,
                conditions,
                allocation,
                deleting,
                forceRelease,
                Optional.empty(),
                outlook,
                true,
                labelled,
                observedRevision,
                preemptor);
    }
}
