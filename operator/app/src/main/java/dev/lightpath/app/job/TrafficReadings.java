package dev.lightpath.app.job;

import dev.lightpath.crds.job.TrafficFormat;
import dev.lightpath.crds.job.TrafficSource;
import dev.lightpath.crds.slice.RecordedTraffic;
import dev.lightpath.reading.traffic.TrafficSourceReader;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What was read of ConfigMaps, refusals too, once for each version: a job that waits looks every few seconds, and reading may take
 * seconds. Of each format one is read at a time, since traces may take much of the memory; nobody else waits for that.
 */
final class TrafficReadings {
    private static final int MOST = 64;
    private static final long MOST_CHARACTERS = 1 << 22;

    private final Object workload = new Object();
    private final Object traces = new Object();

    private final Map<Version, TrafficFacts> known = new LinkedHashMap<>(MOST, 0.75f, true);
    private long characters;

    /** One content as one job sees it. */
    record Version(String uid, String resourceVersion, TrafficSource source, TrafficSourceReader reader) {}

    /** @param reader asked when this version is not among the last {@value #MOST}, or 2^22 characters, that were asked for */
    TrafficFacts of(Version version, Supplier<TrafficFacts> reader) {
        TrafficFacts read = known(version);
        if (read == null) {
            synchronized (version.source().format() == TrafficFormat.CHAKRA ? traces : workload) {
                // whoever read before may have read this one
                read = known(version);
                if (read == null) {
                    read = reader.get();
                    keep(version, read);
                }
            }
        }
        return read;
    }

    private synchronized @Nullable TrafficFacts known(Version version) {
        return known.get(version);
    }

    private synchronized void keep(Version version, TrafficFacts read) {
        known.put(version, read);
        characters += length(read);
        var eldest = known.values().iterator();
        while (known.size() > MOST || characters > MOST_CHARACTERS) {
            characters -= length(eldest.next());
            eldest.remove();
        }
    }

    private static long length(TrafficFacts read) {
        return read.problem().map(String::length).orElse(0)
                + read.recorded().map(TrafficReadings::length).orElse(0L);
    }

    private static long length(RecordedTraffic recorded) {
        return (recorded.iteration() == null ? 0 : recorded.iteration().length())
                + recorded.pairs().stream().mapToLong(String::length).sum();
    }
}
