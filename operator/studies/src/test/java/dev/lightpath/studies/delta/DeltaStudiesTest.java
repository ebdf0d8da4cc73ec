package dev.lightpath.studies.delta;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.studies.Study;
import dev.lightpath.studies.StudyTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DeltaStudiesTest {

    @Test
    void namesTheFourStudies() {
        assertThat(DeltaStudies.all())
                .extracting(Study::name)
                .containsExactly("delta-nct", "delta-ports", "delta-reallocation", "delta-runtime");
    }

    @Test
    void reallocatesWithAProofInEveryRow() {
        List<String> progress = new ArrayList<>();
        StudyTable table = new ReallocationStudy().run(new Study.Options(Optional.empty(), 1), progress::add);
        assertThat(table.rows()).hasSize(8);
        assertThat(progress).hasSize(8);
        int proved = table.columns().indexOf("proved");
        int before = table.columns().indexOf("before %");
        int after = table.columns().indexOf("after %");
        for (List<Object> row : table.rows()) {
            assertThat(row.get(proved)).isEqualTo(true);
            assertThat((Double) row.get(after)).isLessThanOrEqualTo((Double) row.get(before) + 1e-6);
        }
    }
}
