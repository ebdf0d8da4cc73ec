package dev.lightpath.cli.delta;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.cli.Answer;
import dev.lightpath.cli.BadInput;
import dev.lightpath.cli.Json;
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
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lightpath delta evaluate}. */
@Command(name = "evaluate", description = "Plays one iteration over a topology.", mixinStandardHelpOptions = true)
final class EvaluateCommand implements Callable<Integer> {
    @Option(names = "--instance", required = true, paramLabel = "F", description = "delta-instance/1; - for stdin")
    @SuppressWarnings("NullAway.Init")
    private Path file;

    @ArgGroup(multiplicity = "1")
    @SuppressWarnings("NullAway.Init")
    private Which which;

    @Option(
            names = "--rates",
            description = "${COMPLETION-CANDIDATES} (default: with --solution those it was solved under, else fair)")
    private @Nullable Rates rates;

    /** Where the circuits come from. */
    static final class Which {
        @Option(
                names = "--topology",
                required = true,
                paramLabel = "N,N,...",
                description = "circuits per group in the order of the file, or 'ideal' for unlimited")
        private @Nullable String counts;

        @Option(
                names = "--solution",
                required = true,
                paramLabel = "F",
                description = "what 'delta solve -o json' printed; - for stdin")
        private @Nullable Path solution;
    }

    @Mixin
    private final OutputOptions output = new OutputOptions();

    @Override
    public Integer call() {
        Path solved = which.solution;
        if (solved != null && solved.equals(file) && file.toString().equals("-")) {
            throw new BadInput("--instance - --solution -: allowed: one of them from standard input");
        }
        DeltaInstance instance = InstanceFile.read(file);
        JsonNode solution = solved == null ? null : Json.read(solved);
        Rates under = rates != null ? rates : solution == null ? Rates.FAIR : ratesOf(solution, String.valueOf(solved));
        Optional<Topology> topology = topology(instance, solution);
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

    private Optional<Topology> topology(DeltaInstance instance, @Nullable JsonNode solution) {
        String counts = which.counts;
        if (counts == null) {
            return Optional.of(checked(instance, solved(solution), which.solution + ": topology"));
        }
        if (counts.equals("ideal")) {
            return Optional.empty();
        }
        List<Integer> circuits = new ArrayList<>();
        for (String count : counts.split(",", -1)) {
            try {
                circuits.add(Integer.parseInt(count.strip()));
            } catch (NumberFormatException e) {
                throw new BadInput(
                        "--topology " + counts + ": '" + count + "', allowed: circuits per group or 'ideal'", e);
            }
        }
        return Optional.of(checked(instance, circuits, "--topology " + counts));
    }

    private List<Integer> solved(@Nullable JsonNode solution) {
        JsonNode counts = solution == null ? null : solution.get("topology");
        List<Integer> circuits = new ArrayList<>();
        if (counts == null || !counts.isArray()) {
            throw new BadInput(which.solution + ": topology: missing, allowed: what 'delta solve -o json' printed");
        }
        for (JsonNode count : counts) {
            if (!count.isIntegralNumber() || !count.canConvertToInt()) {
                throw new BadInput(which.solution + ": topology[" + circuits.size() + "]: " + Fields.shown(count)
                        + ", allowed: an integer");
            }
            circuits.add(count.intValue());
        }
        return circuits;
    }

    private static Rates ratesOf(JsonNode solution, String file) {
        String told = solution.path("rates").asText();
        return switch (told) {
            case "fair" -> Rates.FAIR;
            case "joint" -> Rates.JOINT;
            default -> throw new BadInput(file + ": rates: '" + told + "', allowed: fair or joint (or give --rates)");
        };
    }

    private Topology checked(DeltaInstance instance, List<Integer> circuits, String where) {
        if (circuits.size() != instance.groups().size()) {
            throw new BadInput(where + ": " + circuits.size() + " counts, allowed: "
                    + instance.groups().size() + ", one per group of " + file);
        }
        for (int g = 0; g < circuits.size(); g++) {
            if (circuits.get(g) < 1) {
                throw new BadInput(where + ": " + circuits.get(g) + " for group " + g + " (pods "
                        + Solutions.pairs(instance.groups().get(g))
                        + "), which has traffic, allowed: 1 or more circuits");
            }
        }
        return new Topology(circuits);
    }
}
