package dev.lightpath.soak;

import dev.lightpath.cli.Answer;
import dev.lightpath.console.text.Table;
import dev.lightpath.soak.script.Change;
import dev.lightpath.soak.script.Script;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** A replay told: figures for people, every moment for programs. */
record ReplayReport(Site site, Script.Course course, Outcome outcome, String again) {
    Answer answer() {
        return new Answer(document(), table());
    }

    private Table table() {
        Map<String, Object> figures = figures();
        List<Object> facts = new ArrayList<>();
        figures.forEach((name, value) -> {
            facts.add(name);
            facts.add(value);
        });
        List<String> notes = new ArrayList<>();
        if (outcome.findings().isEmpty()) {
            notes.add("no finding");
        } else {
            outcome.findings().forEach(finding -> notes.add("FINDING " + finding.line()));
            notes.add("again, in an environment started anew: " + again);
        }
        return Table.facts(facts.toArray()).withNotes(notes);
    }

    private Map<String, Object> document() {
        Map<String, Object> document = new LinkedHashMap<>(figures());
        document.put("began", outcome.began().toString());
        document.put("again", again);
        document.put("findings", outcome.findings());
        document.put("moments", outcome.played());
        return document;
    }

    private Map<String, Object> figures() {
        List<Played> played = outcome.played();
        List<Played> faults = played.stream().filter(Played::fault).toList();
        int gpus = site.ring().positions() * site.ring().gpusPerNode();
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("nodes", site.ring().positions());
        figures.put("gpus", gpus);
        figures.put("fromDay", course.from());
        figures.put("toDay", course.to());
        figures.put("seed", course.seed());
        figures.put("traceFaults", outcome.script().faults());
        figures.put("traceServers", outcome.script().servers());
        figures.put("moments", played.size());
        figures.put("nodeFaults", count(Change.NodeFails.class));
        figures.put("nodeRecoveries", count(Change.NodeRecovers.class));
        site.spine().ifPresent(spine -> {
            figures.put("portFaults", count(Change.PortFails.class));
            figures.put("switchFaults", count(Change.SwitchFails.class));
        });
        figures.put("jobsArrived", count(Change.JobArrives.class));
        figures.put("jobsLeft", count(Change.JobLeaves.class));
        figures.put("checks", outcome.checks());
        figures.put("findings", outcome.findings().size());
        figures.put("settleSecondsMean", mean(played, Played::settleSeconds));
        figures.put("settleSecondsMax", max(played, Played::settleSeconds));
        figures.put("bundlesMovedPerFaultMean", mean(faults, Played::movedBundles));
        figures.put("bundlesMovedPerFaultMax", max(faults, Played::movedBundles));
        site.spine().ifPresent(spine -> {
            figures.put("circuitsMovedPerFaultMean", mean(faults, Played::movedCircuits));
            figures.put("circuitsMovedPerFaultMax", max(faults, Played::movedCircuits));
        });
        figures.put(
                "movesForOthers",
                played.stream()
                        .mapToInt(moment -> moment.movedForOthers().size())
                        .sum());
        figures.put(
                "crowdedOutPercentOfTime",
                100 * overTime(moment -> moment.crowdedOut().isEmpty() ? 0 : 1));
        figures.put("massFailureStops", outcome.massFailures());
        figures.put("quarantinesCleared", outcome.cleared());
        double full = overTime(moment -> moment.full() ? 1 : 0);
        figures.put("fullPercentOfTime", 100 * full);
        figures.put(
                "faultyNodesPercentMean",
                100 * overTime(Played::faulty) / site.ring().positions());
        figures.put("closedFormWastePercentMean", 100 * overTime(Played::closedFormGpus) / gpus);
        figures.put("wastePercentMeanWhenFull", whenFull(Played::wastedGpus, full, gpus));
        figures.put("closedFormWastePercentMeanWhenFull", whenFull(Played::closedFormGpus, full, gpus));
        figures.put("gatheredWastePercentMeanWhenFull", whenFull(Played::gatheredGpus, full, gpus));
        figures.put("seconds", outcome.seconds());
        return figures;
    }

    private Object whenFull(ToDoubleFunction<Played> figure, double full, int gpus) {
        return full == 0
                ? "never full"
                : 100 * overTime(moment -> moment.full() ? figure.applyAsDouble(moment) : 0) / full / gpus;
    }

    /** Mean over the days of the trace, each moment lasting until the next. */
    private double overTime(ToDoubleFunction<Played> figure) {
        List<Played> played = outcome.played();
        double sum = 0;
        double days = 0;
        for (int i = 1; i < played.size(); i++) {
            double span = played.get(i).day() - played.get(i - 1).day();
            sum += span * figure.applyAsDouble(played.get(i - 1));
            days += span;
        }
        return days == 0 ? 0 : sum / days;
    }

    private long count(Class<? extends Change> kind) {
        return outcome.script().moments().stream()
                .flatMap(moment -> moment.changes().stream())
                .filter(kind::isInstance)
                .count();
    }

    private static double mean(List<Played> of, ToDoubleFunction<Played> figure) {
        return of.stream().mapToDouble(figure).average().orElse(0);
    }

    private static double max(List<Played> of, ToDoubleFunction<Played> figure) {
        return of.stream().mapToDouble(figure).max().orElse(0);
    }
}
