package dev.lightpath.cli.delta;

import dev.lightpath.cli.Answer;
import dev.lightpath.cli.BadInput;
import dev.lightpath.cli.OutputOptions;
import dev.lightpath.cli.Table;
import dev.lightpath.planner.delta.DeltaInstance;
import dev.lightpath.planner.delta.NormalizedTime;
import dev.lightpath.planner.delta.Rates;
import dev.lightpath.planner.delta.Schedule;
import dev.lightpath.planner.delta.Simulator;
import dev.lightpath.planner.delta.SolutionVerifier;
import dev.lightpath.planner.delta.Topology;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lightpath delta evaluate}. */
@Command(name = "evaluate", description = "Plays one iteration over a topology.", mixinStandardHelpOptions = true)
final class EvaluateCommand implements Callable<Integer> {
    @Option(names = "--instance", required = true, paramLabel = "F", description = "delta-instance/1; - for stdin")
    @SuppressWarnings("NullAway.Init")
    private Path file;

    @Option(
            names = "--topology",
            required = true,
            paramLabel = "N,N,...",
            description = "circuits per group in the order of the file, or 'ideal' for unlimited")
    @SuppressWarnings("NullAway.Init")
    private String counts;

    @Option(names = "--rates", defaultValue = "fair", description = "${COMPLETION-CANDIDATES} (default fair)")
    private Rates rates = Rates.FAIR;

    @Mixin
    private final OutputOptions output = new OutputOptions();

    @Override
    public Integer call() {
        DeltaInstance instance = InstanceFile.read(file);
        Simulator simulator = new Simulator(instance);
        boolean ideal = counts.equals("ideal");
        Schedule schedule;
        boolean feasible = true;
        int ports = 0;
        if (ideal) {
            schedule = simulator.simulateUnlimited(rates);
        } else {
            Topology topology = topology(instance);
            schedule = simulator.simulate(topology, rates);
            feasible = SolutionVerifier.fitsPorts(instance, topology);
            ports = SolutionVerifier.ports(instance, topology);
        }
        NormalizedTime time = NormalizedTime.of(instance);
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("feasible", feasible);
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
                        feasible,
                        "makespan (s)",
                        schedule.makespanSeconds(),
                        "compute only (s)",
                        time.computeOnlySeconds(),
                        "ideal (s)",
                        time.idealSeconds(),
                        "NCT",
                        time.nct(schedule.makespanSeconds()),
                        "ports",
                        ports)));
    }

    private Topology topology(DeltaInstance instance) {
        List<Integer> circuits = new ArrayList<>();
        for (String count : counts.split(",", -1)) {
            try {
                circuits.add(Integer.parseInt(count.strip()));
            } catch (NumberFormatException e) {
                throw new BadInput(
                        "--topology " + counts + ": '" + count + "', allowed: circuits per group or 'ideal'", e);
            }
        }
        if (circuits.size() != instance.groups().size()) {
            throw new BadInput("--topology " + counts + ": " + circuits.size() + " counts, allowed: "
                    + instance.groups().size() + ", one per group of " + file);
        }
        try {
            return new Topology(circuits);
        } catch (IllegalArgumentException e) {
            throw new BadInput("--topology " + counts + ": " + e.getMessage(), e);
        }
    }
}
