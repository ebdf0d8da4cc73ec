package dev.lightpath.driver.netconf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.driver.session.LostException;
import dev.lightpath.driver.session.RefusedException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sessions with devices that answer as none should. */
final class NetconfSessionTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String NS = "urn:ietf:params:xml:ns:netconf:base:1.0";

    private final List<Element> notifications = Collections.synchronizedList(new ArrayList<>());

    private static String hello(String base) {
        return "<hello xmlns=\"" + NS + "\"><capabilities><capability>urn:ietf:params:netconf:base:" + base
                + "</capability></capabilities></hello>]]>]]>";
    }

    private static InputStream bytes(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    /** What the device says: its hello, and the rest once it was asked something. */
    private NetconfSession session(String hello, InputStream answers) throws LostException {
        return session(hello, answers, "");
    }

    private NetconfSession session(String hello, InputStream answers, String secret) throws LostException {
        CountDownLatch asked = new CountDownLatch(1);
        OutputStream out = new ByteArrayOutputStream() {
            @Override
            public synchronized void write(byte[] b, int off, int len) {
                super.write(b, off, len);
                if (toString(StandardCharsets.UTF_8).contains("<rpc ")) {
                    asked.countDown();
                }
            }

            @Override
            public void write(byte[] b) {
                write(b, 0, b.length);
            }
        };
        InputStream later = new InputStream() {
            @Override
            public int read() throws IOException {
                awaitAsked();
                return answers.read();
            }

            @Override
            public int read(byte[] b, int off, int len) throws IOException {
                awaitAsked();
                return answers.read(b, off, len);
            }

            private void awaitAsked() throws IOException {
                try {
                    asked.await();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
            }
        };
        return new NetconfSession(
                new SequenceInputStream(bytes(hello), later), out, () -> {}, notifications::add, secret);
    }

    private Element ask(String base, String answers) throws Exception {
        return ask(base, answers, "");
    }

    private Element ask(String base, String answers, String secret) throws Exception {
        try (NetconfSession session = session(hello(base), bytes(answers), secret)) {
            return session.rpc("<get/>", PATIENCE);
        }
    }

    private static String chunked(String message, int size) {
        StringBuilder all = new StringBuilder();
        for (int from = 0; from < message.length(); from += size) {
            String chunk = message.substring(from, Math.min(message.length(), from + size));
            all.append("\n#").append(chunk.length()).append('\n').append(chunk);
        }
        return all.append("\n##\n").toString();
    }

    private static final String REPLY =
            "<rpc-reply message-id=\"1\" xmlns=\"" + NS + "\"><data><a>1 ]] &lt; &#8364;</a></data></rpc-reply>";

    /** A hello that was read before would turn ours into chunks, which no device takes for a hello. */
    @Test
    void saysItsHelloBeforeItReadsThatOfTheDevice() throws Exception {
        CountDownLatch read = new CountDownLatch(1);
        AtomicBoolean early = new AtomicBoolean();
        InputStream begins = new InputStream() {
            @Override
            public int read() {
                read.countDown();
                return -1;
            }
        };
        ByteArrayOutputStream out = new ByteArrayOutputStream() {
            @Override
            public void write(byte[] b) throws IOException {
                try {
                    early.set(read.await(300, TimeUnit.MILLISECONDS));
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
                super.write(b);
            }
        };
        try (NetconfSession session = new NetconfSession(
                new SequenceInputStream(begins, bytes(hello("1.1"))), out, () -> {}, notifications::add)) {
            assertThat(session.capabilities()).hasSize(1);
        }
        assertThat(early).isFalse();
        assertThat(out.toString(StandardCharsets.UTF_8)).endsWith("]]>]]>");
    }

    @Test
    void readsBothFramings() throws Exception {
        assertThat(ask("1.0", REPLY + "]]>]]>").at("data", "a").orElseThrow().text())
                .isEqualTo("1 ]] < \u20ac");
        assertThat(ask("1.0", REPLY.replace("]] &lt;", "]]]] &lt;") + "]]>]]>")
                        .at("data", "a")
                        .orElseThrow()
                        .text())
                .isEqualTo("1 ]]]] < \u20ac");
        byte[] marks = "a]]>]]]>]]]>]]>b]]>]]>".getBytes(StandardCharsets.US_ASCII);
        Framing framing = new Framing(new ByteArrayInputStream(marks), OutputStream.nullOutputStream());
        assertThat(new String(framing.read(), StandardCharsets.US_ASCII)).isEqualTo("a]]>]]]>]");
        assertThat(new String(framing.read(), StandardCharsets.US_ASCII)).isEqualTo("b");
        for (int size = 1; size < 40; size++) {
            assertThat(ask("1.1", chunked(REPLY, size))
                            .at("data", "a")
                            .orElseThrow()
                            .text())
                    .as("chunks of %d", size)
                    .isEqualTo("1 ]] < \u20ac");
        }
    }

    /** Each byte of a channel of SSH that is read alone takes a lock. */
    @Test
    void readsTheChannelInBlocksByBothFramings() throws Exception {
        for (boolean chunks : new boolean[] {false, true}) {
            byte[] said = (chunks ? chunked(REPLY, 7) : REPLY + "]]>]]>").getBytes(StandardCharsets.UTF_8);
            InputStream blocks = new ByteArrayInputStream(said) {
                @Override
                public synchronized int read() {
                    throw new AssertionError("a byte is read alone");
                }
            };
            Framing framing = new Framing(blocks, OutputStream.nullOutputStream());
            if (chunks) {
                framing.useChunks();
            }
            assertThat(new String(framing.read(), StandardCharsets.UTF_8)).isEqualTo(REPLY);
        }
    }

    @Test
    void notificationsComeBesideAnswers() throws Exception {
        ask("1.0", "<notification><x/></notification>]]>]]>" + REPLY + "]]>]]>");
        assertThat(notifications).extracting(Element::name).containsExactly("notification");
    }

    @Test
    void anErrorIsQuotedAsOneLineAndAWarningIsNone() throws Exception {
        String error = "<rpc-reply message-id=\"1\"><rpc-error><error-tag>data-exists</error-tag><error-severity>%s"
                + "</error-severity><error-message>two\nlines</error-message><error-path>/a</error-path></rpc-error>"
                + "</rpc-reply>]]>]]>";
        assertThatThrownBy(() -> ask("1.0", error.formatted("error")))
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refused -> assertThat(refused.code()).isEqualTo("data-exists"))
                .hasMessage("two lines at /a");
        assertThat(ask("1.0", error.formatted("warning")).name()).isEqualTo("rpc-reply");
    }

    @Test
    void aPasswordThatIsAWordOfTheProtocolHidesNoReason() throws Exception {
        String error = "<rpc-reply message-id=\"1\"><rpc-error><error-tag>lock-denied</error-tag><error-severity>%s"
                + "</error-severity>%s</rpc-error></rpc-reply>]]>]]>";
        assertThatThrownBy(() -> ask("1.0", error.formatted("error", ""), "lock"))
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refused -> assertThat(refused.code()).isEqualTo("lock-denied"))
                .hasMessage("***-denied");
        assertThatThrownBy(() -> ask(
                        "1.0",
                        error.formatted(
                                "error", "<error-message>no lock</error-message><error-path>/my-lock</error-path>"),
                        "lock"))
                .hasMessage("no *** at /my-***");
        assertThat(ask("1.0", error.formatted("warning", ""), "warning").name()).isEqualTo("rpc-reply");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    <rpc-reply message-id="1"><data>]]>]]>                        | is not XML
                    <rpc-reply message-id="1"><data></rpc-reply>]]>]]>            | is not XML
                    <rpc-reply message-id="1"><data>&nope;</data></rpc-reply>]]>]]> | none is allowed
                    <!DOCTYPE a [<!ENTITY b "b">]><rpc-reply message-id="1">&b;</rpc-reply>]]>]]> | none is allowed
                    <!DOCTYPE a SYSTEM "file:///etc/passwd"><rpc-reply message-id="1"/>]]>]]> | none is allowed
                    <rpc-reply message-id="7"/>]]>]]>                             | answered message '7' where '1' was asked
                    <surprise/>]]>]]>                                             | sent <surprise>
                    <rpc-reply message-id="1"/>                                   | ended the session
                    """)
    void whatIsNoAnswerEndsTheSessionWithOneLine(String answer, String line) {
        assertThatThrownBy(() -> ask("1.0", answer))
                .isInstanceOf(LostException.class)
                .hasMessageContaining(line)
                .extracting(Throwable::getMessage)
                .asString()
                .doesNotContain("\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    \\n#0\\n            | a chunk has no size
                    \\n#99999999999\\n  | a chunk has no size
                    \\n#x\\n            | a chunk has no size
                    \\n#17000000\\n     | larger than 16 MiB
                    <rpc-reply/>]]>]]>  | where a chunk begins
                    \\n#9\\n<rpc        | ended the session in the middle
                    """)
    void brokenChunksEndTheSessionWithOneLine(String answer, String line) {
        assertThatThrownBy(() -> ask("1.1", answer.replace("\\n", "\n")))
                .isInstanceOf(LostException.class)
                .hasMessageContaining(line);
    }

    @Test
    void aBillionLaughsAreNotLaughed() {
        StringBuilder laughs = new StringBuilder("<!DOCTYPE l [<!ENTITY l0 \"ha\">");
        for (int i = 1; i < 30; i++) {
            laughs.append("<!ENTITY l%d \"&l%d;&l%d;&l%d;\">".formatted(i, i - 1, i - 1, i - 1));
        }
        assertThatThrownBy(() -> ask("1.0", laughs + "]><rpc-reply message-id=\"1\">&l29;</rpc-reply>]]>]]>"))
                .hasMessageContaining("none is allowed");
    }

    @Test
    void aHundredMegabytesAreNotKept() {
        for (String base : List.of("1.0", "1.1")) {
            InputStream endless = new InputStream() {
                private final byte[] head = base.equals("1.0")
                        ? "<rpc-reply message-id=\"1\"><data>".getBytes(StandardCharsets.UTF_8)
                        : "\n#4\n<rpc".getBytes(StandardCharsets.UTF_8);
                private final byte[] body = base.equals("1.0")
                        ? "<a>xxxx</a>".getBytes(StandardCharsets.UTF_8)
                        : "\n#4\nxxxx".getBytes(StandardCharsets.UTF_8);
                private long at;

                @Override
                public int read() {
                    long now = at++;
                    return now > 100 << 20
                            ? -1
                            : now < head.length ? head[(int) now] : body[(int) ((now - head.length) % body.length)];
                }
            };
            assertThatThrownBy(() -> {
                        try (NetconfSession session = session(hello(base), endless)) {
                            session.rpc("<get/>", PATIENCE);
                        }
                    })
                    .as(base)
                    .hasMessage("the device's message is larger than 16 MiB");
        }
    }

    @Test
    void deepAndManyElementsAreRefused() {
        assertThatThrownBy(() -> ask("1.0", "<rpc-reply message-id=\"1\">" + "<a>".repeat(100) + "]]>]]>"))
                .hasMessageContaining("more than 64 levels");
        assertThatThrownBy(() ->
                        ask("1.0", "<rpc-reply message-id=\"1\">" + "<a/>".repeat(600_000) + "</rpc-reply>]]>]]>"))
                .hasMessageContaining("more than 500000 elements");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    <rpc-reply/>]]>]]>                                         | begins with <rpc-reply>
                    <hello><capabilities/></hello>]]>]]>                       | neither NETCONF base 1.0 nor 1.1
                    <hello>                                                    | ended the session
                    SSH-2.0-oops]]>]]>                                         | is not XML
                    """)
    void whatIsNoHelloIsOneLine(String hello, String line) {
        assertThatThrownBy(() ->
                        new NetconfSession(bytes(hello), OutputStream.nullOutputStream(), () -> {}, notifications::add))
                .isInstanceOf(LostException.class)
                .hasMessageContaining(line);
    }
}
