package dev.lightpath.planner.delta.simulation;

import dev.lightpath.planner.delta.model.CommunicationTask;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.model.Dependency;
import dev.lightpath.planner.delta.model.PodPair;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The definition of spec and paper, written down without a thought for speed: every event recomputes every rate from
 * per-GPU and per-link limits held in maps.
 */
final class SlowSimulator {
    private static final double SAME = 1e-9;

    private final DeltaInstance instance;
    private final Map<String, Double> capacity = new HashMap<>();
    private final List<Map<String, Double>> use = new ArrayList<>();

    SlowSimulator(DeltaInstance instance, int[] circuits) {
        this.instance = instance;
        Map<PodPair, Integer> counts = new HashMap<>();
        for (int g = 0; g < circuits.length; g++) {
            for (PodPair pair : instance.groups().get(g).pairs()) {
                counts.put(pair.sorted(), circuits[g]);
            }
        }
        for (CommunicationTask task : instance.tasks()) {
            Map<String, Double> mine = new LinkedHashMap<>();
            PodPair pair = new PodPair(task.source(), task.destination());
            mine.put("link " + pair, (double) task.flows());
            capacity.put("link " + pair, counts.getOrDefault(pair.sorted(), 0) * instance.circuitBytesPerSecond());
            for (int gpu : task.sourceGpus()) {
                mine.put("out " + gpu, (double) task.flows() / task.sourceGpus().size());
                capacity.put("out " + gpu, instance.circuitBytesPerSecond());
            }
            for (int gpu : task.destinationGpus()) {
                mine.put(
                        "in " + gpu,
                        (double) task.flows() / task.destinationGpus().size());
                capacity.put("in " + gpu, instance.circuitBytesPerSecond());
            }
            use.add(mine);
        }
    }

    /** Ends of the tasks under fair sharing. */
    double[] fairEnds() {
        return ends(
                (active, left) -> fill(active, new HashMap<>(capacity)),
                (active, left, rates) -> Double.POSITIVE_INFINITY);
    }

    /** The better of the two variants of critical-path-first, every rate recomputed whenever anything happens. */
    double urgentMakespan() {
        return Math.min(makespan(urgentEnds(true)), makespan(urgentEnds(false)));
    }

    private static double makespan(double[] ends) {
        return Arrays.stream(ends).max().orElse(0);
    }

    private double[] urgentEnds(boolean cardsOnly) {
        int n = instance.tasks().size();
        double[] alone = new double[n];
        double[] reference = new double[n];
        for (int m = 0; m < n; m++) {
            for (Map.Entry<String, Double> share : use.get(m).entrySet()) {
                double limit = capacity.getOrDefault(share.getKey(), 0.0) / share.getValue();
                alone[m] = alone[m] == 0 ? limit : Math.min(alone[m], limit);
                if (!share.getKey().startsWith("link") || !cardsOnly) {
                    reference[m] = reference[m] == 0 ? limit : Math.min(reference[m], limit);
                }
            }
        }
        double[] tail = new double[n];
        for (int round = 0; round < n; round++) {
            for (Dependency dependency : instance.dependencies()) {
                if (dependency.pre() != Dependency.START) {
                    CommunicationTask post = instance.tasks().get(dependency.post());
                    double path = dependency.delaySeconds()
                            + post.bytes() / post.flows() / alone[dependency.post()]
                            + tail[dependency.post()];
                    tail[dependency.pre()] = Math.max(tail[dependency.pre()], path);
                }
            }
        }
        return ends(
                (active, left) -> {
                    List<Integer> order = new ArrayList<>(active);
                    order.sort(Comparator.comparingDouble(m -> -(left[m] / reference[m] + tail[m])));
                    Map<String, Double> spare = new HashMap<>(capacity);
                    Map<Integer, Double> rates = new HashMap<>();
                    int from = 0;
                    while (from < order.size()) {
                        double level = left[order.get(from)] / reference[order.get(from)] + tail[order.get(from)];
                        int to = from;
                        while (to < order.size()
                                && level - left[order.get(to)] / reference[order.get(to)] - tail[order.get(to)]
                                        <= SAME) {
                            to++;
                        }
                        rates.putAll(fill(order.subList(from, to), spare));
                        spare.replaceAll((resource, rest) -> rest < 1e-11 ? 0 : rest);
                        from = to;
                    }
                    return rates;
                },
                (active, left, rates) -> {
                    double soonest = Double.POSITIVE_INFINITY;
                    for (int a : active) {
                        for (int b : active) {
                            double ahead = left[a] / reference[a] + tail[a] - left[b] / reference[b] - tail[b];
                            double closing = rate(rates, a) / reference[a] - rate(rates, b) / reference[b];
                            if (ahead > SAME && closing > 1e-12) {
                                soonest = Math.min(soonest, ahead / closing);
                            }
                        }
                    }
                    return soonest;
                });
    }

    /** Rates of the active tasks, given what is left of each. */
    private interface Sharing {
        Map<Integer, Double> rates(List<Integer> active, double[] left);
    }

    /** Time until rates have to be thought over although nothing starts or ends. */
    private interface Alarm {
        double seconds(List<Integer> active, double[] left, Map<Integer, Double> rates);
    }

    private double[] ends(Sharing sharing, Alarm alarm) {
        int n = instance.tasks().size();
        double[] end = new double[n];
        double[] left = new double[n];
        boolean[] done = new boolean[n];
        for (CommunicationTask task : instance.tasks()) {
            left[task.id()] = task.bytes() / task.flows();
        }
        double now = 0;
        int finished = 0;
        while (finished < n) {
            List<Integer> active = new ArrayList<>();
            double next = Double.POSITIVE_INFINITY;
            boolean instant = false;
            for (int m = 0; m < n; m++) {
                double start = start(m, end, done);
                if (!done[m] && start <= now + SAME * 1e-3) {
                    if (left[m] <= 1e-12) {
                        done[m] = true;
                        end[m] = Math.max(start, now);
                        finished++;
                        instant = true;
                    } else {
                        active.add(m);
                    }
                } else if (!done[m]) {
                    next = Math.min(next, start);
                }
            }
            if (instant) {
                continue;
            }
            Map<Integer, Double> rates = sharing.rates(active, left);
            next = Math.min(next, now + alarm.seconds(active, left, rates));
            for (int m : active) {
                if (rate(rates, m) > 0) {
                    next = Math.min(next, now + left[m] / rate(rates, m));
                }
            }
            for (int m : active) {
                left[m] -= rate(rates, m) * (next - now);
                if (left[m] <= 1e-10) {
                    left[m] = 0;
                }
            }
            now = next;
        }
        return end;
    }

    private static double rate(Map<Integer, Double> rates, int task) {
        return rates.getOrDefault(task, 0.0);
    }

    private double start(int m, double[] end, boolean[] done) {
        double start = 0;
        for (Dependency dependency : instance.dependencies()) {
            if (dependency.post() == m) {
                if (dependency.pre() == Dependency.START) {
                    start = Math.max(start, dependency.delaySeconds());
                } else if (!done[dependency.pre()]) {
                    return Double.POSITIVE_INFINITY;
                } else {
                    start = Math.max(start, end[dependency.pre()] + dependency.delaySeconds());
                }
            }
        }
        return start;
    }

    /** Max-min: raise all rates together, stop those on the resource that fills first, go on with the rest. */
    Map<Integer, Double> fill(List<Integer> tasks, Map<String, Double> spare) {
        Map<Integer, Double> rates = new HashMap<>();
        List<Integer> rising = new ArrayList<>(tasks);
        while (!rising.isEmpty()) {
            Map<String, Double> weight = new HashMap<>();
            for (int m : rising) {
                use.get(m).forEach((resource, share) -> weight.merge(resource, share, Double::sum));
            }
            double water = weight.entrySet().stream()
                    .mapToDouble(entry -> spare.getOrDefault(entry.getKey(), 0.0) / entry.getValue())
                    .min()
                    .orElseThrow();
            List<String> full = weight.keySet().stream()
                    .filter(resource -> spare.getOrDefault(resource, 0.0)
                            <= weight.getOrDefault(resource, 0.0) * water * (1 + 1e-12))
                    .toList();
            List<Integer> stopped = rising.stream()
                    .filter(m -> full.stream().anyMatch(use.get(m)::containsKey))
                    .toList();
            for (int m : stopped) {
                rates.put(m, water);
                use.get(m).forEach((resource, share) -> spare.merge(resource, -share * water, Double::sum));
            }
            rising.removeAll(stopped);
        }
        return rates;
    }

    /**
     * Whether a schedule's times obey the DAG and, as a necessary condition, every link and card carries its volume in
     * time.
     */
    List<String> impossibilities(Schedule schedule) {
        List<String> wrong = new ArrayList<>();
        for (Dependency dependency : instance.dependencies()) {
            double ready = dependency.pre() == Dependency.START
                    ? 0
                    : schedule.tasks().get(dependency.pre()).endSeconds();
            if (schedule.tasks().get(dependency.post()).startSeconds() < ready + dependency.delaySeconds() - SAME) {
                wrong.add("too early: " + dependency);
            }
        }
        for (String resource : capacity.keySet()) {
            List<Integer> users = new ArrayList<>();
            for (int m = 0; m < use.size(); m++) {
                if (use.get(m).containsKey(resource)) {
                    users.add(m);
                }
            }
            users.sort(Comparator.comparingDouble(m -> schedule.tasks().get(m).startSeconds()));
            for (int a : users) {
                for (int b : users) {
                    double from = schedule.tasks().get(a).startSeconds();
                    double to = schedule.tasks().get(b).endSeconds();
                    double volume = 0;
                    for (int m : users) {
                        Schedule.Times times = schedule.tasks().get(m);
                        if (times.startSeconds() >= from && times.endSeconds() <= to) {
                            CommunicationTask task = instance.tasks().get(m);
                            volume += task.bytes() / task.flows() * use.get(m).getOrDefault(resource, 0.0);
                        }
                    }
                    if (to > from && volume > (to - from) * capacity.getOrDefault(resource, 0.0) * (1 + 1e-9) + 1e-6) {
                        wrong.add(resource + " carries " + volume + " between " + from + " and " + to);
                    }
                }
            }
        }
        return wrong;
    }
}
