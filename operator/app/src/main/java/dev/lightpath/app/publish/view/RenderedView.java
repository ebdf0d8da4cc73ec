package dev.lightpath.app.publish.view;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lightpath.app.publish.status.Outcome;
import dev.lightpath.console.ReadBack;
import dev.lightpath.planner.ask.TopologyAnswer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The view of one pass as JSON. Each part is projected and serialised at its first request by a caller with the right
 * to it, and kept as long as the pass is the newest. All answers are put together from the same bytes.
 */
public final class RenderedView {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final byte[] COMMA = {','};

    private final Outcome outcome;
    private final Map<String, byte[]> slices = new HashMap<>();

    @Nullable
    private SortedMap<String, Integer> namespaces;

    private byte @Nullable [] whole;

    public RenderedView(Outcome outcome) {
        this.outcome = outcome;
    }

    /** Slices by namespace, counted. */
    public synchronized SortedMap<String, Integer> namespaces() {
        if (namespaces == null) {
            namespaces = ViewProjector.namespaces(outcome);
        }
        return namespaces;
    }

    /**
     * The parts that a caller may see, in the order of writing. Slices of other namespaces are counted, and not named.
     *
     * @param fabrics whether fabrics as a whole are shown
     * @param shown namespaces whose slices are shown
     */
    public synchronized List<byte[]> parts(boolean fabrics, Collection<String> shown) {
        List<byte[]> parts = new ArrayList<>();
        int hidden = namespaces().entrySet().stream()
                .filter(of -> !shown.contains(of.getKey()))
                .mapToInt(Map.Entry::getValue)
                .sum();
        parts.add(open(json(ViewProjector.pass(outcome))));
        parts.add(text(",\"hiddenSlices\":" + hidden + ","));
        parts.add(fabrics ? whole() : text("\"inFlight\":[],\"fabrics\":[]"));
        parts.add(text(",\"slices\":["));
        boolean first = true;
        for (String namespace : shown) {
            if (namespaces().containsKey(namespace)) {
                if (!first) {
                    parts.add(COMMA);
                }
                first = false;
                parts.add(slices(namespace));
            }
        }
        parts.add(text("]}"));
        return parts;
    }

    /** The answers of DELTA that the pass had, by digest. */
    public SortedMap<String, TopologyAnswer> answers() {
        return outcome.world().answers();
    }

    /** What was read back of each fabric. */
    public Map<String, ReadBack> light(DeviceLights lights) {
        return lights.of(outcome);
    }

    private byte[] whole() {
        if (whole == null) {
            whole = inside(json(ViewProjector.whole(outcome)));
        }
        return whole;
    }

    private byte[] slices(String namespace) {
        return slices.computeIfAbsent(namespace, of -> inside(json(ViewProjector.slices(outcome, of))));
    }

    private static byte[] json(Object value) {
        try {
            return JSON.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("records of text and numbers are always JSON", e);
        }
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** An object without its last brace, so that it goes on. */
    private static byte[] open(byte[] object) {
        return Arrays.copyOf(object, object.length - 1);
    }

    /** Without the braces or brackets around it. */
    private static byte[] inside(byte[] value) {
        return Arrays.copyOfRange(value, 1, value.length - 1);
    }
}
