package dev.lightpath.app.whole;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What passed the taps during an act, by names that are the same in every run: writes to the API server, calls of the
 * driver, events of watches and messages of streams.
 */
final class Moments implements WriteTap.Listener {
    private static final Pattern VERSION = Pattern.compile("\"resourceVersion\":\"(\\d+)\"");

    private final Map<String, Integer> seen = new HashMap<>();
    private final List<String> writes = new ArrayList<>();
    private final Set<String> told = new HashSet<>();
    private final SortedMap<String, Integer> events = new TreeMap<>();
    private int messages;

    @Override
    public boolean before(int number, String what) {
        var unused = write(what);
        return true;
    }

    @Override
    public void after(int number, String what) {}

    /** The name of this write; the same write of the same thing may come again within an act. */
    synchronized String write(String what) {
        String name = what.replaceAll("\\?.*", "")
                .replaceAll(" /apis?/.*v1[a-z0-9]*/", " ")
                .replaceAll("namespaces/[^/]*/", "")
                .replaceAll("-\\d+-[0-9a-z]{5}\\b", "")
                .replaceAll("-[0-9a-z]{5}(?=-workers-|$|/)", "");
        String numbered = name + " #" + seen.merge(name, 1, Integer::sum);
        writes.add(numbered);
        return numbered;
    }

    /**
     * The number of this event among those of its resource, the same in every watch; 0 for a mark that tells of no
     * change.
     */
    synchronized int event(String resource, String event) {
        Matcher version = VERSION.matcher(event);
        if (event.contains("\"BOOKMARK\"") || !version.find() || !told.add(resource + version.group(1))) {
            return 0;
        }
        return events.merge(resource, 1, Integer::sum);
    }

    synchronized int message() {
        return ++messages;
    }

    synchronized List<String> writes() {
        return List.copyOf(writes);
    }

    synchronized SortedMap<String, Integer> events() {
        return new TreeMap<>(events);
    }

    synchronized int messages() {
        return messages;
    }
}
