package dev.lightpath.cli.cluster.backup;

import dev.lightpath.cli.Json;
import dev.lightpath.cli.cluster.access.ClusterOptions;
import dev.lightpath.cli.cluster.access.OperatorNamespace;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kubectl lightpath export}: everything that a restore needs, the ledger included. */
@Command(
        name = "export",
        description =
                "Fabrics, switches, jobs, slices with the ledger, the epoch and the labels of nodes, as one document"
                        + " (a List, as kubectl takes it).",
        mixinStandardHelpOptions = true)
public final class ExportCommand implements Callable<Integer> {
    /** What {@code --output} may say. */
    public enum Format {
        json,
        yaml
    }

    @Option(
            names = {"-o", "--output"},
            defaultValue = "json",
            description = "${COMPLETION-CANDIDATES}")
    private Format format = Format.json;

    @Mixin
    private OperatorNamespace operatorNamespace = new OperatorNamespace();

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli fills it before the command runs
    private CommandSpec command;

    @Override
    public Integer call() {
        return cluster.with(api -> {
            Backup backup = Backup.of(
                    api.client().getKubernetesSerialization(),
                    api.fabrics(),
                    api.switches(),
                    api.jobs(cluster.chosenNamespace()),
                    api.slices(cluster.chosenNamespace()),
                    api.nodes(),
                    Optional.ofNullable(api.epoch(operatorNamespace.name())));
            PrintWriter out = command.commandLine().getOut();
            out.println(
                    switch (format) {
                        case json -> Json.write(backup.list());
                        case yaml -> backup.yaml().stripTrailing();
                    });
            out.flush();
            return 0;
        });
    }
}
