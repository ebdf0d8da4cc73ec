package dev.lightpath.planner.delta.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.delta.iteration.InstanceGenerator;
import dev.lightpath.planner.delta.iteration.Preset;
import dev.lightpath.planner.delta.model.CommunicationTask;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.model.Pod;
import dev.lightpath.planner.delta.simulation.FlowNetwork;
import dev.lightpath.planner.delta.simulation.Rates;
import dev.lightpath.planner.delta.simulation.Simulator;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** From the stop signal on a search computes little more, wherever it is. */
class StoppedSearchTest {
    private static final int FEW = 50;

    private final FlowNetwork deep = new FlowNetwork(InstanceGenerator.generate(Preset.DEEPSEEK_671B.workload()));
    private final FlowNetwork wide = new FlowNetwork(allToAll(7));

    @Test
    void fewestPorts() {
        for (int looks = 0; looks < 40; looks += 3) {
            int[] many = deep.usefulCircuits();
            assertThat(afterStop(
                            looks,
                            budget -> new PortMinimizer(deep, new Simulator(deep), budget, Rates.JOINT, 1e9)
                                    .minimize(many)))
                    .as("stopped at look " + looks)
                    .isLessThan(FEW);
        }
    }

    @Test
    void joint() {
        for (int looks = 0; looks < 40; looks += 3) {
            assertThat(afterStop(
                            looks,
                            budget -> new JointSearch(deep, new Simulator(deep), budget).search(Boxes.least(deep))))
                    .as("stopped at look " + looks)
                    .isLessThan(FEW);
        }
    }

    @Test
    void genetic() {
        for (int looks : new int[] {1, 40, 42, 50}) {
            assertThat(afterStop(looks, budget -> {
                        try (SimulatorPool pool = new SimulatorPool(wide, 1)) {
                            new GeneticSearch(wide, pool, budget, wide.usefulCircuits(), 1).search(List.of());
                        }
                    }))
                    .as("stopped at look " + looks)
                    .isLessThan(FEW);
        }
    }

    @Test
    void fair() {
        FlowNetwork narrow = new FlowNetwork(allToAll(4));
        for (int looks : new int[] {0, 100, 1400, 1500}) {
            assertThat(afterStop(looks, budget -> {
                        try (SimulatorPool pool = new SimulatorPool(narrow, 1)) {
                            new FairSearch(narrow, pool, budget, Boxes.least(narrow), 1e9).search();
                        }
                    }))
                    .as("stopped at look " + looks)
                    .isLessThan(FEW);
        }
    }

    /** Nodes that are spent once the signal has been given. */
    private static long afterStop(int looks, Consumer<Budget> search) {
        AtomicLong spent = new AtomicLong();
        AtomicLong seen = new AtomicLong();
        AtomicLong asked = new AtomicLong();
        List<Budget> budget = new ArrayList<>();
        budget.add(new Budget(SearchLimits.standard()
                .reportingTo(progress -> spent.set(progress.nodes()))
                .stoppingWhen(() -> {
                    if (asked.incrementAndGet() == looks + 1) {
                        budget.getFirst().report(0, 0);
                        seen.set(spent.get());
                    }
                    return asked.get() > looks;
                })));
        search.accept(budget.getFirst());
        budget.getFirst().report(0, 0);
        return asked.get() > looks ? spent.get() - seen.get() : 0;
    }

    /** Every pod sends to every other, each pair other bytes. */
    private static DeltaInstance allToAll(int pods) {
        List<CommunicationTask> tasks = new ArrayList<>();
        for (int a = 0; a < pods; a++) {
            for (int b = 0; b < pods; b++) {
                if (a != b) {
                    tasks.add(new CommunicationTask(
                            tasks.size(), a + "-" + b, a, b, 4, 1e9 + tasks.size() * 1e7, gpus(a), gpus(b)));
                }
            }
        }
        return DeltaInstance.withGroupPerPair(
                "all-to-all",
                5e10,
                IntStream.range(0, pods).mapToObj(p -> new Pod(p, 16, true)).toList(),
                tasks,
                List.of());
    }

    private static List<Integer> gpus(int pod) {
        return IntStream.range(4 * pod, 4 * pod + 4).boxed().toList();
    }
}
