package dev.lightpath.app.cluster;

import static java.net.HttpURLConnection.HTTP_GATEWAY_TIMEOUT;
import static java.net.HttpURLConnection.HTTP_NOT_FOUND;
import static java.net.HttpURLConnection.HTTP_UNAVAILABLE;

import dev.lightpath.app.loop.Ledger;
import dev.lightpath.app.loop.LedgerUnread;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.memory.FixedMap;
import dev.lightpath.planner.words.Words;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.reading.SliceParts;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ledger in the status of FabricSlices. It is listed from the API server at the start of a term. After that own
 * answers are the newest there is, because nobody else writes it. Where a write is refused, that slice is read again.
 * Where a write is not answered, all are listed again; and so they are where a watch shows otherwise, as when one who
 * led before writes late. A slice that appeared since is taken from a watch: it has no record before we write one. A
 * record that somebody took off the API server is remembered as lost, to be written again.
 */
public final class SliceLedger implements Ledger, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SliceLedger.class);
    /** Characters of an answer that are told to people. */
    private static final int MOST_TOLD = 300;

    private static final int TOO_MANY_REQUESTS = 429;
    /** The API server is away or has too much to do, or the slice is gone: that says nothing of the record. */
    private static final Set<Integer> NO_REFUSAL =
            Set.of(0, HTTP_NOT_FOUND, TOO_MANY_REQUESTS, HTTP_UNAVAILABLE, HTTP_GATEWAY_TIMEOUT);
    /** Records that have nothing to do with each other are written so many at a time. */
    private static final int WRITERS = 8;

    /** A record that this version cannot read, at that version of its slice. */
    private record UnreadableRecord(String version, String why) {}

    private final KubernetesClient client;
    private final Supplier<? extends Collection<FabricSlice>> watched;
    private final Predicate<FabricSlice> mine;
    private final RecordMarks marks;
    private final RecordWriter writer;
    private final ExecutorService writers = Executors.newFixedThreadPool(
            WRITERS, Thread.ofPlatform().name("ledger-", 0).factory());

    private final Map<SliceId, ReadRecord> known = new HashMap<>();
    private final SortedMap<SliceId, UnreadableRecord> unreadable = new TreeMap<>();
    /** What is being written: a watch may show it before its answer is here. */
    private final Set<SliceId> underWay = new HashSet<>();

    /** The latest version that a watch showed of each slice with the record that is known: it is compared once. */
    private final Map<SliceId, String> ours = new HashMap<>();

    /** What {@link #entries} said last: as long as nothing changes it is the same object. */
    private SortedMap<SliceId, LedgerEntry> told = FixedMap.copyOf(new TreeMap<>());

    private boolean stale = true;
    /** What the watch showed then. */
    private List<FabricSlice> seenThen = List.of();
    /** Whether something else changed since, or a slice is still to be marked. */
    private boolean touched = true;
    /** Of all slices together, as they were listed last. */
    private long listed;

    /**
     * @param watched the slices that a watch shows now, without those of others
     * @param mine whether a slice is of the fabrics whose records these are
     * @param leads whether this process may still write
     */
    public SliceLedger(
            KubernetesClient client,
            Supplier<? extends Collection<FabricSlice>> watched,
            Predicate<FabricSlice> mine,
            BooleanSupplier leads) {
        this.client = client;
        this.watched = watched;
        this.mine = mine;
        this.marks = new RecordMarks(client, leads);
        this.writer = new RecordWriter(client, watched, leads, marks);
    }

    @Override
    public synchronized SortedMap<SliceId, LedgerEntry> entries() {
        Collection<FabricSlice> seen = watched.get();
        if (!stale && !touched && isAsThen(seen)) {
            return told;
        }
        stale |= seen.stream().anyMatch(this::isNews);
        if (stale) {
            list();
            stale = false;
        }
        touched = !marks.mark(seen);
        seenThen = List.copyOf(seen);
        for (FabricSlice slice : seen) {
            SliceId id = id(slice);
            if (!SliceParts.isPart(slice) && !known.containsKey(id) && !unreadable.containsKey(id) && isYoung(slice)) {
                // without a record: one there was would have been listed
                known.put(id, ReadRecord.none(slice));
            }
        }
        SortedMap<SliceId, LedgerEntry> entries = new TreeMap<>();
        known.forEach((id, entry) -> entries.put(id, entry.read()));
        if (!FixedMap.sameObjects(entries, told)) {
            told = FixedMap.copyOf(entries);
        }
        return told;
    }

    /** Whether the watch shows the very same objects. */
    @SuppressWarnings("ReferenceEquality")
    private boolean isAsThen(Collection<FabricSlice> seen) {
        if (seen.size() != seenThen.size()) {
            return false;
        }
        Iterator<FabricSlice> then = seenThen.iterator();
        for (FabricSlice slice : seen) {
            if (!then.hasNext() || slice != then.next()) {
                return false;
            }
        }
        return true;
    }

    @Override
    public synchronized SortedMap<SliceId, String> unreadable() {
        SortedMap<SliceId, String> reasons = new TreeMap<>();
        unreadable.forEach((id, unread) -> reasons.put(id, unread.why()));
        return reasons;
    }

    /** Whether a watch shows what own answers cannot have told. */
    private boolean isNews(FabricSlice slice) {
        if (SliceParts.isPart(slice)) {
            return false;
        }
        UnreadableRecord unread = unreadable.get(id(slice));
        if (unread != null) {
            return !unread.version().equals(slice.getMetadata().getResourceVersion());
        }
        ReadRecord entry = known.get(id(slice));
        return entry == null
                ? isYoung(slice) && ReadRecord.first(slice) != null
                : !entry.uid().equals(slice.getMetadata().getUid()) || isWrittenByOthers(entry, slice);
    }

    /**
     * Whether a slice that was not listed may have come since: what is older is gone, and a watch has not heard of it
     * yet.
     */
    private boolean isYoung(FabricSlice slice) {
        return ResourceVersion.number(slice.getMetadata().getResourceVersion()) > listed;
    }

    /**
     * Whether a later version of the slice than our last write has another record, or none: of one who led before, say.
     */
    private boolean isWrittenByOthers(ReadRecord entry, FabricSlice slice) {
        String version = slice.getMetadata().getResourceVersion();
        SliceId id = id(slice);
        if (version.equals(ours.get(id))
                || underWay.contains(id)
                || ResourceVersion.number(version)
                        <= ResourceVersion.number(entry.read().version())) {
            return false;
        }
        boolean same = Objects.equals(ReadRecord.first(slice), entry.first());
        if (same) {
            ours.put(id, version);
        }
        return !same;
    }

    private void list() {
        Map<SliceId, FabricSlice> all = new TreeMap<>();
        try {
            KubernetesResourceList<FabricSlice> list =
                    client.resources(FabricSlice.class).inAnyNamespace().list();
            list.getItems().forEach(slice -> all.put(id(slice), slice));
            listed = ResourceVersion.number(list.getMetadata().getResourceVersion());
        } catch (KubernetesClientException e) {
            throw new LedgerUnread(String.valueOf(e.getMessage()), e);
        }
        Map<SliceId, ReadRecord> before = new HashMap<>(known);
        known.clear();
        ours.clear();
        unreadable.clear();
        all.forEach((id, slice) -> take(id, slice, before.get(id), name -> all.get(new SliceId(id.namespace(), name))));
    }

    /** One slice, as the API server has it now, unless more was heard of it meanwhile. */
    private void readAgain(SliceId id) {
        ReadRecord before;
        synchronized (this) {
            before = known.get(id);
        }
        try {
            FabricSlice now = get(id);
            Map<String, FabricSlice> parts = new HashMap<>();
            for (String name : now == null ? List.<String>of() : SliceParts.names(now)) {
                FabricSlice part = get(new SliceId(id.namespace(), name));
                if (part != null) {
                    parts.put(name, part);
                }
            }
            synchronized (this) {
                if (before != null && known.remove(id, before)) {
                    touched = true;
                    ours.remove(id);
                    if (now != null) {
                        take(id, now, before, parts::get);
                    } else {
                        // a watch may show it still, as one that came since the last listing
                        stale = true;
                    }
                }
            }
        } catch (KubernetesClientException e) {
            listAgain();
        }
    }

    /** By the next pass: a write that was not answered may be carried out meanwhile. */
    private synchronized void listAgain() {
        stale = true;
    }

    private @Nullable FabricSlice get(SliceId id) {
        return client.resources(FabricSlice.class)
                .inNamespace(id.namespace())
                .withName(id.name())
                .get();
    }

    /**
     * Where the record is still the one that was known, its version stays: what was decided on it and is not written
     * yet counts.
     *
     * @param before what was known of it
     * @param others slices of its namespace, by name
     */
    private void take(
            SliceId id,
            FabricSlice slice,
            @Nullable ReadRecord before,
            Function<String, @Nullable FabricSlice> others) {
        if (SliceParts.isPart(slice) || !mine.test(slice)) {
            return;
        }
        try {
            ReadRecord now = ReadRecord.of(slice, others);
            known.put(
                    id,
                    before != null && before.isAs(now)
                            ? before
                            : lost(before, now).orElse(now));
        } catch (IllegalArgumentException e) {
            LOG.atError().addKeyValue("slice", id).log("its record cannot be read: " + e.getMessage());
            unreadable.put(
                    id,
                    new UnreadableRecord(
                            slice.getMetadata().getResourceVersion(), "slice " + id + ": " + e.getMessage()));
        }
    }

    /** A slice of which we know a record, and that has none now. */
    private static Optional<ReadRecord> lost(@Nullable ReadRecord before, ReadRecord now) {
        if (before == null || !before.uid().equals(now.uid()) || now.first() != null) {
            return Optional.empty();
        }
        return before.read()
                .allocation()
                .map(allocation -> new ReadRecord(
                        now.uid(),
                        new LedgerEntry(Optional.of(allocation), now.read().version(), true, true),
                        null));
    }

    /** The slice is gone; one of the same name that came after it stays. */
    public synchronized void forget(FabricSlice gone) {
        touched = true;
        ReadRecord entry = known.get(id(gone));
        if (entry != null && entry.uid().equals(gone.getMetadata().getUid())) {
            known.remove(id(gone));
            ours.remove(id(gone));
        }
        if (unreadable.remove(id(gone)) != null) {
            stale = true;
        }
    }

    @Override
    public void record(
            List<Decision.Adopt.Entry> entries,
            Consumer<Decision.Adopt.Entry> written,
            BiConsumer<Decision.Adopt.Entry, String> refused,
            Runnable done) {
        CompletableFuture<?>[] ended = chains(entries).stream()
                .map(chain -> CompletableFuture.runAsync(() -> write(chain, written, refused), writers))
                .toArray(CompletableFuture[]::new);
        var unused = CompletableFuture.allOf(ended).whenComplete((all, failure) -> {
            if (failure != null) {
                synchronized (this) {
                    stale = true;
                }
            }
            done.run();
        });
    }

    /** One after the other; the first that fails ends its chain, and each chain tells its own failure. */
    private void write(
            List<Decision.Adopt.Entry> chain,
            Consumer<Decision.Adopt.Entry> written,
            BiConsumer<Decision.Adopt.Entry, String> refused) {
        for (Decision.Adopt.Entry entry : chain) {
            try {
                write(entry);
            } catch (RuntimeException e) {
                LOG.atWarn()
                        .addKeyValue("slice", entry.slice())
                        .addKeyValue("failure", e.getMessage())
                        .log("record not written; it is read again");
                Optional<String> why = refusal(e);
                if (why.isPresent()) {
                    readAgain(entry.slice());
                    refused.accept(entry, why.get());
                } else {
                    listAgain();
                }
                return;
            }
            written.accept(entry);
        }
    }

    /**
     * Why a record was not written: the words of the API server, or that the slice changed meanwhile. Empty where that
     * says nothing of the record.
     */
    private static Optional<String> refusal(RuntimeException failure) {
        String why = String.valueOf(failure.getMessage());
        if (failure instanceof KubernetesClientException answer) {
            if (NO_REFUSAL.contains(answer.getCode())) {
                return Optional.empty();
            }
            if (answer.getStatus() != null && answer.getStatus().getMessage() != null) {
                why = answer.getStatus().getMessage();
            }
        }
        return Optional.of(Words.shortened(why, MOST_TOLD));
    }

    private List<List<Decision.Adopt.Entry>> chains(List<Decision.Adopt.Entry> entries) {
        Map<SliceId, Allocation> recorded = new HashMap<>();
        synchronized (this) {
            for (Decision.Adopt.Entry entry : entries) {
                ReadRecord before = known.get(entry.slice());
                if (before != null) {
                    before.read().allocation().ifPresent(allocation -> recorded.put(entry.slice(), allocation));
                }
            }
        }
        return AdoptionChains.of(entries, recorded);
    }

    private void write(Decision.Adopt.Entry entry) {
        SliceId id = entry.slice();
        ReadRecord before;
        synchronized (this) {
            before = known.get(id);
            underWay.add(id);
        }
        try {
            write(entry, before);
        } finally {
            synchronized (this) {
                underWay.remove(id);
                touched = true;
            }
        }
    }

    /** @param before as the decision should know it; null when it is gone */
    private void write(Decision.Adopt.Entry entry, @Nullable ReadRecord before) {
        SliceId id = entry.slice();
        if (before == null || !before.read().version().equals(entry.version())) {
            throw new IllegalStateException("slice " + id + " changed since its allocation was decided");
        }
        List<SliceParts.Part> records = RecordWriter.split(entry.allocation());
        FabricSlice written = writer.write(id, before, records);
        synchronized (this) {
            known.put(id, before.with(entry.allocation(), written));
            touched = true;
        }
        writer.prune(id, before, records);
    }

    private static SliceId id(FabricSlice slice) {
        return new SliceId(
                slice.getMetadata().getNamespace(), slice.getMetadata().getName());
    }

    /** Lets a write under way end; light stays as it is. */
    @Override
    public void close() {
        writers.shutdown();
        marks.close();
    }
}
