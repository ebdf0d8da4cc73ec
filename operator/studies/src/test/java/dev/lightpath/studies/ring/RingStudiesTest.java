package dev.lightpath.studies.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lightpath.studies.Study;
import dev.lightpath.studies.StudyTable;
import dev.lightpath.studies.evaluation.FaultTrace;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RingStudiesTest {

    private static final Study.Options PLAIN = new Study.Options(Optional.empty(), 1);

    private static StudyTable run(String name) {
        return RingStudies.all().stream()
                .filter(study -> study.name().equals(name))
                .findFirst()
                .orElseThrow()
                .run(PLAIN, line -> {});
    }

    private static double value(StudyTable table, int column, Object... beginning) {
        return table.rows().stream()
                .filter(row -> row.subList(0, beginning.length).equals(List.of(beginning)))
                .map(row -> (Double) row.get(column))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theBundledTraceIsTheOneOfTheReference() {
        FaultTrace trace = TraceFile.read(Optional.empty());
        assertThat(trace.events()).hasSize(2 * 584);
        assertThat(trace.events().stream().map(FaultTrace.Event::server).distinct())
                .hasSize(231);
    }

    @Test
    void wasteOverTheTraceIsThatOfTheReference() {
        StudyTable waste = run("waste");
        assertThat(value(waste, 3, "trace", "InfinitePOD K=3", 8)).isCloseTo(0.068, within(0.002));
        assertThat(value(waste, 3, "trace", "InfinitePOD K=3", 16)).isCloseTo(0.192, within(0.004));
        assertThat(value(waste, 3, "trace", "InfinitePOD K=3", 32)).isCloseTo(0.518, within(0.01));
        assertThat(value(waste, 3, "trace", "InfinitePOD K=3", 64)).isCloseTo(1.390, within(0.02));
        assertThat(value(waste, 3, "trace", "InfinitePOD K=2", 32)).isCloseTo(0.575, within(0.03));
        assertThat(value(waste, 3, "trace", "Big-Switch", 32)).isCloseTo(0.518, within(0.01));
        assertThat(value(waste, 3, "trace", "NVL-72", 32)).isCloseTo(10.08, within(0.05));
        assertThat(value(waste, 3, "trace", "NVL-36", 32)).isCloseTo(10.52, within(0.06));
        assertThat(value(waste, 3, "trace", "NVL-576", 32)).isCloseTo(2.85, within(0.05));
        assertThat(value(waste, 3, "trace", "TPUv4", 32)).isCloseTo(7.06, within(0.05));
        assertThat(value(waste, 3, "trace", "SiP-Ring", 32)).isCloseTo(7.63, within(0.05));
    }

    @Test
    void costIsRecomputedAndMisprintsAreMarked() {
        StudyTable cost = run("cost");
        assertThat(value(cost, 3, "interconnect", "NVL-36x2", "watts per GPU")).isCloseTo(152.125, within(1e-9));
        assertThat(value(cost, 3, "interconnect", "InfinitePOD K=3", "watts per GPU and GB/s"))
                .isCloseTo(0.0900625, within(1e-9));
        assertThat(cost.rows().stream()
                        .filter(row -> row.get(5).equals("misprint"))
                        .map(row -> row.get(1) + ", " + row.get(2)))
                .containsExactly("NVL-36x2, watts per GPU", "InfinitePOD K=3, watts per GPU and GB/s");
    }

    @Test
    void largerTensorGroupsPayOffAsTheClusterGrows() {
        StudyTable mfu = run("mfu");
        for (int gpus : new int[] {8192, 32_768, 131_072}) {
            double any = value(mfu, 4, "Table 2", "Llama 3.1 405B", gpus);
            double inNode = value(mfu, 4, "Table 2, tensor <= 8", "Llama 3.1 405B", gpus);
            assertThat(any).isGreaterThan(inNode);
        }
    }
}
