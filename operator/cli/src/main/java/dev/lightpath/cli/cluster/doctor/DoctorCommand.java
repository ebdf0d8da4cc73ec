package dev.lightpath.cli.cluster.doctor;

import dev.lightpath.cli.OutputOptions;
import dev.lightpath.cli.Version;
import dev.lightpath.cli.cluster.access.ClusterOptions;
import dev.lightpath.cli.cluster.access.OperatorNamespace;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kubectl lightpath doctor}. */
@Command(
        name = "doctor",
        description = "Checks a cluster before its first job: what is installed, what is missing, what does not fit."
                + " Ends with exit code 1 if something is wrong. It changes nothing.",
        mixinStandardHelpOptions = true)
public final class DoctorCommand implements Callable<Integer> {
    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Mixin
    private OperatorNamespace operatorNamespace = new OperatorNamespace();

    @Option(
            names = "--driver-namespace",
            paramLabel = "NAME",
            defaultValue = "lightpath-drivers",
            description = "where drivers and emulator run (default: ${DEFAULT-VALUE})")
    private String driverNamespace = "lightpath-drivers";

    @Option(names = "--fabric", paramLabel = "NAME", description = "look at this OpticalFabric only")
    @Nullable
    private String fabric;

    @Option(
            names = "--dial",
            description =
                    "also call each driver from here, with the operator's certificate; names of Services resolve in"
                            + " the cluster only")
    private boolean dials;

    @Override
    public Integer call() {
        return cluster.with(api -> {
            DoctorReport report = new Examination(
                            api.client(),
                            operatorNamespace.name(),
                            driverNamespace,
                            Optional.ofNullable(fabric),
                            dials,
                            Version.VERSION,
                            Instant.now())
                    .report();
            output.print(report.answer());
            return report.result() == Level.wrong ? 1 : 0;
        });
    }
}
