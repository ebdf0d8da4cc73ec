package dev.lightpath.cli.delta;

import dev.lightpath.cli.Answer;
import dev.lightpath.cli.Infeasible;
import dev.lightpath.cli.OutputOptions;
import dev.lightpath.console.text.BadInput;
import dev.lightpath.planner.delta.Algorithm;
import dev.lightpath.planner.delta.DeltaPlanner;
import dev.lightpath.planner.delta.DeltaSolution;
import dev.lightpath.planner.delta.Goal;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.search.InfeasibleBudget;
import dev.lightpath.planner.delta.search.SearchLimits;
import dev.lightpath.solver.Formulation;
import dev.lightpath.solver.MilpAnswer;
import dev.lightpath.solver.MilpPlanner;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lightpath delta solve}. */
@Command(
        name = "solve",
        description = "Chooses circuits for one iteration, with a bound or a proof.",
        mixinStandardHelpOptions = true)
final class SolveCommand implements Callable<Integer> {
    private static final Map<String, Algorithm> PURE = Map.of(
            "joint", Algorithm.JOINT,
            "topology", Algorithm.TOPOLOGY,
            "fast", Algorithm.FAST,
            "prop", Algorithm.PROP,
            "sqrt", Algorithm.SQRT,
            "iter-halve", Algorithm.ITER_HALVE);
    private static final Map<String, Formulation> MILP = Map.of(
            "milp-joint", Formulation.JOINT,
            "milp-topology", Formulation.TOPOLOGY,
            "milp-fixed-step", Formulation.FIXED_STEP);
    private static final String ALL =
            "joint topology fast prop sqrt iter-halve milp-joint milp-topology milp-fixed-step";

    @Option(names = "--instance", required = true, paramLabel = "F", description = "delta-instance/1; - for stdin")
    @SuppressWarnings("NullAway.Init")
    private Path file;

    @Option(names = "--algorithm", defaultValue = "joint", description = ALL + " (default ${DEFAULT-VALUE})")
    private String algorithm = "joint";

    @Option(names = "--minimize-ports", description = "fewest ports within the tolerance")
    private boolean minimizePorts;

    @Option(names = "--port-tolerance", defaultValue = "1e-9", description = "relative (default ${DEFAULT-VALUE})")
    private double portTolerance = 1e-9;

    @Mixin
    private final SearchOptions search = new SearchOptions();

    @Mixin
    private final OutputOptions output = new OutputOptions();

    @Override
    public Integer call() {
        SearchOptions.requirePortTolerance(portTolerance);
        Algorithm pure = PURE.get(algorithm);
        Formulation milp = MILP.get(algorithm);
        if (pure == null && milp == null) {
            throw new BadInput("--algorithm " + algorithm + ": allowed: " + ALL);
        }
        if (minimizePorts && milp == Formulation.FIXED_STEP) {
            throw new BadInput("--minimize-ports: allowed with every algorithm but milp-fixed-step");
        }
        DeltaInstance instance = InstanceFile.read(file);
        long start = System.nanoTime();
        SearchLimits limits = search.limits(output::progress);
        Map<String, Object> document;
        try {
            document = milp == null
                    ? Solutions.document(algorithm, pure(instance, pure == null ? Algorithm.JOINT : pure, limits))
                    : milp(instance, milp, limits);
        } catch (InfeasibleBudget e) {
            throw new Infeasible(String.valueOf(e.getMessage()));
        }
        document.put("seconds", (System.nanoTime() - start) / 1e9);
        return output.print(new Answer(document, Solutions.table(document)));
    }

    private DeltaSolution pure(DeltaInstance instance, Algorithm pure, SearchLimits limits) {
        return new DeltaPlanner()
                .solve(instance, new Goal(pure, minimizePorts, minimizePorts ? portTolerance : 0), limits);
    }

    /** The solver's last bits differ from run to run, far below its tolerance. */
    private static double significant(double seconds) {
        return Double.isFinite(seconds)
                ? new BigDecimal(seconds).round(new MathContext(9)).doubleValue()
                : seconds;
    }

    /** The MILP's own figures hold within its windows and tolerance, so they come under names of their own. */
    private Map<String, Object> milp(DeltaInstance instance, Formulation formulation, SearchLimits limits) {
        MilpAnswer answer =
                new MilpPlanner().solve(instance, formulation, minimizePorts, portTolerance, search.duration(), limits);
        return switch (answer) {
            case MilpAnswer.Found found -> {
                Map<String, Object> document = Solutions.document(algorithm, found.solution());
                document.put("milpObjectiveSeconds", significant(found.objectiveSeconds()));
                document.put("milpBoundSeconds", significant(found.boundSeconds()));
                document.put("milpClosed", found.closed());
                yield document;
            }
            case MilpAnswer.None none -> {
                output.progress(algorithm + ": " + none.reason() + "; the answer is its hot start");
                Map<String, Object> document = Solutions.document(algorithm, none.hotStart());
                document.put("milpClosed", false);
                document.put("milpFailure", none.reason());
                yield document;
            }
        };
    }
}
