package dev.lightpath.driver.netconf;

import dev.lightpath.driver.session.LostException;
import dev.lightpath.driver.session.OneLine;
import dev.lightpath.driver.session.RefusedException;
import dev.lightpath.driver.session.SessionEnd;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** A NETCONF session: one rpc at a time, and notifications beside it. Ends for good with the first message it cannot use. */
final class NetconfSession implements AutoCloseable {
    private static final String BASE = "urn:ietf:params:netconf:base:";
    private static final String NAMESPACE = "urn:ietf:params:xml:ns:netconf:base:1.0";
    private static final Duration HELLO = Duration.ofSeconds(10);
    private static final String HELLO_TEXT = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><hello xmlns=\"" + NAMESPACE
            + "\"><capabilities><capability>" + BASE + "1.0</capability><capability>" + BASE
            + "1.1</capability></capabilities></hello>";

    private final Framing framing;
    private final Consumer<Element> notifications;
    private final CompletableFuture<Set<String>> hello = new CompletableFuture<>();
    private final SessionEnd end;
    private final Set<String> capabilities;
    private volatile CompletableFuture<Element> answer = new CompletableFuture<>();
    private volatile String awaited = "";
    private long messages;

    /**
     * Exchanges hellos.
     *
     * @param connection closed with the session
     * @param notifications gets them on the session's thread
     */
    NetconfSession(InputStream in, OutputStream out, AutoCloseable connection, Consumer<Element> notifications)
            throws LostException {
        this.framing = new Framing(in, out);
        this.end = new SessionEnd(connection);
        this.notifications = notifications;
        try {
            // before the device's hello is read, which may ask for chunks: the hellos themselves have none
            framing.write(HELLO_TEXT);
        } catch (IOException e) {
            throw end.lose(
                    new LostException("the device took no hello: " + OneLine.of(String.valueOf(e.getMessage()))));
        }
        Thread.ofVirtual().name("netconf").start(this::listen);
        capabilities = end.await(hello, HELLO, "no hello");
    }

    /** URIs of the device's hello. */
    Set<String> capabilities() {
        return capabilities;
    }

    boolean can(String name) {
        return capabilities.stream().anyMatch(c -> c.startsWith("urn:ietf:params:netconf:capability:" + name + ":"));
    }

    /**
     * Asks, and waits for the answer.
     *
     * @param operation the content of {@code <rpc>}
     * @throws RefusedException when the device answered with an error
     * @throws LostException when it did not answer in time, or not so that it can be used. The session is then over
     */
    synchronized Element rpc(String operation, Duration within) throws RefusedException, LostException {
        String id = Long.toString(++messages);
        CompletableFuture<Element> mine = new CompletableFuture<>();
        answer = mine;
        awaited = id;
        end.requireOpen();
        try {
            framing.write("<?xml version=\"1.0\" encoding=\"UTF-8\"?><rpc message-id=\"" + id + "\" xmlns=\""
                    + NAMESPACE + "\">" + operation + "</rpc>");
        } catch (IOException e) {
            throw end.lose(new LostException("the session broke: " + OneLine.of(String.valueOf(e.getMessage()))));
        }
        Element reply = end.await(mine, within, "no answer");
        refusal(reply.children("rpc-error"));
        return reply;
    }

    private static void refusal(List<Element> errors) throws RefusedException {
        for (Element error : errors) {
            if (!error.text("error-severity").equals("warning")) {
                String message = error.text("error-message");
                String path = error.text("error-path");
                throw new RefusedException(
                        error.text("error-tag"),
                        OneLine.of((message.isEmpty() ? error.text("error-tag") : message)
                                + (path.isEmpty() ? "" : " at " + path)));
            }
        }
    }

    private void listen() {
        try {
            greet(Xml.read(framing.read()));
            while (true) {
                take(Xml.read(framing.read()));
            }
        } catch (LostException unusable) {
            var unused = end.lose(unusable);
        } catch (IOException e) {
            var unused =
                    end.lose(new LostException("the session broke: " + OneLine.of(String.valueOf(e.getMessage()))));
        }
    }

    private void greet(Element message) throws LostException {
        if (!message.name().equals("hello")) {
            throw new LostException("the device begins with <" + OneLine.of(message.name()) + "> instead of <hello>");
        }
        Set<String> said = message.child("capabilities").stream()
                .flatMap(c -> c.children("capability").stream())
                .map(Element::text)
                .collect(Collectors.toUnmodifiableSet());
        if (said.contains(BASE + "1.1")) {
            framing.useChunks();
        } else if (!said.contains(BASE + "1.0")) {
            throw new LostException("the device's hello offers neither NETCONF base 1.0 nor 1.1");
        }
        hello.complete(said);
    }

    private void take(Element message) throws LostException {
        switch (message.name()) {
            case "rpc-reply" -> {
                if (!message.id().equals(awaited)) {
                    throw new LostException("the device answered message '" + OneLine.of(message.id()) + "' where '"
                            + awaited + "' was asked");
                }
                answer.complete(message);
            }
            case "notification" -> notifications.accept(message);
            default -> throw new LostException("the device sent <" + OneLine.of(message.name()) + ">");
        }
    }

    boolean isOver() {
        return !whyOver().isEmpty();
    }

    /** Why it is over; empty while it is not. */
    String whyOver() {
        return end.why();
    }

    void end(String why) {
        var unused = end.lose(new LostException(why));
    }

    @Override
    public void close() {
        end("the driver ended the session");
    }
}
