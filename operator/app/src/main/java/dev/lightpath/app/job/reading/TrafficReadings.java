package dev.lightpath.app.job.reading;

import dev.lightpath.app.BackgroundThread;
import dev.lightpath.app.RoundRobin;
import dev.lightpath.app.job.facts.TrafficFacts;
import dev.lightpath.crds.job.TrafficSource;
import dev.lightpath.crds.slice.RecordedTraffic;
import dev.lightpath.reading.traffic.TrafficSourceReader;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads users' recordings, once for each content and shape of job, on a thread of its own: reading may take seconds and
 * much memory, so one is read at a time, in turns between namespaces, and no reconciler waits for it. What was read,
 * refusals too, is kept for each namespace by itself, so that no namespace displaces what another one's jobs ask for.
 * Thread-safe.
 */
public final class TrafficReadings implements AutoCloseable {
    /** Contents of one namespace, those that wait to be read included. */
    public static final int MOST = 64;
    /** Characters that are kept of one namespace; one that is not read yet counts as the largest. */
    static final long MOST_CHARACTERS = 1 << 24;
    /** As long as a packed iteration may be (ADR 73). */
    public static final long LARGEST = 400_000;
    /** Of all namespaces. Beyond that the one that has most gives way. */
    static final long MOST_OF_ALL = 1 << 26;

    /**
     * What no job asked for during so long makes room; jobs that wait ask every few seconds, of very many every few
     * minutes.
     */
    static final Duration FORGOTTEN = Duration.ofMinutes(5);

    /** A refusal that a person may lift without changing the content is looked at again. */
    public static final Duration PASSING = Duration.ofSeconds(30);

    /** One content as jobs of one shape in one namespace see it. */
    record Content(String namespace, String digest, TrafficSource source, TrafficSourceReader reader) {}

    /**
     * What a reading found.
     *
     * @param facts empty when the content is another one by now
     * @param passing whether the same content may be answered otherwise later
     */
    public record Found(Optional<TrafficFacts> facts, boolean passing) {}

    /** What is known of a content, and the jobs that ask for it. */
    private static final class Held {
        private final Set<ResourceID> jobs = new HashSet<>();
        private Optional<Found> found = Optional.empty();
        private @Nullable RuntimeException failure;
        private boolean queued;
        private long askedNanos;
        private long foundNanos;

        private boolean isPassing(long nowNanos) {
            return found.filter(Found::passing).isPresent() && nowNanos - foundNanos > PASSING.toNanos();
        }

        private long characters() {
            return found.flatMap(Found::facts).map(TrafficReadings::length).orElse(LARGEST);
        }
    }

    private final Consumer<ResourceID> told;
    private final LongSupplier nanoTime;
    private final ExecutorService thread =
            Executors.newSingleThreadExecutor(work -> BackgroundThread.of("traffic-reader", work));
    private final RoundRobin<Content, Supplier<Found>> waiting = new RoundRobin<>((one, other) -> 0);
    private final Map<String, Map<Content, Held>> namespaces = new HashMap<>();

    /**
     * @param told is told each job whose content was read, from any thread
     * @param nanoTime as {@link System#nanoTime}
     */
    public TrafficReadings(Consumer<ResourceID> told, LongSupplier nanoTime) {
        this.told = told;
        this.nanoTime = nanoTime;
    }

    /**
     * What is known; at first that it is waited for, and the job is told when it is read.
     *
     * @param read reads the content, on the thread of readings
     * @throws RuntimeException what the reading threw, once
     */
    public synchronized TrafficFacts of(Content content, ResourceID job, Supplier<Found> read) {
        long nowNanos = nanoTime.getAsLong();
        String where = "spec.scaleOut.traffic: ConfigMap " + content.source().configMap() + " ";
        Map<Content, Held> own = namespaces.computeIfAbsent(content.namespace(), of -> new HashMap<>());
        @Nullable Held held = own.get(content);
        if (held == null) {
            if (!makeRoom(own, nowNanos)) {
                return TrafficFacts.awaited(where
                        + "is read once other jobs of the namespace that wait with recorded traffic have a place, or "
                        + FORGOTTEN.toMinutes() + " minutes after they are gone: the recordings of " + MOST
                        + " or fewer are held for a namespace, by their size");
            }
            held = new Held();
            own.put(content, held);
        }
        held.askedNanos = nowNanos;
        if (held.failure != null) {
            RuntimeException failure = held.failure;
            own.remove(content);
            throw failure;
        }
        if ((held.found.isEmpty() || held.isPassing(nowNanos)) && !held.queued) {
            held.queued = true;
            waiting.add(content.namespace(), content, read);
            thread.execute(this::readNext);
        }
        held.jobs.add(job);
        return held.found
                .flatMap(Found::facts)
                .orElseGet(() -> TrafficFacts.awaited(
                        where + "is being read: one recording at a time, in turns between namespaces"));
    }

    /** Forgets what nobody asks for, those asked for longest ago first, where there is no room for one more. */
    private static boolean makeRoom(Map<Content, Held> own, long nowNanos) {
        List<Map.Entry<Content, Held>> idle = own.entrySet().stream()
                .filter(each -> !each.getValue().queued && nowNanos - each.getValue().askedNanos > FORGOTTEN.toNanos())
                .sorted(Comparator.comparingLong(each -> each.getValue().askedNanos - nowNanos))
                .toList();
        for (Map.Entry<Content, Held> each : idle) {
            if (hasRoom(own)) {
                return true;
            }
            own.remove(each.getKey());
        }
        return hasRoom(own);
    }

    private static boolean hasRoom(Map<Content, Held> own) {
        return own.size() < MOST && characters(own) + LARGEST <= MOST_CHARACTERS;
    }

    private static long characters(Map<Content, Held> own) {
        return own.values().stream().mapToLong(Held::characters).sum();
    }

    private void readNext() {
        Optional<Map.Entry<Content, Supplier<Found>>> next;
        synchronized (this) {
            next = waiting.next(owner -> 0, any -> true);
        }
        next.ifPresent(each -> {
            Set<ResourceID> jobs;
            try {
                Found found = each.getValue().get();
                jobs = read(each.getKey(), Optional.of(found), null);
            } catch (RuntimeException e) {
                jobs = read(each.getKey(), Optional.empty(), e);
            }
            jobs.forEach(told);
        });
    }

    /** Returns the jobs that ask for it. */
    private synchronized Set<ResourceID> read(
            Content content, Optional<Found> found, @Nullable RuntimeException failure) {
        Map<Content, Held> own = namespaces.getOrDefault(content.namespace(), Map.of());
        @Nullable Held held = own.get(content);
        if (held == null) {
            return Set.of();
        }
        held.queued = false;
        held.failure = failure;
        held.foundNanos = nanoTime.getAsLong();
        Set<ResourceID> jobs = Set.copyOf(held.jobs);
        held.jobs.clear();
        if (found.filter(what -> what.facts().isEmpty()).isPresent()) {
            own.remove(content);
        } else {
            held.found = found;
            giveWay();
        }
        return jobs;
    }

    /** Where all namespaces together hold too much, what was asked for longest ago in the one that holds most goes. */
    private void giveWay() {
        namespaces.values().removeIf(Map::isEmpty);
        while (namespaces.values().stream().mapToLong(TrafficReadings::read).sum() > MOST_OF_ALL) {
            Map<Content, Held> most = namespaces.values().stream()
                    .max(Comparator.comparingLong(TrafficReadings::read))
                    .orElseThrow();
            most.entrySet().stream()
                    .filter(each -> each.getValue().found.isPresent() && !each.getValue().queued)
                    .min(Comparator.comparingLong(each -> each.getValue().askedNanos))
                    .map(Map.Entry::getKey)
                    .ifPresent(most::remove);
        }
    }

    /** Characters of what is read. */
    private static long read(Map<Content, Held> own) {
        return own.values().stream()
                .filter(held -> held.found.isPresent() && !held.queued)
                .mapToLong(Held::characters)
                .sum();
    }

    private static long length(TrafficFacts read) {
        return read.problem().map(String::length).orElse(0)
                + read.recorded().map(TrafficReadings::length).orElse(0L);
    }

    private static long length(RecordedTraffic recorded) {
        return Stream.ofNullable(recorded.iteration()).mapToLong(String::length).sum()
                + recorded.pairs().stream().mapToLong(String::length).sum();
    }

    /** Nothing more is begun. */
    @Override
    public void close() {
        synchronized (this) {
            waiting.clear();
        }
        thread.shutdown();
    }
}
