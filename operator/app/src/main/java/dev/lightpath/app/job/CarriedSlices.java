package dev.lightpath.app.job;

import dev.lightpath.crds.job.CarriedAllocation;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.Demand;
import dev.lightpath.reading.CarriedText;
import dev.lightpath.reading.SliceIntentReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Slices that somebody deleted while their job wants them: kept in its status, let go, and written again as they were (ADR 18). */
record CarriedSlices(JobFacts facts) {
    /** Characters of what is carried; a slice that does not fit hangs on its finalizer, and is served as it is. */
    static final int MOST_CARRIED = 900_000;

    /** As the job's status has them. */
    List<CarriedAllocation> told() {
        return SliceIntentReader.carried(facts.job());
    }

    /** Whether the light of a slice is recorded though the slice may not say so. */
    boolean holds(SliceFacts slice) {
        return told().stream().anyMatch(carried -> carried.slice().equals(slice.name()));
    }

    /** Slices deleted by hand go once the job's own status carries all there is to know of them. */
    List<JobStep> letGo() {
        return facts.current().stream()
                .filter(slice -> isWrittenAgain(slice) && told().stream().anyMatch(carried -> isCopy(carried, slice)))
                .<JobStep>map(slice ->
                        new JobStep.LetGoSlice(slice.name(), slice.allocation().orElseThrow()))
                .toList();
    }

    /**
     * Slices that somebody deleted once more before they had their record back: it is carried still, so they go empty and are written
     * again like those before them.
     */
    List<JobStep> letGoEmpty() {
        return facts.current().stream()
                .filter(slice -> isEmptyCopy(slice) && facts.knows(slice.fabric()))
                .<JobStep>map(slice -> new JobStep.LetGoEmpty(slice.name()))
                .toList();
    }

    private boolean isEmptyCopy(SliceFacts slice) {
        return slice.goesEmpty()
                && told().stream()
                        .anyMatch(carried -> carried.slice().equals(slice.name())
                                && demand(carried).isPresent());
    }

    /** Whether somebody deleted it, and it can be put back now: a fabric that is gone looks after no record. */
    boolean isWrittenAgain(SliceFacts slice) {
        return slice.carriedOver() && facts.knows(slice.fabric());
    }

    private static boolean isCopy(CarriedAllocation carried, SliceFacts slice) {
        String demand = carried.demand();
        return carried.slice().equals(slice.name())
                && CarriedText.isOf(carried.allocation(), slice.allocation().orElseThrow())
                && demand != null
                && CarriedText.isOf(demand, slice.demand());
    }

    /** Slices whose record is carried and that nobody has written again: they ask for what they asked for. */
    List<JobStep> again() {
        return told().stream()
                .filter(carried ->
                        facts.slices().stream().noneMatch(slice -> slice.name().equals(carried.slice())))
                .<JobStep>flatMap(carried -> demand(carried)
                        .map(demand ->
                                new JobStep.CreateSlice(carried.slice(), carried.fabric(), carried.attempt(), demand))
                        .stream())
                .toList();
    }

    /**
     * Where an older version carried no demand, what the job asks for now. With traffic that cannot be read that is not known, and does
     * not matter for light that goes down.
     */
    private Optional<Demand> demand(CarriedAllocation carried) {
        return SliceIntentReader.demanded(carried)
                .or(() -> facts.wishes().stream()
                        .filter(wish -> wish.fabric().equals(carried.fabric())
                                && (Purpose.of(facts) instanceof Purpose.Release
                                        || facts.traffic().isKnown()))
                        .map(LightWish::demand)
                        .findFirst());
    }

    /**
     * What the status is to carry: slices of the attempt that somebody deleted while it is served, and what was carried until the slice
     * that comes after has a record of its own.
     */
    List<CarriedAllocation> tell(boolean serves, int attempt) {
        List<CarriedAllocation> carried = new ArrayList<>();
        int room = MOST_CARRIED;
        for (SliceFacts slice : facts.slices()) {
            if (serves && slice.carriedOver() && slice.attempt() == attempt) {
                CarriedAllocation copy = copy(slice, slice.allocation().orElseThrow());
                room -= copy.allocation().length()
                        + String.valueOf(copy.demand()).length();
                if (room >= 0) {
                    carried.add(copy);
                }
            }
        }
        Stream<CarriedAllocation> kept = told().stream()
                .filter(before -> facts.slices().stream()
                        .noneMatch(slice -> slice.name().equals(before.slice())
                                && (slice.allocation().isPresent() || slice.forceRelease())));
        return Stream.concat(carried.stream(), kept).toList();
    }

    private static CarriedAllocation copy(SliceFacts slice, Allocation record) {
        return new CarriedAllocation(
                slice.name(), slice.fabric(), slice.attempt(), CarriedText.of(record), CarriedText.of(slice.demand()));
    }
}
