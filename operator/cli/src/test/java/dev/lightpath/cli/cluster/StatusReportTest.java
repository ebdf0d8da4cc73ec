package dev.lightpath.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.job.TrainingJob;
import java.util.List;
import org.junit.jupiter.api.Test;

class StatusReportTest {

    @Test
    void showsEverythingAtOneGlance() {
        String page = page(List.of(Shown.job("u")));
        assertThat(page.lines().toList())
                .containsExactly(
                        "FABRIC  READY  NODES  FAULTY  GPUS  USABLE  ALLOCATED  AS MEANT  FOREIGN  DRIVER",
                        "ring-a  yes    8      1       32    28      24         24/24     0        connected",
                        "",
                        "JOB          READY        GPUS  NODES  GROUPS  ATTEMPT  ITERATION  FABRICS",
                        "default/llm  Programming  24    6      2       1        -          ring-a",
                        "",
                        "faults",
                        "  ring-a: node/n7 NodeNotReady, since 2026-11-21T07:30:00Z",
                        "",
                        "not ready",
                        "  job default/llm: Programming: 3 of 18 circuits lit",
                        "",
                        "going on",
                        "  slice default/llm-ring-a-1-abcde on ring-a: Programming,"
                                + " 3 of 18 circuits lit, 1 not yet read back dark");
    }

    @Test
    void saysWhichSlicesServeNoJobAnyMore() {
        assertThat(page(List.of())).contains("1 not yet read back dark (of no current attempt of a job)");
    }

    @Test
    void saysThatNobodyHasLookedYet() {
        TrainingJob unseen = Shown.job("u");
        unseen.setStatus(null);
        assertThat(page(List.of(unseen))).contains("job default/llm: NotReported: the operator has not reported on it");
    }

    private static String page(List<TrainingJob> jobs) {
        return StatusReport.of(List.of(Shown.fabric()), List.of(), jobs, List.of(Shown.slice("u")))
                .answer()
                .table()
                .render();
    }
}
