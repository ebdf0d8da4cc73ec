package dev.lightpath.conformance.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** For programs: one JSON document. */
public final class JsonReport {
    private JsonReport() {}

    public static String of(Report report) {
        StringBuilder out = new StringBuilder();
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("contract", "lightpath.driver.v1alpha1");
        document.put("driver", report.driver());
        document.put("endpoint", report.endpoint());
        document.put("device", report.device());
        document.put("passed", report.passed());
        document.put("failed", report.failed());
        document.put("skipped", report.skipped());
        document.put(
                "requirements",
                report.findings().stream().map(JsonReport::finding).toList());
        document.put("notes", report.notes());
        value(out, document);
        return out.append('\n').toString();
    }

    private static Map<String, Object> finding(Finding finding) {
        Map<String, Object> out = new LinkedHashMap<>();
        out.put("name", finding.requirement().name());
        out.put("section", finding.requirement().section());
        out.put("statement", finding.requirement().statement());
        out.put("millis", finding.tookMillis());
        switch (finding.verdict()) {
            case Verdict.Passed unused -> out.put("result", "passed");
            case Verdict.Failed failed -> {
                out.put("result", "failed");
                out.put("expected", failed.expected());
                out.put("seen", failed.seen());
            }
            case Verdict.Skipped skipped -> {
                out.put("result", "skipped");
                out.put("why", skipped.why());
            }
        }
        return out;
    }

    private static void value(StringBuilder out, Object value) {
        switch (value) {
            case Map<?, ?> map -> {
                String before = "{";
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    text(out.append(before), String.valueOf(entry.getKey()));
                    value(out.append(':'), entry.getValue());
                    before = ",";
                }
                out.append(map.isEmpty() ? "{}" : "}");
            }
            case List<?> list -> {
                String before = "[";
                for (Object each : list) {
                    value(out.append(before), each);
                    before = ",\n ";
                }
                out.append(list.isEmpty() ? "[]" : "]");
            }
            case Number number -> out.append(number);
            default -> text(out, String.valueOf(value));
        }
    }

    private static void text(StringBuilder out, String text) {
        out.append('"');
        text.chars().forEach(c -> {
            if (c == '"' || c == '\\') {
                out.append('\\').append((char) c);
            } else if (c < ' ') {
                out.append(String.format(Locale.ROOT, "\\u%04x", c));
            } else {
                out.append((char) c);
            }
        });
        out.append('"');
    }
}
