package dev.lightpath.console.explain;

import dev.lightpath.console.report.DegradingLight;
import dev.lightpath.console.report.JobTree.GroupBranch;
import dev.lightpath.console.report.JobTree.SliceBranch;
import dev.lightpath.console.text.Page;
import dev.lightpath.console.text.Table;
import dev.lightpath.crds.job.Prediction;
import dev.lightpath.crds.job.measurement.Measurement;
import dev.lightpath.planner.delta.Explanation;
import dev.lightpath.planner.ring.BundleState;
import dev.lightpath.reading.LearntReader;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** {@link ExplainReport} for people. */
public final class ExplainPage {
    private static final int MOST_GROUPS = 16;

    private ExplainPage() {}

    public static Table of(ExplainReport report) {
        Page page = new Page();
        page.line("TrainingJob " + report.namespace() + "/" + report.name() + ": "
                + (report.ready().holds() ? "Ready" : report.ready().sentence()));
        if (report.contradiction() != null) {
            page.line(report.contradiction());
        }
        Prediction told = report.prediction();
        if (told != null && told.iterationSeconds() != null) {
            page.line("the operator expects an iteration of " + Table.decimal(told.iterationSeconds()) + " s"
                    + (told.lowerBoundSeconds() == null
                            ? ""
                            : ", at least " + Table.decimal(told.lowerBoundSeconds()) + " s")
                    + (told.ports() == null ? "" : ", on " + told.ports() + " of " + told.portBudget() + " ports")
                    + (Boolean.TRUE.equals(told.proved()) ? ", proved the best" : ""));
        }
        Measurement measured = report.measurement();
        if (measured != null) {
            page.line((measured.iterationSeconds() == null
                            ? "nothing was measured with the circuits that it has now"
                            : "the job measured " + measured.iterationSeconds() + " s" + LearntReader.teller(measured)
                                    + ", " + measured.ratio() + " times as long as expected")
                    + "; " + LearntReader.words(measured));
        }
        page.section(
                "light that gets worse",
                report.degrading().stream()
                        .map(each -> each.fabric() + ": " + DegradingLight.told(each.port()))
                        .toList());
        report.scaleOut()
                .forEach(slice ->
                        page.section("circuits: slice " + slice.slice() + " on " + slice.fabric(), circuits(slice)));
        report.scaleUp()
                .forEach(slice ->
                        page.section("groups: slice " + slice.name() + " on " + slice.fabric(), groups(slice, report)));
        if (!report.notes().isEmpty()) {
            page.section("not explained", report.notes());
        }
        return page.text();
    }

    private static List<String> circuits(ScaleOutReport slice) {
        List<String> lines = new ArrayList<>();
        if (slice.why() != null) {
            lines.add("why: " + slice.why());
        }
        Explanation explanation = slice.explanation();
        if (explanation == null) {
            lines.add(String.valueOf(slice.note()));
        } else {
            List<String> pods = slice.pods();
            lines.addAll(Explanations.page(explanation, pod -> pod < pods.size() ? pods.get(pod) : "pod " + pod));
        }
        return lines;
    }

    private static List<String> groups(SliceBranch slice, ExplainReport report) {
        List<String> lines = new ArrayList<>();
        if (slice.origin() != null) {
            lines.add("why these seats: " + slice.origin().why() + " ("
                    + slice.origin().planner() + ")");
        }
        var placement = report.placement();
        if (placement != null && placement.crossTorRatio() != null) {
            lines.add("share of the traffic between groups that leaves its rack: " + placement.crossTorRatio()
                    + (placement.spareNodes() == null
                            ? ""
                            : "; " + placement.spareNodes() + " spare nodes within reach"));
        }
        if (slice.groups().isEmpty()) {
            lines.add("no seats have been recorded yet");
        }
        slice.groups().stream().limit(MOST_GROUPS).forEach(group -> lines.add(group(group)));
        if (slice.groups().size() > MOST_GROUPS) {
            lines.add("and " + (slice.groups().size() - MOST_GROUPS) + " more groups (-o json)");
        }
        return lines;
    }

    /** Members with their positions, the hops that skip a node, and how many bundles carry the ring's traffic. */
    private static String group(GroupBranch group) {
        String seats = group.members().stream()
                .map(member -> member.node()
                        + (member.position() == null ? "" : "@" + member.position())
                        + (member.fault() == null ? "" : " (FAULTY: " + member.fault() + ")"))
                .collect(Collectors.joining(" "));
        long bundles = group.members().stream()
                .mapToLong(member -> member.bundles().size())
                .sum();
        long lit = group.members().stream()
                .flatMap(member -> member.bundles().stream())
                .filter(state -> state != BundleState.LOOPBACK)
                .count();
        return "group " + group.index() + ": " + seats
                + (bundles == 0
                        ? ""
                        : "; " + lit + " of " + bundles + " bundles lead light to a neighbour, the others loop back");
    }
}
