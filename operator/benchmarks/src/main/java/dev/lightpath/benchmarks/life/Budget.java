package dev.lightpath.benchmarks.life;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * What jobs and faults may cost the API server, by verb and object: {@code docs/scale.md}. Jobs are from apply to gone,
 * faults are of one Node, from its fault to its being well.
 */
final class Budget {
    /** Jobs that come at once, from apply to rest: they share the status of the fabric. Some move to make room. */
    private static final Map<String, Double> OF_AN_APPLY = Map.ofEntries(
            Map.entry("PATCH trainingjobs", 1.0),
            Map.entry("CREATE fabricslices", 1.0),
            Map.entry("PATCH fabricslices", 1.0),
            Map.entry("PATCH fabricslices/status", 5.5),
            Map.entry("PATCH trainingjobs/status", 5.0),
            Map.entry("CREATE events", 5.5),
            Map.entry("PATCH events", 1.0),
            Map.entry("PATCH opticalfabrics/status", 1.0),
            Map.entry("PATCH nodes", 1.0),
            Map.entry("GET trainingjobs", 6.0),
            Map.entry("GET opticalfabrics", 6.0),
            Map.entry("LIST fabricslices", 5.0),
            Map.entry("GET fabricslices", 1.0));

    /**
     * One job, from apply to gone. Jobs beside it tell of their spare nodes when it comes and when it leaves. Some move
     * to make room.
     */
    private static final Map<String, Double> OF_A_JOB = Map.ofEntries(
            Map.entry("PATCH trainingjobs", 2.0),
            Map.entry("CREATE fabricslices", 1.0),
            Map.entry("PATCH fabricslices", 2.0),
            Map.entry("DELETE fabricslices", 1.0),
            Map.entry("PATCH fabricslices/status", 24.0),
            Map.entry("PATCH trainingjobs/status", 24.0),
            Map.entry("CREATE events", 10.0),
            Map.entry("PATCH events", 5.0),
            Map.entry("PATCH opticalfabrics/status", 5.0),
            Map.entry("PATCH nodes", 2.0),
            Map.entry("GET trainingjobs", 28.0),
            Map.entry("GET opticalfabrics", 28.0),
            Map.entry("LIST fabricslices", 28.0),
            Map.entry("GET fabricslices", 4.0));

    private static final Map<String, Double> OF_A_FAULT = Map.ofEntries(
            Map.entry("PATCH fabricslices/status", 15.0),
            Map.entry("PATCH trainingjobs/status", 10.0),
            Map.entry("CREATE events", 8.0),
            Map.entry("PATCH events", 4.0),
            Map.entry("PATCH opticalfabrics/status", 6.0),
            Map.entry("PATCH nodes", 8.0),
            Map.entry("PATCH nodes/status", 4.0),
            Map.entry("GET trainingjobs", 16.0),
            Map.entry("GET opticalfabrics", 16.0),
            Map.entry("LIST fabricslices", 16.0),
            Map.entry("GET fabricslices", 2.0));

    private final Requests requests;
    private final Played played;
    private final List<String> over = new ArrayList<>();
    private final String table;

    Budget(Requests requests, Played played) {
        this.requests = requests;
        this.played = played;
        this.table = compared();
    }

    /** What costs more than its budget, a line each. */
    List<String> over() {
        return over;
    }

    /** A row for each verb and object. What is told late counts for what happened meanwhile. */
    String table() {
        return table;
    }

    private String compared() {
        Played.Moment first = played.first();
        int arrived = first.arrived();
        SortedMap<String, Integer> start = requests.within(first.at(), played.after(first));
        SortedMap<String, Integer> life = requests.within(played.begin(), played.end());
        SortedMap<String, Integer> ofFaults = at(Played.Moment::hasFault);
        SortedMap<String, Integer> ofJobs = at(Played.Moment::hasJob);
        int faults = played.faults();
        int jobs = played.jobs();
        SortedSet<String> all = new TreeSet<>(start.keySet());
        all.addAll(life.keySet());
        StringBuilder table = new StringBuilder(String.format(
                Locale.ROOT,
                "%n| requests of the operator | each of the first %d jobs | each of %d faults, and its end |"
                        + " each of %d jobs that come and leave | all of both: used M of budget N |%n|---|---|---|---|---|%n",
                arrived,
                faults,
                jobs));
        for (String what : all) {
            double ofAJob = OF_A_JOB.getOrDefault(what, 0.0);
            double ofAFault = OF_A_FAULT.getOrDefault(what, 0.0);
            int used = life.getOrDefault(what, 0);
            double budget = faults * ofAFault + jobs * ofAJob;
            double ofAnApply = OF_AN_APPLY.getOrDefault(what, 0.0);
            check(what + " of the first jobs", start.getOrDefault(what, 0), arrived * ofAnApply);
            check(what + " of faults and jobs", used, budget);
            table.append(String.format(
                    Locale.ROOT,
                    "| %s | %.1f (%.1f) | %.1f (%.1f) | %.1f (%.1f) | budget %.0f, used %d |%n",
                    what,
                    start.getOrDefault(what, 0) / Math.max(1.0, arrived),
                    ofAnApply,
                    ofFaults.getOrDefault(what, 0) / Math.max(1.0, faults),
                    ofAFault,
                    ofJobs.getOrDefault(what, 0) / Math.max(1.0, jobs),
                    ofAJob,
                    budget,
                    used));
        }
        return table.toString();
    }

    private void check(String what, int used, double budget) {
        if (used > budget) {
            over.add(String.format(Locale.ROOT, "%s: budget %.0f, used %d", what, budget, used));
        }
    }

    /** Requests while things of a kind happened: from each such moment to the next moment. */
    private SortedMap<String, Integer> at(Predicate<Played.Moment> kind) {
        SortedMap<String, Integer> sum = new TreeMap<>();
        played.life().stream()
                .filter(kind)
                .forEach(moment -> requests.within(moment.at(), played.after(moment))
                        .forEach((what, count) -> sum.merge(what, count, Integer::sum)));
        return sum;
    }
}
