package dev.lightpath.planner.learn;

import dev.lightpath.planner.ask.Speeds;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.model.Topology;
import dev.lightpath.planner.delta.simulation.BuiltIteration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The iteration of a question, at any speeds. It is built once for all circuits that are asked about one after the
 * other at the same speeds. Not thread-safe.
 */
public final class QuestionModel implements IterationModel {
    /** Transfers of an iteration that is fitted: a fit takes seconds beyond that. */
    static final int MOST_TRANSFERS = 1 << 14;

    private final TopologyQuestion question;
    private final DeltaInstance believed;
    private @Nullable Speeds builtAt;
    private @Nullable BuiltIteration built;

    private QuestionModel(TopologyQuestion question, DeltaInstance believed) {
        this.question = question;
        this.believed = believed;
    }

    /**
     * Cost of {@link TopologyQuestion#instance}.
     *
     * @param question of a job of which nothing was learnt
     * @return empty for an iteration that is too long to be simulated often
     * @throws IllegalArgumentException as {@link TopologyQuestion#instance}
     */
    public static Optional<QuestionModel> of(TopologyQuestion question) {
        if (question.tooLong().isPresent()) {
            return Optional.empty();
        }
        DeltaInstance instance = question.instance();
        return instance.tasks().size() > MOST_TRANSFERS
                        || BuiltIteration.of(instance).isHeavy()
                ? Optional.empty()
                : Optional.of(new QuestionModel(question, instance));
    }

    @Override
    public double seconds(Speeds speeds, List<Integer> circuits) {
        if (built == null || !speeds.equals(builtAt)) {
            built = BuiltIteration.of(believed.at(speeds.compute(), speeds.link()));
            builtAt = speeds;
        }
        return built.makespanSeconds(
                new Topology(circuits), question.goal().algorithm().rates());
    }
}
