package dev.lightpath.cli.cluster.support;

import dev.lightpath.cli.Answer;
import dev.lightpath.cli.Json;
import dev.lightpath.cli.OutputOptions;
import dev.lightpath.cli.Version;
import dev.lightpath.cli.cluster.access.Cluster;
import dev.lightpath.cli.cluster.access.ClusterOptions;
import dev.lightpath.cli.cluster.access.OperatorNamespace;
import dev.lightpath.cli.cluster.doctor.Examination;
import dev.lightpath.console.text.BadInput;
import dev.lightpath.console.text.Table;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kubectl lightpath support-bundle}. */
@Command(
        name = "support-bundle",
        description =
                "Writes a file for somebody who helps: objects and their statuses, events, logs, metrics, and what"
                        + " doctor says. Secrets are not read, and what looks like one is taken out. It changes nothing.",
        mixinStandardHelpOptions = true)
public final class SupportBundleCommand implements Callable<Integer> {
    private static final DateTimeFormatter SECOND =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    private static final int MOST_HOURS = 24 * 365;

    /** What {@code about.json} says, and {@code -o json}. */
    record About(
            String file,
            String at,
            String version,
            String apiServer,
            List<String> files,
            List<Bundle.Missing> missing) {}

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

    @Option(
            names = "--file",
            paramLabel = "FILE",
            description = "to write; it must not exist (default: lightpath-support-TIME.zip in this folder)")
    @Nullable
    private Path file;

    @Option(
            names = "--hours",
            paramLabel = "N",
            defaultValue = "24",
            description = "how old a line of a log may be, 1 to 8760 (default: ${DEFAULT-VALUE})")
    private int hours = 24;

    @Override
    public Integer call() {
        if (hours < 1 || hours > MOST_HOURS) {
            throw new BadInput("--hours " + hours + ": allowed is 1 to " + MOST_HOURS);
        }
        Instant now = Instant.now();
        String name = "lightpath-support-" + SECOND.format(now);
        Path to = file == null ? Path.of(name + ".zip") : file;
        return cluster.with(api -> {
            About about = write(api, to, name, now);
            Table table = Table.of(
                    List.of("MISSING", "WHY"),
                    about.missing().stream()
                            .map(each -> List.of(each.what(), each.why()))
                            .toList());
            output.progress(about.file() + ": " + about.files().size() + " files, missing: "
                    + about.missing().size() + ". Read it before you give it away.");
            return output.print(new Answer(about, table));
        });
    }

    private About write(Cluster api, Path to, String name, Instant now) {
        String server = api.client().getKubernetesVersion().getGitVersion();
        try (OutputStream out = create(to);
                Bundle bundle = new Bundle(out, name)) {
            bundle.attempt("doctor", "doctor.json", () -> {
                Examination examination = new Examination(
                        api.client(),
                        operatorNamespace.name(),
                        driverNamespace,
                        Optional.empty(),
                        false,
                        Version.VERSION,
                        now);
                return Scrubber.text(Json.write(examination.answer().document()));
            });
            new Installation(
                            api,
                            operatorNamespace.name(),
                            driverNamespace,
                            cluster.chosenNamespace(),
                            Duration.ofHours(hours))
                    .into(bundle);
            About about =
                    new About(to.toString(), now.toString(), Version.VERSION, server, bundle.files(), bundle.missing());
            bundle.add("about.json", Json.write(about));
            return about;
        } catch (IOException e) {
            throw new BadInput("--file " + to + ": cannot be written: " + e.getMessage(), e);
        }
    }

    /** Nobody else may read it. */
    private static OutputStream create(Path file) throws IOException {
        boolean posix = Files.getFileStore(file.toAbsolutePath().getParent()).supportsFileAttributeView("posix");
        FileAttribute<?>[] own = posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
        try {
            return Channels.newOutputStream(
                    FileChannel.open(file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), own));
        } catch (FileAlreadyExistsException e) {
            throw new BadInput("--file " + file + ": is there already; name one that is not", e);
        }
    }
}
