package dev.lightpath.conformance.report;

import java.util.Locale;

/** For people. */
public final class TextReport {
    private TextReport() {}

    public static String of(Report report) {
        StringBuilder out = new StringBuilder();
        out.append("Driver conformance, lightpath.driver.v1alpha1\n");
        out.append("  driver    ").append(report.driver()).append(" at ").append(report.endpoint());
        out.append("\n  device    ").append(report.device()).append('\n');
        String chapter = "";
        for (Finding finding : report.findings()) {
            if (!finding.requirement().chapter().equals(chapter)) {
                chapter = finding.requirement().chapter();
                out.append('\n').append(chapter).append('\n');
            }
            line(out, finding);
        }
        out.append(String.format(
                Locale.ROOT,
                "%n%d requirements: %d passed, %d failed, %d skipped%n",
                report.findings().size(),
                report.passed(),
                report.failed(),
                report.skipped()));
        report.notes().forEach(note -> out.append("note: ").append(note).append('\n'));
        return out.toString();
    }

    private static void line(StringBuilder out, Finding finding) {
        String what =
                finding.requirement().name() + "  " + finding.requirement().statement();
        switch (finding.verdict()) {
            case Verdict.Passed unused -> out.append("  ok    ").append(what).append('\n');
            case Verdict.Failed failed ->
                out.append("  FAIL  ")
                        .append(what)
                        .append("\n          contract:  ")
                        .append(finding.requirement().section())
                        .append("\n          expected:  ")
                        .append(failed.expected())
                        .append("\n          seen:      ")
                        .append(failed.seen())
                        .append('\n');
            case Verdict.Skipped skipped ->
                out.append("  skip  ")
                        .append(what)
                        .append("\n          why:       ")
                        .append(skipped.why())
                        .append('\n');
        }
    }
}
