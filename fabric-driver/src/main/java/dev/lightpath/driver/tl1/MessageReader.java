package dev.lightpath.driver.tl1;

import dev.lightpath.driver.session.LostException;
import dev.lightpath.driver.session.OneLine;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads messages (GR-831): a line with the device's name and the time, a line that says what it is, lines of text in
 * quotation marks, and a line with {@code ;}, or with {@code >} where more of the same follows. What is between
 * messages is passed over: prompts, acknowledgements, and commands that a terminal repeats.
 */
final class MessageReader {
    private static final int LONGEST_LINE = 1 << 14;
    private static final int MOST_CHARACTERS = 4 << 20;

    /** At the end of the line with which a message begins, after the name of the device. */
    private static final Pattern TIME = Pattern.compile("\\d{2,4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}\\z");

    private static final Pattern ANSWER = Pattern.compile("M\\s+(\\S+)\\s+(\\S+).*");
    private static final Pattern REPORT = Pattern.compile("(?:\\*C|\\*\\*|\\*|A)\\s+\\S+\\s+(.+)");

    private final InputStream in;

    MessageReader(InputStream in) {
        this.in = in;
    }

    /** @param goesOn whether more of its message follows */
    private record Block(Message message, boolean goesOn) {}

    /**
     * The next message, once all of it is there.
     *
     * @throws LostException when it is none, or too long
     */
    Message read() throws IOException, LostException {
        Block block = block();
        Message first = block.message();
        List<String> lines = new ArrayList<>(first.lines());
        int size = size(first);
        while (block.goesOn()) {
            block = block();
            if (!same(first, block.message())) {
                throw new LostException("the device began another message in the middle of one");
            }
            size += size(block.message());
            bound(size);
            lines.addAll(block.message().lines());
        }
        return switch (first) {
            case Message.Answer answer -> new Message.Answer(answer.name(), answer.tag(), answer.code(), lines);
            case Message.Report report -> new Message.Report(report.verb(), lines);
        };
    }

    private static void bound(int size) throws LostException {
        if (size > MOST_CHARACTERS) {
            throw new LostException("the device sent a message of more than " + MOST_CHARACTERS + " characters");
        }
    }

    private static int size(Message message) {
        return message.lines().stream().mapToInt(line -> line.length() + 1).sum();
    }

    private static boolean same(Message one, Message other) {
        return one instanceof Message.Answer first
                ? other instanceof Message.Answer second && first.tag().equals(second.tag())
                : other instanceof Message.Report;
    }

    private Block block() throws IOException, LostException {
        String name = head();
        String what = line();
        List<String> lines = new ArrayList<>();
        int size = 0;
        String line = line();
        while (!line.equals(";") && !line.equals(">")) {
            if (!line.isEmpty()) {
                lines.add(unquoted(line));
            }
            size += line.length() + 1;
            bound(size);
            line = line();
        }
        return new Block(message(name, what, lines), line.equals(">"));
    }

    private static Message message(String name, String what, List<String> lines) throws LostException {
        Matcher answer = ANSWER.matcher(what);
        if (answer.matches()) {
            return new Message.Answer(name, answer.group(1), answer.group(2), lines);
        }
        Matcher report = REPORT.matcher(what);
        if (report.matches()) {
            return new Message.Report(oneLine(report.group(1)), lines);
        }
        throw new LostException("the device sent '" + oneLine(what) + "' where TL1 says what a message is");
    }

    /** Passes over all until a message begins. */
    private String head() throws IOException, LostException {
        int passed = 0;
        while (true) {
            String line = line();
            if (line.startsWith("SSH-")) {
                throw new LostException("the device speaks no TL1: it sent '" + oneLine(line) + "'");
            }
            // after a prompt without an end of line
            String head = line.replaceFirst("^[<>;]\\s*", "");
            Matcher time = TIME.matcher(head);
            if (time.find()) {
                String name = head.substring(0, time.start()).strip();
                if (name.chars().noneMatch(Character::isISOControl)) {
                    return name.equals("( nil )") ? "" : name;
                }
            }
            passed += line.length() + 1;
            if (passed > MOST_CHARACTERS) {
                throw new LostException("the device speaks no TL1: it sent '" + oneLine(line) + "'");
            }
        }
    }

    /** Without blanks at its ends. */
    private String line() throws IOException, LostException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the device ended the session");
            }
            line.append((char) next);
            if (line.length() > LONGEST_LINE) {
                throw new LostException(
                        "the device speaks no TL1: it sent a line of more than " + LONGEST_LINE + " characters");
            }
        }
        return line.toString().strip();
    }

    private static String unquoted(String line) {
        boolean quoted = line.length() >= 2 && line.startsWith("\"") && line.endsWith("\"");
        return quoted ? line.substring(1, line.length() - 1) : line;
    }

    /** Fit for a log. */
    static String oneLine(String text) {
        return OneLine.of(text.replaceAll("[^\\x20-\\x7e]", "?"));
    }
}
