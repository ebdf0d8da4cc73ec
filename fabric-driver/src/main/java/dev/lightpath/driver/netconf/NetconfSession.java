package dev.lightpath.driver.netconf;

import dev.lightpath.driver.session.Deadline;
import dev.lightpath.driver.session.LostException;
import dev.lightpath.driver.session.OneLine;
import dev.lightpath.driver.session.RefusedException;
import dev.lightpath.driver.session.Secret;
import dev.lightpath.driver.session.SessionEnd;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A NETCONF session: questions and their answers, and notifications beside them. Ends for good with the first message
 * that it cannot use.
 */
final class NetconfSession implements AutoCloseable {
    private static final String BASE = "urn:ietf:params:netconf:base:";
    private static final String NAMESPACE = "urn:ietf:params:xml:ns:netconf:base:1.0";
    /** The line of a session that ended at once. */
    static final String NO_HELLO = "the device ended the session before its hello";

    private static final Duration HELLO = Duration.ofSeconds(10);
    private static final String HELLO_TEXT = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><hello xmlns=\"" + NAMESPACE
            + "\"><capabilities><capability>" + BASE + "1.0</capability><capability>" + BASE
            + "1.1</capability></capabilities></hello>";

    private final Framing framing;
    private final Consumer<Element> notifications;
    /** What the device may repeat, and nobody else may read. */
    private final String secret;

    private final CompletableFuture<Set<String>> hello = new CompletableFuture<>();
    private final SessionEnd end;
    private final Set<String> capabilities;
    /** In the order in which they were asked for, which is the order of the answers (RFC 6241, 4.4). */
    private final Queue<Awaited> awaited = new ConcurrentLinkedQueue<>();

    private long messages;

    /** The answer to one message. */
    private record Awaited(String id, CompletableFuture<Element> answer) {
        Awaited(String id) {
            this(id, new CompletableFuture<>());
        }
    }

    /** A session with a device that was shown no password. */
    NetconfSession(InputStream in, OutputStream out, AutoCloseable connection, Consumer<Element> notifications)
            throws LostException {
        this(in, out, connection, notifications, "");
    }

    /**
     * Exchanges hellos.
     *
     * @param connection closed with the session
     * @param notifications gets them on the session's thread
     * @param secret the password that the device was shown; empty: none
     */
    NetconfSession(
            InputStream in, OutputStream out, AutoCloseable connection, Consumer<Element> notifications, String secret)
            throws LostException {
        this.secret = secret;
        this.framing = new Framing(in, out);
        this.end = new SessionEnd(connection);
        this.notifications = notifications;
        try {
            // before the device's hello is read, which may ask for chunks: the hellos themselves have none
            framing.write(List.of(HELLO_TEXT));
        } catch (IOException e) {
            // how it failed depends on how far the device had got with ending the session
            throw end.lose(new LostException(NO_HELLO));
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

    /** An answer. */
    final class Reply {
        private final Element element;

        private Reply(Element element) {
            this.element = element;
        }

        /** @throws RefusedException when it is an error. Its code is as the device says it: it is for no log */
        Element orRefused() throws RefusedException {
            refusal(element.children("rpc-error"));
            return element;
        }
    }

    /** What the device says, fit for a log: without the password that it was shown. */
    String hidden(String said) {
        return Secret.hidden(said, secret);
    }

    /**
     * Asks, and waits for the answer.
     *
     * @param operation the content of {@code <rpc>}
     * @throws RefusedException when the device answered with an error
     * @throws LostException when it did not answer in time, or not so that it can be used. The session is then over
     */
    Element rpc(String operation, Duration within) throws RefusedException, LostException {
        return rpcs(List.of(operation), within).getFirst().orRefused();
    }

    /**
     * Asks for several things at once, and waits for all answers. The device does them one after the other, also after
     * one that it refused.
     *
     * @return an answer for each, in this order
     * @throws LostException as above
     */
    List<Reply> rpcs(List<String> operations, Duration within) throws LostException {
        return rpcs(operations, within, List.of(), Duration.ZERO);
    }

    /**
     * As above, and for what is to be done after that, whatever became of it.
     *
     * @param then asked for at the same time
     * @param thenWithin time for it, once all others are answered
     */
    synchronized List<Reply> rpcs(List<String> operations, Duration within, List<String> then, Duration thenWithin)
            throws LostException {
        List<Awaited> mine = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        for (String operation :
                Stream.of(operations, then).flatMap(List::stream).toList()) {
            Awaited each = new Awaited(Long.toString(++messages));
            mine.add(each);
            texts.add("<?xml version=\"1.0\" encoding=\"UTF-8\"?><rpc message-id=\"" + each.id() + "\" xmlns=\""
                    + NAMESPACE + "\">" + operation + "</rpc>");
        }
        end.requireOpen();
        awaited.addAll(mine);
        try {
            framing.write(texts);
        } catch (IOException e) {
            throw end.lose(new LostException("the session broke: " + OneLine.of(String.valueOf(e.getMessage()))));
        }
        List<Reply> replies = new ArrayList<>(answers(mine.subList(0, operations.size()), Deadline.in(within)));
        replies.addAll(answers(mine.subList(operations.size(), mine.size()), Deadline.in(thenWithin)));
        return replies;
    }

    private List<Reply> answers(List<Awaited> to, Deadline deadline) throws LostException {
        List<Reply> replies = new ArrayList<>();
        for (Awaited each : to) {
            replies.add(new Reply(end.await(each.answer(), deadline.left(), "no answer")));
        }
        return replies;
    }

    private void refusal(List<Element> errors) throws RefusedException {
        for (Element error : errors) {
            if (!error.text("error-severity").equals("warning")) {
                String message = error.text("error-message");
                String path = error.text("error-path");
                throw new RefusedException(
                        error.text("error-tag"),
                        OneLine.of(hidden((message.isEmpty() ? error.text("error-tag") : message)
                                + (path.isEmpty() ? "" : " at " + path))));
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
            var unused = end.lose(new LostException(hidden(String.valueOf(unusable.getMessage()))));
        } catch (IOException e) {
            var unused = end.lose(new LostException(
                    hello.isDone() ? "the session broke: " + OneLine.of(String.valueOf(e.getMessage())) : NO_HELLO));
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
                Awaited next = awaited.poll();
                if (next == null || !message.id().equals(next.id())) {
                    throw new LostException("the device answered message '" + OneLine.of(message.id()) + "' where "
                            + (next == null ? "nothing" : "'" + next.id() + "'") + " was asked");
                }
                next.answer().complete(message);
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
