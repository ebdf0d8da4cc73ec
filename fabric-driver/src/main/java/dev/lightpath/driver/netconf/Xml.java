package dev.lightpath.driver.netconf;

import dev.lightpath.driver.session.LostException;
import dev.lightpath.driver.session.OneLine;
import java.io.ByteArrayInputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** Reads XML that a device sent: no document types, no entities, bounded depth and number of elements. */
final class Xml {
    private static final int DEEPEST = 64;
    private static final int MOST_ELEMENTS = 500_000;
    private static final XMLInputFactory FACTORY = factory();

    private Xml() {}

    private static XMLInputFactory factory() {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
        return factory;
    }

    private static final class Open {
        private final String namespace;
        private final String name;
        private final String id;
        private final StringBuilder text = new StringBuilder();
        private final List<Element> children = new ArrayList<>();

        Open(XMLStreamReader at) {
            namespace = at.getNamespaceURI() == null ? "" : at.getNamespaceURI();
            name = at.getLocalName();
            String said = at.getAttributeValue(null, "message-id");
            id = said == null ? "" : said;
        }
    }

    /** @throws LostException with one line that says what is wrong and at which line */
    static Element read(byte[] document) throws LostException {
        try {
            XMLStreamReader at = FACTORY.createXMLStreamReader(new ByteArrayInputStream(document));
            try {
                return read(at);
            } finally {
                at.close();
            }
        } catch (XMLStreamException | RuntimeException e) {
            // the JDK's parser lacks the words for some mistakes in a document type, and fails over that
            throw new LostException("the device's message is not XML: " + OneLine.of(String.valueOf(e.getMessage())));
        }
    }

    private static Element read(XMLStreamReader at) throws XMLStreamException, LostException {
        Deque<Open> open = new ArrayDeque<>();
        int elements = 0;
        while (at.hasNext()) {
            switch (at.next()) {
                case XMLStreamConstants.START_ELEMENT -> {
                    open.push(new Open(at));
                    if (++elements > MOST_ELEMENTS || open.size() > DEEPEST) {
                        throw new LostException("the device's message has more than " + MOST_ELEMENTS
                                + " elements, or more than " + DEEPEST + " levels");
                    }
                }
                case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> {
                    if (!open.isEmpty()) {
                        open.element().text.append(at.getText());
                    }
                }
                case XMLStreamConstants.END_ELEMENT -> {
                    Open done = open.pop();
                    Element element = new Element(
                            done.namespace,
                            done.name,
                            done.id,
                            done.text.toString().strip(),
                            done.children);
                    if (open.isEmpty()) {
                        return element;
                    }
                    open.element().children.add(element);
                }
                case XMLStreamConstants.DTD,
                        XMLStreamConstants.ENTITY_REFERENCE,
                        XMLStreamConstants.ENTITY_DECLARATION ->
                    throw new LostException("the device's message has a document type or an entity; none is allowed");
                default -> {}
            }
        }
        throw new LostException("the device's message is not XML: it ends in the middle");
    }

    /** A text as content of an element. */
    static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
