package dev.lightpath.studies.ring;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lightpath.cli.Json;
import dev.lightpath.console.text.BadInput;
import dev.lightpath.studies.evaluation.FaultTrace;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads a fault trace in the format of the InfiniteHBD authors: an array of {@code node_id}, {@code event_time} (days)
 * and {@code event_type} ({@code fault_start} or {@code fault_end}) in order of time.
 */
public final class TraceFile {

    /** Servers that the bundled trace watched; only those that failed are named in it. */
    private static final int SERVERS = 400;

    private static final String BUNDLED = "/infinitehbd-fault-trace/fault_trace.json";

    private TraceFile() {}

    /**
     * The trace of a file, or the bundled one.
     *
     * @throws BadInput naming the event that cannot be read
     */
    public static FaultTrace read(Optional<Path> file) {
        if (file.isPresent()) {
            return parse(Json.read(file.get()), file.get().toString());
        }
        try (InputStream in = TraceFile.class.getResourceAsStream(BUNDLED)) {
            return parse(new ObjectMapper().readTree(in), BUNDLED);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static FaultTrace parse(JsonNode document, String where) {
        if (!document.isArray()) {
            throw new BadInput(where + ": must be an array of events");
        }
        Map<String, Integer> servers = new HashMap<>();
        Map<String, Deque<Integer>> open = new HashMap<>();
        List<FaultTrace.Event> events = new ArrayList<>();
        int faults = 0;
        double last = 0;
        for (int index = 0; index < document.size(); index++) {
            JsonNode event = document.get(index);
            String at = where + ": [" + index + "]: ";
            String node = text(event, "node_id", at);
            String type = text(event, "event_type", at);
            JsonNode time = event.path("event_time");
            if (!time.isNumber() || time.doubleValue() < last) {
                throw new BadInput(at + "event_time must be a number of days, in order");
            }
            last = time.doubleValue();
            int server = servers.computeIfAbsent(node, unseen -> servers.size());
            Deque<Integer> running = open.computeIfAbsent(node, unseen -> new ArrayDeque<>());
            boolean starts = switch (type) {
                case "fault_start" -> true;
                case "fault_end" -> false;
                default -> throw new BadInput(at + "event_type '" + type + "' must be fault_start or fault_end");
            };
            if (!starts && running.isEmpty()) {
                throw new BadInput(at + "fault_end of " + node + " without a fault_start");
            }
            int fault = starts ? faults++ : running.removeFirst();
            if (starts) {
                running.addLast(fault);
            }
            events.add(new FaultTrace.Event(last, server, starts, fault));
        }
        if (events.isEmpty()) {
            throw new BadInput(where + ": has no events");
        }
        return new FaultTrace(Math.max(SERVERS, servers.size()), last, events);
    }

    private static String text(JsonNode event, String field, String at) {
        JsonNode value = event.path(field);
        if (!value.isTextual()) {
            throw new BadInput(at + field + " must be a string");
        }
        return value.textValue();
    }
}
