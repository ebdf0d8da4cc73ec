package dev.lightpath.console.forecast;

import dev.lightpath.console.forecast.PlanReport.JobPlan;
import dev.lightpath.console.forecast.PlanReport.Other;
import dev.lightpath.console.text.Page;
import dev.lightpath.console.text.Table;
import dev.lightpath.planner.words.Counted;
import java.util.ArrayList;
import java.util.List;

/** {@link PlanReport} for people. */
public final class PlanPage {
    private PlanPage() {}

    public static Table of(PlanReport report) {
        Page page = new Page();
        report.jobs().forEach(job -> tell(page, job));
        report.scaleOut().forEach(job -> job.tell(page));
        report.notes().forEach(page::line);
        return page.text();
    }

    private static void tell(Page page, JobPlan job) {
        String title = "TrainingJob " + job.namespace() + "/" + job.name() + " on fabric " + job.fabric() + ": ";
        if (!job.placed()) {
            page.line(title + "would not be placed");
            page.line("  " + job.reason() + ": " + job.message());
            return;
        }
        page.line(title + Counted.of(job.gpus(), "GPU") + " in "
                + Counted.of(job.groups().size(), "group") + (job.held() ? ", placed already" : " would be placed"));
        job.groups().forEach(group -> page.line("  " + group.line()));
        if (job.why() != null) {
            page.line("  why: " + job.why() + " (" + job.planner() + ")");
        }
        page.line("  " + Table.cell(100 * (job.crossTorRatio() == null ? 0 : job.crossTorRatio()))
                + " % of the traffic between groups leaves its rack; " + job.spareNodes()
                + " free nodes within reach as spares");
        if (job.waitsFor() != null) {
            page.line("  not now: " + job.waitsFor());
        }
        preemption(page, job);
        Move.tell(page, job.moves());
        job.others().forEach(other -> other(page, other));
        Hidden.tell(page, job.hidden());
    }

    private static void preemption(Page page, JobPlan job) {
        List<String> given = new ArrayList<>(job.preempts());
        if (job.hiddenPreempted() != null) {
            given.add(Counted.of(job.hiddenPreempted(), "job") + " that you may not see");
        }
        if (!given.isEmpty()) {
            page.line("  takes the place of " + String.join(", ", given) + " (policy.preemption)");
        }
    }

    private static void other(Page page, Other other) {
        page.line("  also: slice " + other.slice()
                + (other.groups().isEmpty() ? " gives its light up" : " is recorded anew")
                + (other.why() == null ? "" : ": " + other.why() + " (" + other.planner() + ")"));
        other.groups().forEach(group -> page.line("    " + group.line()));
    }
}
