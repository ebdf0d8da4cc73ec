package dev.lightpath.driver.tl1;

import dev.lightpath.driver.session.Deadline;
import dev.lightpath.driver.session.LostException;
import dev.lightpath.driver.session.RefusedException;
import dev.lightpath.driver.session.Secret;
import dev.lightpath.driver.session.SessionEnd;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * A TL1 session: commands and their answers, which name each other by a tag, and reports beside them. Ends for good
 * with the first message it cannot use.
 */
final class Tl1Session implements AutoCloseable {
    /** Commands that are sent before the first of them is answered. A device reads them one after the other. */
    private static final int AT_ONCE = 16;

    /** A tag has at most six characters (GR-831). */
    private static final int HIGHEST_TAG = 999_999;

    /** Begins the line of a device that does not answer in time. */
    static final String NO_ANSWER = "no answer";

    private static final String DONE = "COMPLD";

    /** Privilege, login not active (GR-831): the device has logged the user out, and kept the connection. */
    private static final String LOGGED_OUT = "PLNA";

    private final OutputStream out;
    private final Consumer<Message.Report> reports;
    private final MessageReader reader;
    private final SessionEnd end;
    private final Map<String, CompletableFuture<Message.Answer>> awaited = new ConcurrentHashMap<>();
    private volatile String name = "";
    private int given;
    /** What the device may repeat, and nobody else may read. */
    private volatile String secret = "";

    /**
     * @param connection closed with the session
     * @param reports gets them on the session's thread
     */
    Tl1Session(InputStream in, OutputStream out, AutoCloseable connection, Consumer<Message.Report> reports) {
        this(in, out, connection, reports, 0);
    }

    /** @param given the tag that was given last */
    Tl1Session(
            InputStream in, OutputStream out, AutoCloseable connection, Consumer<Message.Report> reports, int given) {
        this.given = given;
        this.out = out;
        this.end = new SessionEnd(connection);
        this.reports = reports;
        this.reader = new MessageReader(new BufferedInputStream(in));
        Thread.ofVirtual().name("tl1").start(this::listen);
    }

    /**
     * A command.
     *
     * @param verb such as {@code RTRV-PATCH}
     * @param aid what it is about
     * @param rest what follows the tag's colon
     */
    record Command(String verb, String aid, String rest) {}

    /** Logs in. From then on the device's own name is used. */
    void login(String user, String password, Duration within) throws RefusedException, LostException {
        secret = password;
        var unused = done(ask(List.of(tag -> "ACT-USER::" + user + ":" + tag + "::" + password), Deadline.in(within))
                .getFirst());
    }

    /**
     * Gives a command, and waits for the answer. Its time begins when the session is free: on a switch that takes one
     * session a change may hold it for longer.
     *
     * @return the lines of the answer
     * @throws RefusedException when the device does not do it
     * @throws LostException when it did not answer in time, or not so that it can be used. The session is then over
     */
    synchronized List<String> command(String verb, String aid, String rest, Duration within)
            throws RefusedException, LostException {
        return done(commands(List.of(new Command(verb, aid, rest)), Deadline.in(within))
                .getFirst());
    }

    /**
     * Gives commands that do not depend on each other, and waits for all answers.
     *
     * @param deadline for all answers
     * @return an answer for each command
     * @throws LostException as above. It is then unknown which of the commands were done
     */
    List<Message.Answer> commands(List<Command> commands, Deadline deadline) throws LostException {
        List<Message.Answer> answers = new ArrayList<>();
        for (int from = 0; from < commands.size(); from += AT_ONCE) {
            answers.addAll(ask(
                    commands.subList(from, Math.min(from + AT_ONCE, commands.size())).stream()
                            .<UnaryOperator<String>>map(each -> tag ->
                                    each.verb() + ":\"" + name + "\":" + each.aid() + ":" + tag + ":" + each.rest())
                            .toList(),
                    deadline));
        }
        if (answers.stream().anyMatch(Tl1Session::isLoggedOut)) {
            throw end.lose(new LostException("the device has logged the user out"));
        }
        return answers;
    }

    private static boolean isLoggedOut(Message.Answer said) {
        return !said.code().equals(DONE)
                && !said.lines().isEmpty()
                && said.lines().getFirst().startsWith(LOGGED_OUT);
    }

    /** The lines of an answer. */
    static List<String> done(Message.Answer said) throws RefusedException {
        if (!said.code().equals(DONE)) {
            String code = said.lines().isEmpty() ? said.code() : said.lines().getFirst();
            throw new RefusedException(
                    MessageReader.oneLine(code),
                    MessageReader.oneLine(said.code() + " " + String.join(" ", said.lines())));
        }
        return said.lines();
    }

    private synchronized List<Message.Answer> ask(List<UnaryOperator<String>> commands, Deadline deadline)
            throws LostException {
        List<CompletableFuture<Message.Answer>> expected = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        for (UnaryOperator<String> each : commands) {
            given = given % HIGHEST_TAG + 1;
            String tag = Integer.toString(given);
            CompletableFuture<Message.Answer> answer = new CompletableFuture<>();
            awaited.put(tag, answer);
            expected.add(answer);
            text.append(each.apply(tag)).append(';');
        }
        end.requireOpen();
        try {
            out.write(text.toString().getBytes(StandardCharsets.US_ASCII));
            out.flush();
        } catch (IOException e) {
            throw end.lose(broken(e));
        }
        List<Message.Answer> answers = new ArrayList<>();
        for (CompletableFuture<Message.Answer> each : expected) {
            answers.add(end.await(each, deadline.left(), NO_ANSWER));
        }
        return answers;
    }

    private void listen() {
        try {
            while (true) {
                switch (reader.read()) {
                    case Message.Report report -> reports.accept(report);
                    case Message.Answer said -> take(said);
                }
            }
        } catch (LostException unusable) {
            var unused = end.lose(new LostException(hidden(String.valueOf(unusable.getMessage()))));
        } catch (IOException e) {
            var unused = end.lose(broken(e));
        }
    }

    private void take(Message.Answer said) throws LostException {
        CompletableFuture<Message.Answer> answer = awaited.remove(said.tag());
        if (answer == null) {
            throw new LostException(
                    "the device answered command '" + MessageReader.oneLine(said.tag()) + "', which was not asked");
        }
        if (said.name().indexOf('"') >= 0) {
            throw new LostException("the device's name has a quotation mark: " + MessageReader.oneLine(said.name()));
        }
        name = said.name();
        answer.complete(said.code().equals(DONE) ? said : hidden(said));
    }

    private Message.Answer hidden(Message.Answer refusal) {
        return new Message.Answer(
                refusal.name(),
                refusal.tag(),
                refusal.code(),
                refusal.lines().stream().map(this::hidden).toList());
    }

    /** What the device says, without the password that it was sent. */
    String hidden(String said) {
        return Secret.hidden(said, secret);
    }

    private static LostException broken(IOException e) {
        return new LostException("the session broke: " + MessageReader.oneLine(String.valueOf(e.getMessage())));
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
