package dev.lightpath.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.conformance.report.CommonCause;
import dev.lightpath.conformance.report.Finding;
import dev.lightpath.conformance.report.JsonReport;
import dev.lightpath.conformance.report.JunitReport;
import dev.lightpath.conformance.report.NotJudged;
import dev.lightpath.conformance.report.Report;
import dev.lightpath.conformance.report.TextReport;
import dev.lightpath.conformance.report.Verdict;
import dev.lightpath.conformance.requirement.Requirement;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

final class ReportTest {
    private static Finding finding(String name, Verdict verdict) {
        return new Finding(new Requirement(name, "Ports", "No port \"twice\"", bench -> {}), verdict, 1250);
    }

    private static final Report REPORT = new Report(
            "some driver 1.0",
            "localhost:9440",
            "ocs-1",
            List.of(
                    finding("ports/one", new Verdict.Passed()),
                    finding("ports/two", new Verdict.Failed("a refusal", "<it was accepted>\u0001")),
                    finding("crash/three", new Verdict.Skipped("needs --restart-command"))),
            List.of("held by another"));

    @Test
    void textSaysExpectedAndSeenAndWhy() {
        assertThat(TextReport.of(REPORT).lines().map(String::strip))
                .contains(
                        "ok    ports/one  No port \"twice\"",
                        "FAIL  ports/two  No port \"twice\"",
                        "contract:  Ports",
                        "expected:  a refusal",
                        "why:       needs --restart-command",
                        "3 requirements: 1 passed, 1 failed, 1 skipped",
                        "note: held by another");
    }

    @Test
    void namesChaptersThatWereNotJudgedForWantOfAnOption() {
        assertThat(NotJudged.of(REPORT.findings()))
                .hasValue("NOT JUDGED for want of --restart-command: 1 of crash; a driver is not known to conform"
                        + " without it");
        assertThat(NotJudged.of(List.of(
                        finding("ports/one", new Verdict.Passed()),
                        finding("ports/two", new Verdict.Skipped("needs 4 disjoint circuits")))))
                .isEmpty();
    }

    @Test
    void namesTheCauseThatMostFailuresShare() {
        Finding differs = finding(
                "circuits/one", new Verdict.Failed("APPLIED", "OUTCOME_REJECTED, 1->2 is FAILED, READ_BACK_DIFFERS"));
        Finding other = finding("ports/two", new Verdict.Failed("a refusal", "it was accepted"));
        assertThat(CommonCause.of(List.of(differs, differs, differs, differs, differs, other)))
                .hasValue("5 of 6 failures say READ_BACK_DIFFERS: what the device took is not what is read back;"
                        + " look at how circuits are read");
        assertThat(CommonCause.of(List.of(differs, differs, differs, differs, other)))
                .isEmpty();
        assertThat(CommonCause.of(
                        List.of(differs, differs, differs, differs, differs, other, other, other, other, other)))
                .isEmpty();
    }

    @Test
    void tellsOfARequirementAsSoonAsItIsJudged() {
        StringWriter seen = new StringWriter();
        TextReport text = new TextReport(new PrintWriter(seen));
        text.begins("some driver 1.0", "localhost:9440", "ocs-1");
        text.judged(REPORT.findings().get(1));
        assertThat(seen.toString()).endsWith("          seen:      <it was accepted>\u0001\n");
    }

    @Test
    void jsonEscapesWhatItMust() {
        assertThat(JsonReport.of(REPORT))
                .contains(
                        "\"passed\":1,\"failed\":1,\"skipped\":1",
                        "\"statement\":\"No port \\\"twice\\\"\"",
                        "\"seen\":\"<it was accepted>\\u0001\"",
                        "\"result\":\"skipped\",\"why\":\"needs --restart-command\"");
    }

    /** A writer of another library may order and escape otherwise, or want features that are not there. */
    @Test
    void junitIsWrittenByTheJdkWhateverElseIsThere() {
        String key = "javax.xml.stream.XMLOutputFactory";
        System.setProperty(key, "nobody.Writes");
        try {
            assertThat(JunitReport.of(REPORT)).contains("<testsuite ");
        } finally {
            System.clearProperty(key);
        }
    }

    @Test
    void junitIsASuiteThatParses() throws Exception {
        var suite = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(JunitReport.of(REPORT))))
                .getDocumentElement();
        assertThat(suite.getAttribute("tests")).isEqualTo("3");
        assertThat(suite.getAttribute("failures")).isEqualTo("1");
        assertThat(suite.getElementsByTagName("skipped").getLength()).isEqualTo(1);
        assertThat(suite.getElementsByTagName("failure")
                        .item(0)
                        .getAttributes()
                        .getNamedItem("message")
                        .getNodeValue())
                .isEqualTo("expected a refusal, seen <it was accepted>?");
    }
}
