package dev.lightpath.driver.netconf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.driver.session.LostException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class XmlTest {
    private static Element read(String document) throws LostException {
        return Xml.read(document.getBytes(StandardCharsets.UTF_8));
    }

    /** A parser tells a text in pieces where it is long, or where something is in between. */
    @Test
    void aTextInPiecesIsWhole() throws LostException {
        String large = "12345678 ".repeat(5000) + "9";
        Element read = read("<a>\n  " + large + "<!-- x --> &lt;<b/> <![CDATA[ & ]]>&#65;\n</a>");
        assertThat(read.text()).isEqualTo(large + " <  & A");
        assertThat(read.children()).extracting(Element::name).containsExactly("b");
    }

    @Test
    void namesHaveTheirNamespaceAndNoPrefix() throws LostException {
        Element read = read("<n:a xmlns:n=\"urn:n\" message-id=\"7\"><b xmlns=\"urn:m\"/><c/></n:a>");
        assertThat(read.namespace() + " " + read.name() + " " + read.id()).isEqualTo("urn:n a 7");
        assertThat(read.children()).extracting(Element::namespace).containsExactly("urn:m", "");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<a>&nobody;</a>",
                "<a b=\"&nobody;\"/>",
                "<a><b></a>",
                "<a>b ]]> c</a>",
                "<a>\u0001</a>",
                "<a",
                "<a b=\"1\" b=\"2\"/>",
                "<p:a/>",
                "",
            })
    void whatIsNoPlainXmlIsOneLine(String document) {
        assertThatThrownBy(() -> read(document))
                .isInstanceOf(LostException.class)
                .hasMessageStartingWith("the device's message ")
                .extracting(Throwable::getMessage)
                .asString()
                .doesNotContain("\n");
    }

    /**
     * A parser that read one would ask the address in it, which is the test's own, or make a large text of its
     * entities.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "<!DOCTYPE a SYSTEM \"%s\"><a/>",
                "<!DOCTYPE a PUBLIC \"x\" \"%s\"><a/>",
                "<!DOCTYPE a [<!ENTITY %% b SYSTEM \"%s\"> %%b;]><a/>",
                "<!DOCTYPE a [<!ENTITY b SYSTEM \"%s\">]><a>&b;</a>",
                "<!DOCTYPE a [<!ENTITY b SYSTEM \"%s\">]><a b=\"&b;\"/>",
                "<!DOCTYPE a [<!ENTITY b \"1\"><!ENTITY c \"&b;&b;\"><!ENTITY d \"&c;&c;\">]><a>&d;</a>",
                "<!DOCTYPE a [<!ENTITY b \"&b;\">]><a>&b;</a>",
            })
    void noDocumentTypeIsRead(String document) throws IOException {
        AtomicInteger asked = new AtomicInteger();
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> {
                while (!server.isClosed()) {
                    // who connects is told nothing, and waits for that until it is counted
                    try (Socket unused = server.accept()) {
                        asked.incrementAndGet();
                    } catch (IOException closed) {
                        return;
                    }
                }
            });
            String address = "http://127.0.0.1:" + server.getLocalPort() + "/x.dtd";
            assertThatThrownBy(() -> read(document.formatted(address)))
                    .isInstanceOf(LostException.class)
                    .hasMessage("the device's message has a document type or an entity; none is allowed");
        }
        assertThat(asked).hasValue(0);
    }
}
