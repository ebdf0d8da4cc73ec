package dev.lightpath.planner.delta.search;

import dev.lightpath.planner.delta.simulation.FlowNetwork;
import dev.lightpath.planner.delta.simulation.Rates;
import dev.lightpath.planner.delta.simulation.Simulator;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Simulates many topologies on several threads; results come in the order of the questions, whatever the number of
 * threads.
 */
public final class SimulatorPool implements AutoCloseable {
    private final List<Simulator> simulators = new ArrayList<>();
    private final ExecutorService workers;

    public SimulatorPool(FlowNetwork network, int threads) {
        for (int i = 0; i < threads; i++) {
            simulators.add(new Simulator(network));
        }
        workers = Executors.newFixedThreadPool(
                threads, Thread.ofPlatform().daemon().name("delta-", 0).factory());
    }

    /** Makespans in seconds. */
    public double[] makespans(List<int[]> topologies, Rates rates) {
        double[] seconds = new double[topologies.size()];
        if (simulators.size() == 1 || topologies.size() == 1) {
            simulate(0, 1, topologies, rates, seconds);
            return seconds;
        }
        int lanes = simulators.size();
        List<Future<?>> lanesDone = new ArrayList<>();
        for (int lane = 0; lane < lanes; lane++) {
            int mine = lane;
            lanesDone.add(workers.submit(() -> simulate(mine, lanes, topologies, rates, seconds)));
        }
        for (Future<?> lane : lanesDone) {
            try {
                lane.get();
            } catch (ExecutionException e) {
                throw new IllegalStateException("a simulation failed", e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while simulating", e);
            }
        }
        return seconds;
    }

    private void simulate(int lane, int lanes, List<int[]> topologies, Rates rates, double[] seconds) {
        for (int i = lane; i < topologies.size(); i += lanes) {
            seconds[i] = simulators.get(lane).makespan(topologies.get(i), rates);
        }
    }

    @Override
    public void close() {
        workers.shutdown();
    }
}
