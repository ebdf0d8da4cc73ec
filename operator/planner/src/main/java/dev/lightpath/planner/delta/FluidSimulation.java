package dev.lightpath.planner.delta;

import java.util.Arrays;

/**
 * Discrete-event simulation of the fluid network. Rates are recomputed at each start and finish, and only for tasks that are
 * connected to a change through shared links or cards. One object is one workspace: runs allocate nothing, and an object
 * belongs to one thread.
 *
 * <p>Cost: O((tasks + dependencies) log tasks) plus, for each event, the square of the number of connected active tasks.
 */
final class FluidSimulation {
    /** What decides who is served first. */
    enum Urgency {
        /** Nobody: max-min over all flows. */
        NONE,
        /** Level with the card-limited rate of a task. */
        CARD_LEVEL,
        /** Level with the rate of a task that has its link to itself. */
        LINK_LEVEL
    }

    private static final double LEVEL_TOLERANCE = 1e-9;
    private static final double TIE = 1e-13;
    private static final double TIE_OF_RATES = 1e-12;

    final double[] start;
    final double[] end;

    private final FlowNetwork network;
    private final CriticalPath paths;
    private final StartQueue waiting;
    private final int[] missing;
    private final double[] capacity;
    private final double[] remaining;
    private final double[] since;
    private final double[] rate;
    private final double[] finish;
    private final double[] meet;
    private final double[] duration;
    private final double[] tail;
    private final double[] reference;
    private final int[] active;
    private final int[] activeAt;
    private final int[][] onResource;
    private final int[] onCount;
    private final boolean[] drifting;
    private final int[] dirty;
    private final boolean[] isDirty;
    private final int[] parts;
    private final boolean[] inParts;
    private final int[] touched;
    private final boolean[] isTouched;
    private final double[] level;
    private final double[] newRate;
    private final double[] spare;
    private final double[] weight;
    private final int[] open;
    private final boolean[] frozen;
    private final boolean[] full;
    private int activeCount;
    private int dirtyCount;
    private int touchedCount;
    private int partCount;
    private double alarm;
    private Urgency urgency = Urgency.NONE;

    FluidSimulation(FlowNetwork network) {
        this.network = network;
        this.paths = new CriticalPath(network);
        int n = network.tasks;
        int r = network.resources;
        start = new double[n];
        end = new double[n];
        waiting = new StartQueue(start);
        missing = new int[n];
        capacity = new double[r];
        remaining = new double[n];
        since = new double[n];
        rate = new double[n];
        finish = new double[n];
        meet = new double[n];
        duration = new double[n];
        tail = new double[n];
        reference = new double[n];
        active = new int[n];
        activeAt = new int[n];
        onResource = new int[r][];
        for (int i = 0; i < r; i++) {
            onResource[i] = new int[network.loadFrom[i + 1] - network.loadFrom[i]];
        }
        onCount = new int[r];
        drifting = new boolean[n];
        dirty = new int[r];
        isDirty = new boolean[r];
        parts = new int[n];
        inParts = new boolean[n];
        touched = new int[r];
        isTouched = new boolean[r];
        level = new double[n];
        newRate = new double[n];
        spare = new double[r];
        weight = new double[r];
        open = new int[r];
        frozen = new boolean[n];
        full = new boolean[r];
    }

    /**
     * Runs an iteration; start and end of each task are then in {@link #start} and {@link #end}.
     *
     * @param circuits per group; 0 means unlimited
     * @return the makespan in seconds
     */
    double run(int[] circuits, Urgency rule) {
        prepare(circuits, rule);
        double now = 0;
        double makespan = 0;
        int done = 0;
        while (done < network.tasks) {
            double next = Math.min(waiting.earliest(), alarm);
            for (int i = 0; i < activeCount; i++) {
                int m = active[i];
                next = Math.min(next, Math.min(finish[m], meet[m]));
            }
            now = Math.max(now, next);
            double slack = now * TIE;
            for (int i = activeCount - 1; i >= 0; i--) {
                int m = active[i];
                if (finish[m] <= now + slack) {
                    end[m] = Math.min(finish[m], now);
                    leave(m);
                    makespan = Math.max(makespan, end[m]);
                    release(m);
                    done++;
                } else if (meet[m] <= now + slack || drifting[m]) {
                    markResources(m);
                }
            }
            while (waiting.earliest() <= now + slack) {
                int m = waiting.remove();
                if (remaining[m] > 0) {
                    enter(m, now);
                } else {
                    end[m] = start[m];
                    makespan = Math.max(makespan, end[m]);
                    release(m);
                    done++;
                }
            }
            share(now);
            alarm = urgency == Urgency.NONE ? Double.POSITIVE_INFINITY : nextMeeting(now);
        }
        return makespan;
    }

    private void prepare(int[] circuits, Urgency rule) {
        urgency = rule;
        waiting.clear();
        activeCount = 0;
        dirtyCount = 0;
        alarm = Double.POSITIVE_INFINITY;
        Arrays.fill(onCount, 0);
        Arrays.fill(isDirty, false);
        for (int r = 0; r < network.resources; r++) {
            if (r < network.links) {
                int count = circuits[network.linkGroup[r]];
                capacity[r] = count == 0 ? Double.POSITIVE_INFINITY : count * network.circuit;
            } else {
                capacity[r] = network.circuit;
            }
        }
        System.arraycopy(network.predecessors, 0, missing, 0, network.tasks);
        System.arraycopy(network.release, 0, start, 0, network.tasks);
        System.arraycopy(network.bytesPerFlow, 0, remaining, 0, network.tasks);
        Arrays.fill(drifting, false);
        if (rule != Urgency.NONE) {
            paths.aloneDurations(circuits, duration);
            paths.tails(duration, tail);
            for (int m = 0; m < network.tasks; m++) {
                reference[m] = network.cardRate[m];
                if (rule == Urgency.LINK_LEVEL) {
                    reference[m] = Math.min(reference[m], capacity[network.taskLink[m]] / network.flows[m]);
                }
            }
        }
        for (int m = 0; m < network.tasks; m++) {
            if (missing[m] == 0) {
                waiting.add(m);
            }
        }
    }

    private void release(int m) {
        for (int e = network.nextFrom[m]; e < network.nextFrom[m + 1]; e++) {
            int next = network.nextTask[e];
            double earliest = end[m] + network.nextDelay[e];
            if (earliest > start[next]) {
                start[next] = earliest;
            }
            if (--missing[next] == 0) {
                waiting.add(next);
            }
        }
    }

    private void enter(int m, double now) {
        activeAt[m] = activeCount;
        active[activeCount++] = m;
        since[m] = now;
        rate[m] = 0;
        finish[m] = Double.POSITIVE_INFINITY;
        meet[m] = Double.POSITIVE_INFINITY;
        for (int u = network.useFrom[m]; u < network.useFrom[m + 1]; u++) {
            int r = network.useResource[u];
            onResource[r][onCount[r]++] = m;
            mark(r);
        }
    }

    private void leave(int m) {
        int last = active[--activeCount];
        active[activeAt[m]] = last;
        activeAt[last] = activeAt[m];
        drifting[m] = false;
        for (int u = network.useFrom[m]; u < network.useFrom[m + 1]; u++) {
            int r = network.useResource[u];
            int[] tasks = onResource[r];
            int at = 0;
            while (tasks[at] != m) {
                at++;
            }
            tasks[at] = tasks[--onCount[r]];
            mark(r);
        }
    }

    private void mark(int resource) {
        if (!isDirty[resource]) {
            isDirty[resource] = true;
            dirty[dirtyCount++] = resource;
        }
    }

    private void markResources(int m) {
        for (int u = network.useFrom[m]; u < network.useFrom[m + 1]; u++) {
            mark(network.useResource[u]);
        }
    }

    /** Gives new rates to every task connected to a marked resource, one connected part at a time. */
    private void share(double now) {
        for (int d = 0; d < dirtyCount; d++) {
            int seed = dirty[d];
            if (isDirty[seed] && onCount[seed] > 0) {
                collect(seed);
                if (urgency == Urgency.NONE) {
                    openResources();
                    fill(0, partCount);
                } else {
                    fillByUrgency(now);
                }
                for (int i = 0; i < partCount; i++) {
                    apply(parts[i], now);
                }
                if (urgency != Urgency.NONE) {
                    foresee(now);
                }
                for (int i = 0; i < partCount; i++) {
                    inParts[parts[i]] = false;
                }
                for (int i = 0; i < touchedCount; i++) {
                    isTouched[touched[i]] = false;
                }
            }
            isDirty[seed] = false;
        }
        dirtyCount = 0;
    }

    /** The active tasks reachable from a resource into {@code parts}, their resources into {@code touched}. */
    private void collect(int seed) {
        partCount = 0;
        touchedCount = 0;
        touched[touchedCount++] = seed;
        isTouched[seed] = true;
        for (int t = 0; t < touchedCount; t++) {
            int r = touched[t];
            isDirty[r] = false;
            int[] tasks = onResource[r];
            for (int i = 0; i < onCount[r]; i++) {
                int m = tasks[i];
                if (!inParts[m]) {
                    inParts[m] = true;
                    parts[partCount++] = m;
                    for (int u = network.useFrom[m]; u < network.useFrom[m + 1]; u++) {
                        int other = network.useResource[u];
                        if (!isTouched[other]) {
                            isTouched[other] = true;
                            touched[touchedCount++] = other;
                        }
                    }
                }
            }
        }
    }

    private void openResources() {
        for (int t = 0; t < touchedCount; t++) {
            spare[touched[t]] = capacity[touched[t]];
        }
    }

    /** Progressive filling of {@code parts[from .. to)} with what is left in {@code spare}. */
    private void fill(int from, int to) {
        if (to == from + 1) {
            int m = parts[from];
            double most = network.cardRate[m];
            for (int u = network.useFrom[m]; u < network.useFrom[m + 1]; u++) {
                most = Math.min(most, spare[network.useResource[u]] / network.useWeight[u]);
            }
            newRate[m] = most;
            take(m, most);
            return;
        }
        for (int t = 0; t < touchedCount; t++) {
            weight[touched[t]] = 0;
            open[touched[t]] = 0;
        }
        for (int i = from; i < to; i++) {
            int m = parts[i];
            frozen[m] = false;
            for (int u = network.useFrom[m]; u < network.useFrom[m + 1]; u++) {
                weight[network.useResource[u]] += network.useWeight[u];
                open[network.useResource[u]]++;
            }
        }
        int left = to - from;
        while (left > 0) {
            double water = Double.POSITIVE_INFINITY;
            for (int t = 0; t < touchedCount; t++) {
                int r = touched[t];
                if (open[r] > 0) {
                    water = Math.min(water, spare[r] / weight[r]);
                }
            }
            for (int i = from; i < to; i++) {
                if (!frozen[parts[i]]) {
                    water = Math.min(water, network.cardRate[parts[i]]);
                }
            }
            double brim = water * (1 + TIE_OF_RATES);
            for (int t = 0; t < touchedCount; t++) {
                int r = touched[t];
                full[r] = open[r] > 0 && spare[r] / weight[r] <= brim;
            }
            for (int i = from; i < to; i++) {
                int m = parts[i];
                if (!frozen[m] && (network.cardRate[m] <= brim || onFullResource(m))) {
                    frozen[m] = true;
                    left--;
                    newRate[m] = water;
                    take(m, water);
                    for (int u = network.useFrom[m]; u < network.useFrom[m + 1]; u++) {
                        weight[network.useResource[u]] -= network.useWeight[u];
                        open[network.useResource[u]]--;
                    }
                }
            }
        }
    }

    private boolean onFullResource(int m) {
        for (int u = network.useFrom[m]; u < network.useFrom[m + 1]; u++) {
            if (full[network.useResource[u]]) {
                return true;
            }
        }
        return false;
    }

    private void take(int m, double flowRate) {
        for (int u = network.useFrom[m]; u < network.useFrom[m + 1]; u++) {
            int r = network.useResource[u];
            double left = spare[r] - network.useWeight[u] * flowRate;
            spare[r] = left < capacity[r] * TIE_OF_RATES ? 0 : left;
        }
    }

    private void fillByUrgency(double now) {
        for (int i = 0; i < partCount; i++) {
            int m = parts[i];
            level[m] = levelAt(m, now);
            int at = i;
            while (at > 0 && isLower(parts[at - 1], m)) {
                parts[at] = parts[at - 1];
                at--;
            }
            parts[at] = m;
        }
        openResources();
        int from = 0;
        while (from < partCount) {
            int to = classEnd(from);
            fill(from, to);
            from = to;
        }
    }

    private double levelAt(int m, double now) {
        return (remaining[m] - rate[m] * (now - since[m])) / reference[m] + tail[m];
    }

    /**
     * When any two levels will meet, connected or not, while levels of one class drift apart: such a class is thought over at each
     * event, so each event counts. Without drift a meeting elsewhere changes nothing and is left out.
     */
    private double nextMeeting(double now) {
        boolean drift = false;
        for (int i = 0; i < activeCount; i++) {
            drift |= drifting[active[i]];
        }
        double soonest = Double.POSITIVE_INFINITY;
        for (int i = 0; drift && i < activeCount; i++) {
            int a = active[i];
            for (int j = 0; j < activeCount; j++) {
                int b = active[j];
                double ahead = levelAt(a, now) - levelAt(b, now);
                double closing = rate[a] / reference[a] - rate[b] / reference[b];
                if (ahead > LEVEL_TOLERANCE && closing > TIE_OF_RATES) {
                    soonest = Math.min(soonest, now + ahead / closing);
                }
            }
        }
        return soonest;
    }

    private boolean isLower(int a, int b) {
        return level[a] < level[b] || (level[a] == level[b] && a > b);
    }

    private int classEnd(int from) {
        int to = from + 1;
        while (to < partCount && level[parts[from]] - level[parts[to]] <= LEVEL_TOLERANCE) {
            to++;
        }
        return to;
    }

    private void apply(int m, double now) {
        if (newRate[m] != rate[m]) {
            remaining[m] = Math.max(0, remaining[m] - rate[m] * (now - since[m]));
            since[m] = now;
            rate[m] = newRate[m];
            finish[m] = rate[m] > 0 ? now + remaining[m] / rate[m] : Double.POSITIVE_INFINITY;
        }
    }

    /** When levels of different classes will meet, and whether levels of one class drift apart. */
    private void foresee(double now) {
        int from = 0;
        while (from < partCount) {
            int to = classEnd(from);
            for (int i = from; i < to; i++) {
                int m = parts[i];
                double fall = rate[m] / reference[m];
                boolean drifts = false;
                for (int j = from; j < to; j++) {
                    double other = rate[parts[j]] / reference[parts[j]];
                    drifts |= Math.abs(fall - other) > TIE_OF_RATES * Math.max(fall, other);
                }
                drifting[m] = drifts;
                meet[m] = Double.POSITIVE_INFINITY;
                for (int j = to; j < partCount; j++) {
                    int lower = parts[j];
                    double closing = fall - rate[lower] / reference[lower];
                    if (closing > 0) {
                        meet[m] = Math.min(meet[m], now + (level[m] - level[lower]) / closing);
                    }
                }
            }
            from = to;
        }
    }
}
