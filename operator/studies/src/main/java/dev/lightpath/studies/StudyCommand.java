package dev.lightpath.studies;

import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import dev.lightpath.cli.Json;
import dev.lightpath.console.text.BadInput;
import dev.lightpath.console.text.Table;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lightpath study list} and {@code lightpath study NAME}. */
@Command(
        name = "study",
        description = "Recomputes a table or figure of the papers; 'study list' names them.",
        mixinStandardHelpOptions = true)
public final class StudyCommand implements Callable<Integer> {
    enum Format {
        table,
        csv,
        json
    }

    @Parameters(paramLabel = "NAME", arity = "0..1", description = "a study, or 'list'")
    private String name = "";

    @Option(
            names = {"-o", "--output"},
            defaultValue = "table",
            description = "${COMPLETION-CANDIDATES}")
    private Format format = Format.table;

    @Option(names = "--trace", paramLabel = "F", description = "a fault trace in place of the bundled one")
    private @Nullable Path trace;

    @Option(names = "--seed", defaultValue = "1", description = "seed of whatever is drawn (default ${DEFAULT-VALUE})")
    private long seed = 1;

    @Option(names = "--plot", paramLabel = "out.svg", description = "also draw the figure into this file")
    private @Nullable Path plot;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec command;

    @Override
    public Integer call() {
        StudyTable result = name.equals("list") ? list() : run(find());
        PrintWriter out = command.commandLine().getOut();
        out.print(
                switch (format) {
                    case table -> result.title() + "\n\n" + text(result);
                    case csv -> csv(result);
                    case json -> Json.write(document(result)) + "\n";
                });
        out.flush();
        return 0;
    }

    private StudyTable run(Study study) {
        PrintWriter err = command.commandLine().getErr();
        if (plot != null) {
            ChartFile.checked(plot);
        }
        StudyTable result = study.run(new Study.Options(Optional.ofNullable(trace), seed), line -> {
            err.println(line);
            err.flush();
        });
        Path file = plot;
        if (file != null) {
            ChartFile.write(
                    result.chart()
                            .orElseThrow(
                                    () -> new BadInput("--plot: the study " + name + " is a table without a figure")),
                    file);
            err.println("wrote the figure to " + file);
            err.flush();
        }
        return result;
    }

    private StudyTable list() {
        if (plot != null || trace != null) {
            throw new BadInput((plot != null ? "--plot" : "--trace") + ": 'study list' only names the studies; "
                    + "allowed with the name of one");
        }
        return new StudyTable(
                "Studies",
                List.of("name", "question"),
                Stream.concat(
                                Studies.all().stream().map(study -> List.<Object>of(study.name(), study.question())),
                                command.subcommands().values().stream()
                                        .map(live -> List.<Object>of(
                                                live.getCommandName(),
                                                String.join(
                                                        " ",
                                                        live.getCommandSpec()
                                                                .usageMessage()
                                                                .description()))))
                        .toList(),
                List.of(),
                Optional.empty());
    }

    private Study find() {
        return Studies.all().stream()
                .filter(study -> study.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new BadInput("no study '" + name + "'; there are: list live "
                        + Studies.all().stream().map(Study::name).collect(Collectors.joining(" "))));
    }

    private static String text(StudyTable result) {
        return new Table(
                        result.columns(),
                        result.rows().stream()
                                .map(row -> row.stream().map(Table::cell).toList())
                                .toList(),
                        result.notes())
                .render();
    }

    private static String csv(StudyTable result) {
        CsvSchema.Builder schema = CsvSchema.builder();
        result.columns().forEach(schema::addColumn);
        try {
            return new CsvMapper().writer(schema.build().withHeader()).writeValueAsString(result.rows());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, Object> document(StudyTable result) {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (List<Object> row : result.rows()) {
            Map<String, Object> fields = new LinkedHashMap<>();
            for (int i = 0; i < row.size(); i++) {
                fields.put(result.columns().get(i), row.get(i));
            }
            rows.add(fields);
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("title", result.title());
        document.put("rows", rows);
        document.put("notes", result.notes());
        return document;
    }
}
