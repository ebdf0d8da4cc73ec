package dev.lightpath.images;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Builds images from the jars of a built checkout. Prints a line for each: name, digest, size, file. */
@Command(
        name = "build",
        mixinStandardHelpOptions = true,
        description = "Builds container images as archives that 'ctr images import' and 'docker load' take.",
        sortOptions = false)
public final class ImageBuilder implements Callable<Integer> {

    private static final Pattern TAG = Pattern.compile("\\w[\\w.-]{0,127}");

    @Spec
    @Nullable
    CommandSpec spec;

    @Option(names = "--checkout", required = true, hidden = true)
    @Nullable
    Path checkout;

    @Option(
            names = "--output",
            paramLabel = "FOLDER",
            description = "where the archives go (default: target/images of the checkout)")
    @Nullable
    Path output;

    @Option(names = "--tag", defaultValue = "0.1.0", description = "tag of all images (default: ${DEFAULT-VALUE})")
    String tag = "";

    @Parameters(arity = "0..*", paramLabel = "IMAGE", description = "operator, driver, emulator or cli (default: all)")
    List<Program> programs = List.of();

    /** Runs the command line and exits: 0 built, 1 not built, 2 bad input. */
    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return refusingInOneLine(new CommandLine(new ImageBuilder()));
    }

    /** Bad input ends with 2 and one line, a failure with 1 and one line. */
    static CommandLine refusingInOneLine(CommandLine command) {
        return command.setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler((wrong, given) -> {
                    wrong.getCommandLine().getErr().println("build: " + wrong.getMessage());
                    return 2;
                })
                .setExecutionExceptionHandler((failure, line, given) -> {
                    line.getErr().println("build: " + failure.getMessage());
                    return 1;
                });
    }

    @Override
    public Integer call() throws Exception {
        CommandSpec command = Objects.requireNonNull(spec);
        Path root = Objects.requireNonNull(checkout);
        if (!TAG.matcher(tag).matches()) {
            throw new ParameterException(
                    command.commandLine(),
                    "--tag " + tag
                            + ": allowed are letters, digits, '_', '.' and '-', at most 128, not first '.' or '-'");
        }
        var wanted = programs.isEmpty() ? EnumSet.allOf(Program.class) : EnumSet.copyOf(programs);
        for (Program program : wanted) {
            List<String> needed = new ArrayList<>(program.files().keySet());
            needed.addAll(program.libraries().keySet());
            needed.addAll(program.sboms().keySet());
            for (String file : needed) {
                if (!Files.exists(root.resolve(file))) {
                    throw new IOException(file + " is not there; run './mvnw package -DskipTests -Psbom' first");
                }
            }
        }
        Path folder = Files.createDirectories(output == null ? root.resolve("target/images") : output);
        PrintWriter out = command.commandLine().getOut();
        try (Scratch own = Scratch.take()) {
            Path scratch = own.folder();
            var base = BaseSystem.prepare(scratch, nativeJars(root, wanted));
            for (Program program : wanted) {
                Path classes = SharedClasses.write(program, root, base.runtime(), scratch.resolve(program.imageName()));
                Archive archive = Archive.write(program, tag, root, base, classes, folder, scratch.resolve("cache"));
                for (Map.Entry<String, String> list : program.sboms().entrySet()) {
                    Files.copy(
                            root.resolve(list.getKey()),
                            folder.resolve(list.getValue()),
                            StandardCopyOption.REPLACE_EXISTING);
                }
                out.printf(
                        "%s:%s %s %d MB %s%n",
                        program.imageName(), tag, archive.digest(), archive.sizeBytes() / 1_000_000, archive.file());
                out.flush();
            }
        }
        return 0;
    }

    /** Jars with libraries in C: those of the operator, and the programs' own. */
    private static List<Path> nativeJars(Path root, EnumSet<Program> programs) throws IOException {
        var jars = new ArrayList<Path>();
        for (Program program : programs) {
            for (String source : Stream.concat(program.files().keySet().stream(), program.libraries().keySet().stream())
                    .toList()) {
                try (Stream<Path> files = Files.walk(root.resolve(source))) {
                    files.filter(file -> file.toString().endsWith(".jar"))
                            .sorted()
                            .forEach(jars::add);
                }
            }
        }
        return jars;
    }

    static void deleteAll(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
