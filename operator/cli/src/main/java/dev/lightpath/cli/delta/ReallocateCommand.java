package dev.lightpath.cli.delta;

import dev.lightpath.cli.Answer;
import dev.lightpath.cli.Infeasible;
import dev.lightpath.cli.OutputOptions;
import dev.lightpath.console.text.BadInput;
import dev.lightpath.console.text.Table;
import dev.lightpath.planner.delta.Algorithm;
import dev.lightpath.planner.delta.DeltaPlanner;
import dev.lightpath.planner.delta.DeltaSolution;
import dev.lightpath.planner.delta.PortReallocation;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.search.InfeasibleBudget;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lightpath delta reallocate}. */
@Command(
        name = "reallocate",
        description = "Gives the ports one job can spare to a second job on the same pods.",
        mixinStandardHelpOptions = true)
final class ReallocateCommand implements Callable<Integer> {
    @Option(names = "--instance", required = true, paramLabel = "F", description = "the job that gives")
    @SuppressWarnings("NullAway.Init")
    private Path file;

    @Option(
            names = "--transposed",
            required = true,
            paramLabel = "F2",
            description = "the job that takes; pods with the same id are the same pod")
    @SuppressWarnings("NullAway.Init")
    private Path transposedFile;

    @Option(names = "--port-tolerance", defaultValue = "1e-9", description = "relative (default ${DEFAULT-VALUE})")
    private double portTolerance = 1e-9;

    @Mixin
    private final SearchOptions search = new SearchOptions();

    @Mixin
    private final OutputOptions output = new OutputOptions();

    @Override
    public Integer call() {
        SearchOptions.requirePortTolerance(portTolerance);
        if (file.equals(transposedFile) && file.toString().equals("-")) {
            throw new BadInput("--instance - --transposed -: allowed: one of them from standard input");
        }
        DeltaInstance model = InstanceFile.read(file);
        DeltaInstance transposed = InstanceFile.read(transposedFile);
        PortReallocation result;
        try {
            result = PortReallocation.between(
                    model,
                    transposed,
                    Algorithm.JOINT,
                    portTolerance,
                    new DeltaPlanner(),
                    search.limits(output::progress));
        } catch (InfeasibleBudget e) {
            throw new Infeasible(String.valueOf(e.getMessage()));
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("model", beforeAndAfter(result.modelBefore(), result.modelAfter()));
        document.put("transposed", beforeAndAfter(result.transposedBefore(), result.transposedAfter()));
        document.put("freedPorts", result.freedPorts());
        return output.print(new Answer(
                document,
                Table.of(
                                List.of("job", "when", "topology", "makespan (s)", "NCT", "ports", "budget", "proved"),
                                List.of(
                                        row("model", "before", result.modelBefore()),
                                        row("model", "after", result.modelAfter()),
                                        row("transposed", "before", result.transposedBefore()),
                                        row("transposed", "after", result.transposedAfter())))
                        .withNotes(List.of("freed ports per pod: " + result.freedPorts()))));
    }

    private static Map<String, Object> beforeAndAfter(DeltaSolution before, DeltaSolution after) {
        Map<String, Object> both = new LinkedHashMap<>();
        both.put("before", Solutions.document("joint", before));
        both.put("after", Solutions.document("joint", after));
        return both;
    }

    private static List<String> row(String job, String when, DeltaSolution solution) {
        return List.of(
                job,
                when,
                solution.topology().circuits().toString(),
                Table.cell(solution.makespanSeconds()),
                Table.cell(Solutions.nct(solution.nct())),
                Table.cell(solution.ports()),
                Table.cell(solution.portBudget()),
                Table.cell(solution.proved()));
    }
}
