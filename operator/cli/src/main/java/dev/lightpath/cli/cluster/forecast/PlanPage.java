package dev.lightpath.cli.cluster.forecast;

import dev.lightpath.cli.cluster.forecast.PlanReport.Group;
import dev.lightpath.cli.cluster.forecast.PlanReport.JobPlan;
import dev.lightpath.cli.cluster.forecast.PlanReport.Move;
import dev.lightpath.cli.cluster.forecast.PlanReport.Other;
import dev.lightpath.console.text.Page;
import dev.lightpath.console.text.Table;
import dev.lightpath.planner.ring.BundleState;
import dev.lightpath.planner.words.Counted;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** {@link PlanReport} for people. */
final class PlanPage {
    private static final int MOST_NODES = 40;

    private PlanPage() {}

    static Table of(PlanReport report) {
        Page page = new Page();
        report.jobs().forEach(job -> tell(page, job));
        report.scaleOut().forEach(job -> job.tell(page));
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
        job.groups().forEach(group -> page.line("  " + line(group)));
        if (job.why() != null) {
            page.line("  why: " + job.why() + " (" + job.planner() + ")");
        }
        page.line("  " + Table.cell(100 * (job.crossTorRatio() == null ? 0 : job.crossTorRatio()))
                + " % of the traffic between groups leaves its rack; " + job.spareNodes()
                + " free nodes within reach as spares");
        if (job.waitsFor() != null) {
            page.line("  not now: " + job.waitsFor());
        }
        moves(page, job);
        job.others().forEach(other -> other(page, other));
    }

    static String line(Group group) {
        return "group " + group.index() + ": " + String.join(" ", group.nodes());
    }

    private static void moves(Page page, JobPlan job) {
        moves(page, job.moves());
    }

    /** What light changes, one line a node. */
    static void moves(Page page, List<Move> moves) {
        Map<Integer, List<Move>> byNode = new TreeMap<>();
        moves.forEach(move -> byNode.computeIfAbsent(move.position(), node -> new ArrayList<>())
                .add(move));
        page.line("  light: "
                + (moves.isEmpty()
                        ? "nothing moves"
                        : Counted.of(moves.size(), "bundle changes", "bundles change") + " on "
                                + Counted.of(byNode.size(), "node") + ", all others stay"));
        byNode.values().stream().limit(MOST_NODES).forEach(node -> {
            StringBuilder line = new StringBuilder("    " + node.getFirst().node() + ":");
            node.forEach(move -> line.append(" b")
                    .append(move.bundle())
                    .append(' ')
                    .append(word(move.from()))
                    .append('>')
                    .append(word(move.to())));
            page.line(line.toString());
        });
        if (byNode.size() > MOST_NODES) {
            page.line("    and " + Counted.of(byNode.size() - MOST_NODES, "node") + " more: -o json shows all");
        }
    }

    private static void other(Page page, Other other) {
        page.line("  also: slice " + other.slice()
                + (other.groups().isEmpty() ? " gives its light up" : " is recorded anew")
                + (other.why() == null ? "" : ": " + other.why() + " (" + other.planner() + ")"));
        other.groups().forEach(group -> page.line("    " + line(group)));
    }

    private static String word(BundleState state) {
        return switch (state) {
            case LOOPBACK -> "loop";
            case PATH_1 -> "path1";
            case PATH_2 -> "path2";
        };
    }
}
