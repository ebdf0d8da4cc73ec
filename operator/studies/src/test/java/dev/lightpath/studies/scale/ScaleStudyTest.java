package dev.lightpath.studies.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.console.text.BadInput;
import dev.lightpath.studies.Study;
import dev.lightpath.studies.StudyTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ScaleStudyTest {
    private static final Study.Options OPTIONS = new Study.Options(Optional.empty(), 1);

    @Test
    void tellsOfEachSizeWhatItCosts() {
        List<String> told = new ArrayList<>();
        StudyTable table = new ScaleStudy(List.of(1, 2), 64, 3).run(OPTIONS, told::add);
        assertThat(told).containsExactly("1 of 2 fabrics of 64 nodes", "2 of 2 fabrics of 64 nodes");
        assertThat(column(table, "gpus")).containsExactly(512, 1024);
        assertThat(column(table, "jobs")).containsExactly(6, 12);
        // a fault of one node in a job: its record is written, and neighbours change on both sides
        for (String figure : List.of(
                "fault p50, ms",
                "faults an hour",
                "records to the API server a second",
                "Node events from the API server a second",
                "changes to drivers a second",
                "heartbeats from drivers a second")) {
            assertThat(column(table, figure))
                    .as(figure)
                    .allSatisfy(value -> assertThat((double) value).isPositive());
        }
        double changesOfOne = 3600
                * (double) column(table, "changes to drivers a second").getFirst()
                / (double) column(table, "faults an hour").getFirst();
        assertThat(changesOfOne).as("devices changed for a fault").isBetween(2.0, 16.0);
        assertThat(table.chart().orElseThrow().series().getFirst().points()).hasSize(2);
    }

    /** Faults and decisions are drawn from the seed, so what they cause is the same each time. */
    @Test
    void theSameSeedCausesTheSame() {
        ScaleStudy study = new ScaleStudy(List.of(1), 64, 3);
        List<Object> once = column(study.run(OPTIONS, line -> {}), "changes to drivers a second");
        assertThat(column(study.run(OPTIONS, line -> {}), "changes to drivers a second"))
                .isEqualTo(once);
        assertThat(column(study.run(new Study.Options(Optional.empty(), 7), line -> {}), "changes to drivers a second"))
                .isNotEqualTo(once);
    }

    @Test
    void aRingWithoutRoomForAJobIsSaid() {
        assertThatThrownBy(() -> new ScaleStudy(List.of(1), 8, 1).run(OPTIONS, line -> {}))
                .isInstanceOf(BadInput.class)
                .hasMessage("rings of 8 nodes have no room for a job of 8 nodes");
    }

    private static List<Object> column(StudyTable table, String name) {
        int column = table.columns().indexOf(name);
        return table.rows().stream().map(row -> row.get(column)).toList();
    }
}
