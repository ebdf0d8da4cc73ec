package dev.lightpath.cli.delta;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.cli.Json;
import dev.lightpath.console.text.BadInput;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.model.Topology;
import dev.lightpath.planner.delta.simulation.Rates;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** An instance, a topology for it, and the rates under which it is looked at. */
final class TopologyOptions {
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

    /** @param topology empty for unlimited circuits */
    record Question(DeltaInstance instance, Optional<Topology> topology, Rates rates) {}

    /** @throws BadInput naming file or option, field and what is allowed */
    Question read() {
        Path solved = which.solution;
        if (solved != null && solved.equals(file) && file.toString().equals("-")) {
            throw new BadInput("--instance - --solution -: allowed: one of them from standard input");
        }
        DeltaInstance instance = InstanceFile.read(file);
        JsonNode solution = solved == null ? null : Json.read(solved);
        Rates under = rates != null ? rates : solution == null ? Rates.FAIR : ratesOf(solution, String.valueOf(solved));
        return new Question(instance, topology(instance, solution), under);
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
