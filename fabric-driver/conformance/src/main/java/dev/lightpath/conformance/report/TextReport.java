package dev.lightpath.conformance.report;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Locale;

/** For people, who see each requirement as soon as it is judged. */
public final class TextReport implements Progress {
    private final PrintWriter out;
    private String chapter = "";

    public TextReport(PrintWriter out) {
        this.out = out;
    }

    /** All at once. */
    public static String of(Report report) {
        StringWriter text = new StringWriter();
        TextReport writing = new TextReport(new PrintWriter(text));
        writing.begins(report.driver(), report.endpoint(), report.device());
        report.findings().forEach(writing::judged);
        writing.ends(report);
        return text.toString();
    }

    @Override
    public void begins(String driver, String endpoint, String device) {
        out.print("Driver conformance, lightpath.driver.v1alpha1\n");
        out.print("  driver    " + driver + " at " + endpoint);
        out.print("\n  device    " + device + '\n');
        out.flush();
    }

    @Override
    public void judged(Finding finding) {
        if (!finding.requirement().chapter().equals(chapter)) {
            chapter = finding.requirement().chapter();
            out.print('\n' + chapter + '\n');
        }
        String what =
                finding.requirement().name() + "  " + finding.requirement().statement();
        out.print(
                switch (finding.verdict()) {
                    case Verdict.Passed unused -> "  ok    " + what + '\n';
                    case Verdict.Failed failed ->
                        "  FAIL  " + what
                                + "\n          contract:  "
                                + finding.requirement().section()
                                + "\n          expected:  " + failed.expected()
                                + "\n          seen:      " + failed.seen()
                                + '\n';
                    case Verdict.Skipped skipped ->
                        "  skip  " + what + "\n          why:       " + skipped.why() + '\n';
                });
        out.flush();
    }

    public void ends(Report report) {
        out.print(String.format(
                Locale.ROOT,
                "%n%d requirements: %d passed, %d failed, %d skipped%n",
                report.findings().size(),
                report.passed(),
                report.failed(),
                report.skipped()));
        report.notes().forEach(note -> out.print("note: " + note + '\n'));
        out.flush();
    }
}
