package dev.lightpath.tracing;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Lines of a log as JSON objects: {@code timestamp}, {@code level}, {@code loggerName}, {@code threadName}, {@code
 * message}, {@code mdc} and, of what was thrown, {@code exception}. They are the fields that the operator writes too.
 * Must format in the thread that logs, as handlers of the JDK do.
 */
public final class JsonLines extends Formatter {
    private static final JsonFactory JSON = new JsonFactory();

    @Override
    public String format(LogRecord line) {
        StringWriter out = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(out)) {
            json.writeStartObject();
            json.writeStringField("timestamp", line.getInstant().toString());
            json.writeStringField("level", level(line));
            json.writeStringField("loggerName", String.valueOf(line.getLoggerName()));
            json.writeStringField("threadName", Thread.currentThread().getName());
            json.writeStringField("message", formatMessage(line));
            json.writeObjectFieldStart("mdc");
            Map<String, String> mdc = MDC.getCopyOfContextMap();
            if (mdc != null) {
                for (Map.Entry<String, String> each : mdc.entrySet()) {
                    json.writeStringField(each.getKey(), each.getValue());
                }
            }
            json.writeEndObject();
            thrown(json, line.getThrown());
            json.writeEndObject();
        } catch (IOException never) {
            throw new UncheckedIOException("memory takes every line", never);
        }
        return out.append('\n').toString();
    }

    private static void thrown(JsonGenerator json, @Nullable Throwable thrown) throws IOException {
        if (thrown != null) {
            StringWriter trace = new StringWriter();
            thrown.printStackTrace(new PrintWriter(trace));
            json.writeObjectFieldStart("exception");
            json.writeStringField("exceptionType", thrown.getClass().getName());
            json.writeStringField("message", String.valueOf(thrown.getMessage()));
            json.writeStringField("stackTrace", trace.toString());
            json.writeEndObject();
        }
    }

    /** In the words of the operator's log. */
    private static String level(LogRecord line) {
        return switch (line.getLevel().getName()) {
            case "SEVERE" -> "ERROR";
            case "WARNING" -> "WARN";
            case "CONFIG", "FINE" -> "DEBUG";
            case "FINER", "FINEST" -> "TRACE";
            default -> line.getLevel().getName();
        };
    }
}
