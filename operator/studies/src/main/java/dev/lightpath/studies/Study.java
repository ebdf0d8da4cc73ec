package dev.lightpath.studies;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/** One table or figure of a paper, recomputed. Answers within minutes on two cores. */
public interface Study {
    /** The name on the command line, for example {@code delta-nct}. */
    String name();

    /** The question it answers and the paper's table or figure, in one line. */
    String question();

    /**
     * Computes it.
     *
     * @param progress takes a line for a person waiting
     */
    StudyTable run(Options options, Consumer<String> progress);

    /**
     * What a user may set.
     *
     * @param trace a fault trace in place of the bundled one
     * @param seed of whatever is drawn
     */
    record Options(Optional<Path> trace, long seed) {}
}
