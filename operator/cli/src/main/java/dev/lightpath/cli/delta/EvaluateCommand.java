package dev.lightpath.cli.delta;

import dev.lightpath.cli.Answer;
import dev.lightpath.cli.OutputOptions;
import dev.lightpath.console.text.Table;
import dev.lightpath.planner.delta.SolutionVerifier;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.model.Topology;
import dev.lightpath.planner.delta.simulation.NormalizedTime;
import dev.lightpath.planner.delta.simulation.Rates;
import dev.lightpath.planner.delta.simulation.Schedule;
import dev.lightpath.planner.delta.simulation.Simulator;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code lightpath delta evaluate}. */
@Command(name = "evaluate", description = "Plays one iteration over a topology.", mixinStandardHelpOptions = true)
final class EvaluateCommand implements Callable<Integer> {
    @Mixin
    private final TopologyOptions question = new TopologyOptions();

    @Mixin
    private final OutputOptions output = new OutputOptions();

    @Override
    public Integer call() {
        TopologyOptions.Question asked = question.read();
        DeltaInstance instance = asked.instance();
        Optional<Topology> topology = asked.topology();
        Rates under = asked.rates();
        Simulator simulator = new Simulator(instance);
        Schedule schedule = topology.map(circuits -> simulator.simulate(circuits, under))
                .orElseGet(() -> simulator.simulateUnlimited(under));
        boolean feasible = topology.map(circuits -> SolutionVerifier.fitsPorts(instance, circuits))
                .orElse(true);
        int ports = topology.map(circuits -> SolutionVerifier.ports(instance, circuits))
                .orElse(0);
        List<String> violations = feasible
                ? List.of()
                : topology.map(circuits -> SolutionVerifier.portViolations(instance, circuits))
                        .orElse(List.of());
        NormalizedTime time = NormalizedTime.of(instance);
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("feasible", feasible);
        if (!violations.isEmpty()) {
            document.put("violations", violations);
        }
        document.put("rates", Solutions.word(under));
        document.put("makespanSeconds", schedule.makespanSeconds());
        document.put("computeOnlySeconds", time.computeOnlySeconds());
        document.put("idealSeconds", time.idealSeconds());
        document.put("nct", Solutions.nct(time.nct(schedule.makespanSeconds())));
        document.put("ports", ports);
        List<Map<String, Object>> tasks = new ArrayList<>();
        for (int i = 0; i < schedule.tasks().size(); i++) {
            Map<String, Object> task = new LinkedHashMap<>();
            task.put("id", i);
            task.put("startSeconds", schedule.tasks().get(i).startSeconds());
            task.put("endSeconds", schedule.tasks().get(i).endSeconds());
            tasks.add(task);
        }
        document.put("tasks", tasks);
        return output.print(new Answer(
                document,
                Table.facts(
                                "feasible",
                                feasible ? "yes" : "no",
                                "rates",
                                Solutions.word(under),
                                "makespan (s)",
                                schedule.makespanSeconds(),
                                "compute only (s)",
                                time.computeOnlySeconds(),
                                "ideal (s)",
                                time.idealSeconds(),
                                "NCT",
                                time.nct(schedule.makespanSeconds()),
                                "ports",
                                ports)
                        .withNotes(violations)));
    }
}
