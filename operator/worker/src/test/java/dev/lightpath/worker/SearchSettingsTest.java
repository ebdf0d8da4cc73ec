package dev.lightpath.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.planner.delta.Algorithm;
import dev.lightpath.planner.delta.Goal;
import dev.lightpath.planner.delta.iteration.InstanceGenerator;
import dev.lightpath.planner.delta.iteration.Preset;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.search.SearchLimits;
import dev.lightpath.proto.solver.v1alpha1.Question;
import dev.lightpath.worker.wire.SearchCodec;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command line of a worker, and what it is asked. */
final class SearchSettingsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "--searches 0",
                "--searches",
                "--memory much",
                "--listen 9460",
                "--http localhost:70000",
                "--caller lightpath-operator",
                "--tls /tmp",
                "--verbose true"
            })
    void aWrongCommandLineIsNamed(String line) {
        assertThatThrownBy(() -> SearchWorker.settings(line.split(" ")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        line.startsWith("--tls")
                                ? "--caller"
                                : line.startsWith("--caller") ? "--tls" : line.split(" ")[0]);
    }

    @Test
    void aQuestionSurvivesTheWay() {
        for (Preset preset : List.of(Preset.GPT_7B, Preset.MIXTRAL_8X22B)) {
            DeltaInstance instance = InstanceGenerator.generate(preset.workload(400, 8, 4096, true));
            Goal goal = Goal.fewestPorts(Algorithm.TOPOLOGY, 0.25);
            Question question = SearchCodec.question(instance, goal, SearchLimits.standard());
            assertThat(SearchCodec.instance(question)).isEqualTo(instance);
            assertThat(SearchCodec.goal(question)).isEqualTo(goal);
        }
    }
}
