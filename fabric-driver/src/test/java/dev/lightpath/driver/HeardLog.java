package dev.lightpath.driver;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** What a logger of this process says from now on. The log is the whole process's: other tests may be heard too. */
public final class HeardLog implements AutoCloseable {
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Handler handler = new Handler() {
        private final SimpleFormatter formatter = new SimpleFormatter();

        @Override
        public void publish(LogRecord line) {
            lines.add(formatter.format(line));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };
    /** Held, since loggers that nobody holds are forgotten with their handlers. */
    private final Logger logger;

    /** @param logger its name; empty: all of them */
    public HeardLog(String logger) {
        this.logger = Logger.getLogger(logger);
        this.logger.addHandler(handler);
    }

    /** With level, words and traces of the stack. */
    List<String> lines() {
        return List.copyOf(lines);
    }

    /** Those with these words. */
    public List<String> lines(String words) {
        return lines.stream().filter(line -> line.contains(words)).toList();
    }

    @Override
    public void close() {
        logger.removeHandler(handler);
    }
}
