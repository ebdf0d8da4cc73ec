package dev.lightpath.studies.ring;

import dev.lightpath.console.text.BadInput;
import dev.lightpath.studies.Study;
import dev.lightpath.studies.StudyTable;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/** The studies of the ring fabric. */
public final class RingStudies {

    private RingStudies() {}

    /** @param plays whether it plays a fault trace */
    private record Named(
            String name,
            String question,
            boolean plays,
            BiFunction<Study.Options, Consumer<String>, StudyTable> computation)
            implements Study {
        @Override
        public StudyTable run(Options options, Consumer<String> progress) {
            if (!plays && options.trace().isPresent()) {
                throw new BadInput(
                        "--trace: the study " + name + " plays no trace; waste, job-scale and fault-waiting do");
            }
            return computation.apply(options, progress);
        }
    }

    /** All of them, each with its name on the command line. */
    public static List<Study> all() {
        return List.of(
                new Named(
                        "waste",
                        "GPUs wasted under faults, by architecture (InfinitePOD Fig. 9, 10, Table 7)",
                        true,
                        WasteStudy::run),
                new Named(
                        "job-scale",
                        "Largest job that a trace leaves room for (InfinitePOD Fig. 11)",
                        true,
                        JobScaleStudy::run),
                new Named(
                        "fault-waiting",
                        "Time that a large job waits for repairs (InfinitePOD Fig. 12)",
                        true,
                        FaultWaitingStudy::run),
                new Named(
                        "cross-tor",
                        "Traffic across racks, by placement algorithm (InfinitePOD Fig. 13a-c)",
                        false,
                        CrossTorStudy::run),
                new Named(
                        "cost",
                        "Cost and power of the interconnect (InfinitePOD Table 6, 8, Fig. 13d)",
                        false,
                        CostStudy::run),
                new Named(
                        "mfu",
                        "Training efficiency by division of the GPUs (InfinitePOD Table 2, 4, 5)",
                        false,
                        MfuStudy::run));
    }
}
