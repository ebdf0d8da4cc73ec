package dev.lightpath.cli.cluster.show;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.console.report.Leader;
import dev.lightpath.console.report.StatusReport;
import dev.lightpath.console.text.BadInput;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.FabricSlice;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StatusReportTest {
    private static final Instant NOW = Instant.parse("2026-11-21T08:00:00Z");

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
                        "  ring-a: node/n7 DeclaredFaulty: smells of smoke, since 2026-11-21T07:30:00Z",
                        "",
                        "not ready",
                        "  job default/llm: Programming: 3 of 18 circuits lit",
                        "",
                        "going on",
                        "  slice default/llm-ring-a-1-abcde on ring-a: Programming,"
                                + " 3 of 18 circuits lit, 1 not yet read back dark");
    }

    @Test
    void aRecordInPartsIsOneSlice() {
        FabricSlice first = Shown.slice("u");
        first.setStatus(Shown.yaml(FabricSlice.class, """
                status:
                  allocation: {format: 1, revision: 2, parts: 2, groups: [], releasing: {nodes: [n7]}}
                """).getStatus());
        StatusReport report =
                StatusReport.of(Optional.empty(), List.of(), List.of(), List.of(), List.of(first, Shown.part("u")));
        assertThat(report.slices()).singleElement().satisfies(slice -> {
            assertThat(slice.name()).isEqualTo("llm-ring-a-1-abcde");
            assertThat(slice.releasing()).as("of all parts").isEqualTo(3);
        });
        assertThat(StatusReport.of(Optional.empty(), List.of(), List.of(), List.of(), List.of(first))
                        .slices())
                .as("a part that is not there")
                .singleElement()
                .satisfies(slice -> assertThat(slice.releasing()).isEqualTo(1));
    }

    @Test
    void showsSixDigitsOfAnIteration() {
        TrainingJob job = Shown.yaml(TrainingJob.class, """
                apiVersion: lightpath.dev/v1alpha1
                kind: TrainingJob
                metadata: {name: llm, namespace: default, uid: u}
                spec: {model: {preset: gpt-7b}, parallelism: {tensor: 8}, scaleOut: {fabric: dc}}
                status: {prediction: {iterationSeconds: "0.5657736717926398"}}
                """);
        assertThat(page(List.of(job))).contains(" 0.565774 s ");
    }

    @Test
    void saysWhatATemplateContradicts() {
        TrainingJob job = Shown.job("u");
        job.getStatus().conditions().getFirst().setReason("TemplateContradicts");
        job.getStatus().conditions().getFirst().setMessage("container t says 9");
        assertThat(page(List.of(job)))
                .contains("\ncontradictions\n  job default/llm: TemplateContradicts: container t says 9\n");
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

    /** Statuses stay as the last operator wrote them: alone they look well for ever. */
    @Test
    void saysThatNobodyKeepsWhatIsShown() {
        assertThat(page(Leader.of("home", lease("op-1", NOW.minusSeconds(20)), NOW), List.of()))
                .doesNotContain("nobody leads");
        assertThat(page(Leader.of("home", lease("op-1", NOW.minusSeconds(90)), NOW), List.of()))
                .startsWith("nobody leads: the Lease was last renewed at 2026-11-21T07:58:30Z;"
                        + " what follows is what was known then, and nothing is repaired or placed\n\nFABRIC");
        assertThat(page(Leader.of("home", lease("", NOW.minusSeconds(20)), NOW), List.of()))
                .startsWith("nobody leads: the Lease was last renewed at");
        assertThat(page(Leader.of("home", null, NOW), List.of()))
                .startsWith("nobody leads: there is no renewed Lease lightpath-operator in namespace home");
    }

    @Test
    void isLedWhileTheLeaseIsRenewedAndSaysWhereThatCannotBeRead() {
        assertThat(StatusCommand.isLed(report(Leader.of("home", lease("op-1", NOW.minusSeconds(20)), NOW))))
                .isTrue();
        assertThat(StatusCommand.isLed(report(Leader.of("home", lease("op-1", NOW.minusSeconds(90)), NOW))))
                .isFalse();
        StatusReport unread = StatusReport.of(Optional.empty(), List.of(), List.of(), List.of(), List.of());
        assertThatThrownBy(() -> StatusCommand.isLed(unread))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("you may not read the Lease lightpath-operator");
    }

    private static StatusReport report(Leader leader) {
        return StatusReport.of(Optional.of(leader), List.of(), List.of(), List.of(), List.of());
    }

    private static Lease lease(String holder, Instant renewed) {
        return new LeaseBuilder()
                .withNewSpec()
                .withHolderIdentity(holder)
                .withRenewTime(renewed.atZone(ZoneOffset.UTC))
                .endSpec()
                .build();
    }

    private static String page(List<TrainingJob> jobs) {
        return page(Leader.of("home", lease("op-1", NOW), NOW), jobs);
    }

    private static String page(Leader leader, List<TrainingJob> jobs) {
        return StatusPage.of(StatusReport.of(
                        Optional.of(leader), List.of(Shown.fabric()), List.of(), jobs, List.of(Shown.slice("u"))))
                .render();
    }
}
