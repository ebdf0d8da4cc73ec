package dev.lightpath.benchmarks.life;

import dev.lightpath.benchmarks.whole.Program;
import dev.lightpath.benchmarks.whole.Site;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Looks at the processes of a site and at what they store, again and again. */
final class Watch implements AutoCloseable {
    private static final Set<String> OURS = Set.of("operator", "driver", "emulator");
    /** Kinds that the operator writes, or whose number follows what happens. */
    private static final Set<String> KINDS =
            Set.of("trainingjobs", "fabricslices", "opticalfabrics", "nodes", "events", "leases", "configmaps");

    private static final double ANY = Double.POSITIVE_INFINITY;
    /** What a figure may rise besides 5 %. */
    private static final double MIB = 8;

    private static final double THREADS = 4;
    private static final double HANDLES = 8;
    private static final double OBJECTS = 10;
    private static final double OBJECT_KIB = 4;
    /** No object may be larger: etcd takes 1.5 MiB. */
    private static final double LARGEST_KIB = 1024;
    /** Above it an alert fires: the driver rewrites its journal when it has doubled and grown by 16 MiB. */
    private static final double JOURNAL_KIB = 64 * 1024;
    /** Nine files of 16 MiB and a line each. */
    private static final double AUDIT_KIB = 9 * (16 * 1024 + 64);

    private final Site site;
    private final Path folder;
    private final Store store;
    private final Map<String, Trend> trends = new LinkedHashMap<>();
    private int counts;

    /** @param folder where counts of heaps are left */
    Watch(Site site, Path folder) {
        this.site = site;
        this.folder = folder;
        this.store = new Store(site.store());
    }

    /** What costs nothing to see. */
    void look() {
        Instant now = Instant.now();
        site.programs().forEach((name, program) -> {
            Vitals vitals = Vitals.of(program.pid());
            add(name + ": threads", THREADS, ANY, now, vitals.threads());
            add(name + ": file handles", HANDLES, ANY, now, vitals.handles());
            add(name + ": resident memory, MiB", ANY, ANY, now, vitals.residentMib());
        });
        add("driver: journal, KiB", ANY, JOURNAL_KIB, now, Vitals.kib(site.driverState(), "journal-"));
        add("driver: audit log, KiB", ANY, AUDIT_KIB, now, Vitals.kib(site.driverState(), "audit.log"));
        add("etcd: database in use, MiB", MIB, ANY, now, store.usedMib());
    }

    /** What stops a process for a moment, or reads all that is stored. */
    void count() {
        counts++;
        site.programs().forEach((name, program) -> {
            if (OURS.contains(name)) {
                add(
                        name + ": heap after a collection, MiB",
                        MIB,
                        ANY,
                        Instant.now(),
                        Vitals.liveMib(program.pid(), folder.resolve("heap-" + name + "-" + counts + ".txt")));
            }
        });
        Instant now = Instant.now();
        SortedMap<String, Store.Objects> kinds = new TreeMap<>();
        store.objects()
                .forEach((kind, objects) ->
                        kinds.merge(KINDS.contains(kind) ? kind : "all other kinds", objects, Store.Objects::and));
        kinds.forEach((kind, objects) -> {
            add(kind + ": objects", OBJECTS, ANY, now, objects.number());
            add(kind + ": largest, KiB", OBJECT_KIB, LARGEST_KIB, now, objects.largestBytes() / 1024.0);
        });
    }

    private void add(String what, double allowance, double limit, Instant at, double value) {
        trends.computeIfAbsent(what, name -> new Trend(name, allowance, limit)).add(at, value);
    }

    void assertAlive() {
        site.programs().values().forEach(Program::assertAlive);
    }

    /** The figures of a time. */
    List<Trend> within(Instant begin, Instant end) {
        List<Trend> all = new ArrayList<>();
        trends.values().forEach(trend -> all.add(trend.within(begin, end)));
        return all;
    }

    @Override
    public void close() {
        store.close();
    }
}
