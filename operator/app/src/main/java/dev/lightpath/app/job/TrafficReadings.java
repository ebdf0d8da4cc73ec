package dev.lightpath.app.job;

import dev.lightpath.crds.job.TrafficSource;
import dev.lightpath.reading.traffic.TrafficSourceReader;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What was read of ConfigMaps, once for each version: a job that waits looks every few seconds, and reading may take seconds. One
 * is read at a time, since each may take much of the memory.
 */
final class TrafficReadings {
    private static final int MOST = 64;

    private final Map<Version, TrafficFacts> known = new LinkedHashMap<>(MOST, 0.75f, true);

    /** One content as one job sees it. */
    record Version(String uid, String resourceVersion, TrafficSource source, TrafficSourceReader reader) {}

    /** @param reader asked when this version is not among the last {@value #MOST} that were asked for */
    synchronized TrafficFacts of(Version version, Supplier<TrafficFacts> reader) {
        TrafficFacts read = known.get(version);
        if (read == null) {
            read = reader.get();
            known.put(version, read);
            if (known.size() > MOST) {
                known.remove(known.keySet().iterator().next());
            }
        }
        return read;
    }
}
