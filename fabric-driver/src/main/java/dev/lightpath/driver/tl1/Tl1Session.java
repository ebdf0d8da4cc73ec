package dev.lightpath.driver.tl1;

import dev.lightpath.driver.session.LostException;
import dev.lightpath.driver.session.RefusedException;
import dev.lightpath.driver.session.SessionEnd;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A TL1 session: one command at a time, and reports beside it. Ends for good with the first message it cannot use. */
final class Tl1Session implements AutoCloseable {
    private final OutputStream out;
    private final Consumer<Message.Report> reports;
    private final MessageReader reader;
    private final SessionEnd end;
    private volatile CompletableFuture<Message.Answer> answer = new CompletableFuture<>();
    private volatile String awaited = "";
    private volatile String name = "";
    private long commands;

    /**
     * @param connection closed with the session
     * @param reports gets them on the session's thread
     */
    Tl1Session(InputStream in, OutputStream out, AutoCloseable connection, Consumer<Message.Report> reports) {
        this.out = out;
        this.end = new SessionEnd(connection);
        this.reports = reports;
        this.reader = new MessageReader(new BufferedInputStream(in));
        Thread.ofVirtual().name("tl1").start(this::listen);
    }

    /** Logs in. From then on the device's own name is used. */
    void login(String user, String password, Duration within) throws RefusedException, LostException {
        var unused = command("ACT-USER::" + user + ":", ":" + password, within);
    }

    /**
     * Gives a command, and waits for the answer.
     *
     * @param verb such as {@code RTRV-PATCH}
     * @param aid what it is about
     * @param rest what follows the tag's colon
     * @return the lines of the answer
     * @throws RefusedException when the device does not do it
     * @throws LostException when it did not answer in time, or not so that it can be used. The session is then over
     */
    List<String> command(String verb, String aid, String rest, Duration within) throws RefusedException, LostException {
        return command(verb + ":\"" + name + "\":" + aid + ":", rest, within);
    }

    private synchronized List<String> command(String before, String after, Duration within)
            throws RefusedException, LostException {
        String tag = Long.toString(++commands);
        CompletableFuture<Message.Answer> mine = new CompletableFuture<>();
        answer = mine;
        awaited = tag;
        end.requireOpen();
        try {
            out.write((before + tag + ":" + after + ";").getBytes(StandardCharsets.US_ASCII));
            out.flush();
        } catch (IOException e) {
            throw end.lose(broken(e));
        }
        Message.Answer said = end.await(mine, within, "no answer");
        if (!said.code().equals("COMPLD")) {
            String code = said.lines().isEmpty() ? said.code() : said.lines().getFirst();
            throw new RefusedException(
                    MessageReader.oneLine(code),
                    MessageReader.oneLine(said.code() + " " + String.join(" ", said.lines())));
        }
        return said.lines();
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
            var unused = end.lose(unusable);
        } catch (IOException e) {
            var unused = end.lose(broken(e));
        }
    }

    private void take(Message.Answer said) throws LostException {
        if (!said.tag().equals(awaited)) {
            throw new LostException("the device answered command '" + MessageReader.oneLine(said.tag()) + "' where '"
                    + awaited + "' was asked");
        }
        if (said.name().indexOf('"') >= 0) {
            throw new LostException("the device's name has a quotation mark: " + MessageReader.oneLine(said.name()));
        }
        name = said.name();
        answer.complete(said);
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
