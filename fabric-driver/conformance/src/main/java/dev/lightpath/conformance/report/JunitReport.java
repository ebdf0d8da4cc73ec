package dev.lightpath.conformance.report;

import java.io.StringWriter;
import java.util.Locale;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** For build servers: a JUnit test suite. */
public final class JunitReport {
    private JunitReport() {}

    public static String of(Report report) {
        StringWriter out = new StringWriter();
        try {
            XMLStreamWriter xml = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(out);
            xml.writeStartDocument("UTF-8", "1.0");
            xml.writeStartElement("testsuite");
            xml.writeAttribute("name", "lightpath.driver.v1alpha1 " + report.endpoint() + " " + report.device());
            xml.writeAttribute("tests", Integer.toString(report.findings().size()));
            xml.writeAttribute("failures", Long.toString(report.failed()));
            xml.writeAttribute("skipped", Long.toString(report.skipped()));
            for (Finding finding : report.findings()) {
                testcase(xml, finding);
            }
            xml.writeEndElement();
            xml.writeEndDocument();
            xml.close();
        } catch (XMLStreamException impossibleInMemory) {
            throw new IllegalStateException(impossibleInMemory);
        }
        return out.append('\n').toString();
    }

    private static void testcase(XMLStreamWriter xml, Finding finding) throws XMLStreamException {
        xml.writeStartElement("testcase");
        xml.writeAttribute("classname", finding.requirement().chapter());
        xml.writeAttribute("name", finding.requirement().name());
        xml.writeAttribute("time", String.format(Locale.ROOT, "%.3f", finding.tookMillis() / 1000.0));
        switch (finding.verdict()) {
            case Verdict.Passed unused -> {}
            case Verdict.Failed failed -> {
                xml.writeStartElement("failure");
                xml.writeAttribute("message", printable("expected " + failed.expected() + ", seen " + failed.seen()));
                xml.writeCharacters(printable(finding.requirement().statement() + "\ncontract: "
                        + finding.requirement().section()));
                xml.writeEndElement();
            }
            case Verdict.Skipped skipped -> {
                xml.writeStartElement("skipped");
                xml.writeAttribute("message", printable(skipped.why()));
                xml.writeEndElement();
            }
        }
        xml.writeEndElement();
    }

    /** XML 1.0 has no way to say a control character. */
    private static String printable(String text) {
        return text.replaceAll("[\\p{Cntrl}&&[^\\n\\t]]", "?");
    }
}
