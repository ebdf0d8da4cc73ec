package dev.lightpath.cli.cluster.backup;

import dev.lightpath.cli.OutputOptions;
import dev.lightpath.cli.cluster.access.ClusterOptions;
import dev.lightpath.cli.cluster.access.OperatorNamespace;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kubectl lightpath restore FILE}: writes what {@code export} saved into a cluster that lacks it. */
@Command(
        name = "restore",
        description = {
            "Writes what 'export' saved into a cluster that lacks it: fabrics, switches, jobs, and slices with their"
                    + " records, so that the operator takes the light that is there for theirs.",
            "What is there stays as it is. No light moves. No operator may lead meanwhile."
        },
        mixinStandardHelpOptions = true)
public final class RestoreCommand implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", description = "as 'export' printed it; - for standard input")
    @SuppressWarnings("NullAway.Init")
    private Path file;

    @Option(names = "--dry-run", description = "say what would be written, and write nothing")
    private boolean dryRun;

    @Mixin
    private OperatorNamespace operatorNamespace = new OperatorNamespace();

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Override
    public Integer call() {
        BackupFile backup = BackupFile.read(file, ClusterOptions.serialization());
        return cluster.with(api -> {
            Preconditions.check(api, backup, operatorNamespace.name(), Instant.now());
            return output.print(new Restoration(api, backup, operatorNamespace.name(), dryRun)
                    .run()
                    .answer());
        });
    }
}
