package dev.lightpath.planner.delta.simulation;

/**
 * Discrete-event simulation of the fluid network. Rates are recomputed at each start and finish, and only for tasks
 * that are connected to a change through shared links or cards. One object is one workspace: runs allocate nothing, and
 * an object belongs to one thread.
 *
 * <p>Cost: O((tasks + dependencies) log tasks) plus, for each event, the square of the number of connected active
 * tasks.
 */
final class FluidSimulation {
    private static final double TIE = 1e-13;

    final double[] start;
    final double[] end;

    private final FlowNetwork network;
    private final StartQueue waiting;
    private final int[] missing;
    private final double[] capacity;
    private final ActiveTransfers transfers;
    private final ConnectedPart part;
    private final ProgressiveFilling filling;
    private final UrgencyLevels levels;
    private Urgency urgency = Urgency.NONE;
    private long work;

    FluidSimulation(FlowNetwork network) {
        this.network = network;
        start = new double[network.tasks];
        end = new double[network.tasks];
        waiting = new StartQueue(start);
        missing = new int[network.tasks];
        capacity = new double[network.resources];
        transfers = new ActiveTransfers(network);
        part = new ConnectedPart(network, transfers);
        filling = new ProgressiveFilling(network, part, capacity);
        levels = new UrgencyLevels(network, transfers, part);
    }

    /**
     * Runs an iteration; start and end of each task are then in {@link #start} and {@link #end}.
     *
     * @param circuits per group; 0 means unlimited
     * @return the makespan in seconds
     */
    double run(int[] circuits, Urgency rule) {
        return run(circuits, rule, Long.MAX_VALUE);
    }

    /** Pairs of tasks that a run looks at; above {@code most} it ends. */
    long work(int[] circuits, Urgency rule, long most) {
        run(circuits, rule, most);
        return work;
    }

    private double run(int[] circuits, Urgency rule, long most) {
        prepare(circuits, rule);
        work = 0;
        double now = 0;
        double makespan = 0;
        double alarm = Double.POSITIVE_INFINITY;
        int done = 0;
        while (done < network.tasks && work <= most) {
            double next = Math.min(waiting.earliest(), alarm);
            for (int i = 0; i < transfers.count; i++) {
                int m = transfers.task[i];
                next = Math.min(next, Math.min(transfers.finish[m], levels.meet[m]));
            }
            now = Math.max(now, next);
            double slack = now * TIE;
            for (int i = transfers.count - 1; i >= 0; i--) {
                int m = transfers.task[i];
                if (transfers.finish[m] <= now + slack) {
                    end[m] = Math.min(transfers.finish[m], now);
                    levels.forget(m);
                    transfers.leave(m);
                    makespan = Math.max(makespan, end[m]);
                    release(m);
                    done++;
                } else if (levels.meet[m] <= now + slack || levels.drifting[m]) {
                    transfers.markResources(m);
                }
            }
            while (waiting.earliest() <= now + slack) {
                int m = waiting.remove();
                if (transfers.remaining[m] > 0) {
                    transfers.enter(m, now);
                } else {
                    end[m] = start[m];
                    makespan = Math.max(makespan, end[m]);
                    release(m);
                    done++;
                }
            }
            share(now);
            if (urgency != Urgency.NONE) {
                work += levels.drift() ? (long) transfers.count * transfers.count : 0;
                alarm = levels.nextMeeting(now);
            }
        }
        return makespan;
    }

    private void prepare(int[] circuits, Urgency rule) {
        urgency = rule;
        waiting.clear();
        transfers.clear();
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
        levels.prepare(circuits, rule, capacity);
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

    /** Gives new rates to every task connected to a marked resource, one connected part at a time. */
    private void share(double now) {
        for (int d = 0; d < transfers.changedCount; d++) {
            int seed = transfers.changed[d];
            if (transfers.isChanged[seed] && transfers.onCount[seed] > 0) {
                part.collect(seed);
                work += (long) part.tasks * part.tasks;
                filling.open();
                if (urgency == Urgency.NONE) {
                    filling.fill(0, part.tasks);
                } else {
                    fillByUrgency(now);
                }
                for (int i = 0; i < part.tasks; i++) {
                    transfers.setRate(part.task[i], filling.rate[part.task[i]], now);
                }
                if (urgency != Urgency.NONE) {
                    levels.foresee(now);
                }
                part.release();
            }
            transfers.isChanged[seed] = false;
        }
        transfers.changedCount = 0;
    }

    private void fillByUrgency(double now) {
        levels.sort(now);
        int from = 0;
        while (from < part.tasks) {
            int to = levels.classEnd(from);
            filling.fill(from, to);
            from = to;
        }
    }
}
