package dev.lightpath.images;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Builds the command line as one archive with a Java runtime of its own, for machines without a JDK. The same inputs
 * give the same bytes. Prints a line: file, digest, size.
 */
@Command(
        name = "build",
        mixinStandardHelpOptions = true,
        description = "Builds the kubectl plug-in as one archive that needs no JDK, and its manifest for krew.",
        sortOptions = false)
public final class PluginBuilder implements Callable<Integer> {

    private static final String JAR = "operator/soak/target/lightpath-soak.jar";
    private static final Pattern VERSION = Pattern.compile("\\d+\\.\\d+\\.\\d+(-[0-9A-Za-z.-]+)?");

    @Spec
    @Nullable
    CommandSpec spec;

    @Option(names = "--checkout", required = true, hidden = true)
    @Nullable
    Path checkout;

    @Option(
            names = "--output",
            paramLabel = "FOLDER",
            description = "where the files go (default: target/plugin of the checkout)")
    @Nullable
    Path output;

    @Option(names = "--plugin-version", defaultValue = "0.1.0", description = "default: ${DEFAULT-VALUE}")
    String version = "";

    @Option(
            names = "--download",
            paramLabel = "URL",
            description = "the address of the folder in which you publish the archive; without it no manifest for krew"
                    + " is written")
    @Nullable
    String download;

    /** Runs the command line and exits: 0 built, 1 not built, 2 bad input. */
    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return ImageBuilder.refusingInOneLine(new CommandLine(new PluginBuilder()));
    }

    @Override
    public Integer call() throws Exception {
        CommandSpec command = Objects.requireNonNull(spec);
        Path root = Objects.requireNonNull(checkout);
        if (!VERSION.matcher(version).matches()) {
            throw new ParameterException(
                    command.commandLine(), "--plugin-version " + version + ": allowed is X.Y.Z or X.Y.Z-SUFFIX");
        }
        if (download != null && !download.startsWith("https://")) {
            throw new ParameterException(command.commandLine(), "--download " + download + ": allowed is https://...");
        }
        if (!Files.exists(root.resolve(JAR))) {
            throw new IOException(JAR + " is not there; run './mvnw package -DskipTests' first");
        }
        Path folder = Files.createDirectories(output == null ? root.resolve("target/plugin") : output);
        Path archive = folder.resolve("kubectl-lightpath-" + version + "-linux-" + Archive.architecture() + ".tar.gz");
        Path scratch = Files.createTempDirectory("lightpath-plugin");
        try {
            assemble(root, scratch.resolve("lightpath"));
            pack(scratch.resolve("lightpath"), archive);
        } finally {
            ImageBuilder.deleteAll(scratch);
        }
        String digest = sha256(archive);
        if (download != null) {
            Files.writeString(folder.resolve("lightpath.yaml"), krewManifest(archive, digest, download));
        }
        PrintWriter out = command.commandLine().getOut();
        out.printf("%s sha256:%s %d MB%n", archive, digest, Files.size(archive) / 1_000_000);
        out.flush();
        return 0;
    }

    private static void assemble(Path root, Path folder) throws IOException, InterruptedException {
        Path bin = Files.createDirectories(folder.resolve("bin"));
        JavaRuntime.write(folder.resolve("runtime"));
        Files.createDirectories(folder.resolve("lib"));
        Files.copy(root.resolve(JAR), folder.resolve("lib/lightpath.jar"));
        Files.copy(root.resolve("LICENSE"), folder.resolve("LICENSE"));
        Path launcher = Files.writeString(
                bin.resolve("kubectl-lightpath"), """
                #!/bin/sh
                # Starts the command line with the Java runtime of this archive, also through a symbolic link.
                home=$(dirname "$(readlink -f "$0")")/..
                exec "$home/runtime/bin/java" %s ${LIGHTPATH_JAVA_OPTIONS:-} -jar "$home/lib/lightpath.jar" "$@"
                """.formatted(String.join(" ", Program.CLI.jvmOptions())));
        Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static void pack(Path folder, Path archive) throws IOException, InterruptedException {
        Path plain = folder.resolveSibling("lightpath.tar");
        Tool.run(List.of(
                "tar",
                "--create",
                "--file=" + plain,
                "--format=ustar",
                "--sort=name",
                "--mtime=@" + Archive.MOMENT.getEpochSecond(),
                "--owner=0",
                "--group=0",
                "--numeric-owner",
                "--mode=u=rwX,go=rX",
                "--directory=" + folder,
                "bin",
                "lib",
                "runtime",
                "LICENSE"));
        Tool.run(List.of("gzip", "--no-name", plain.toString()));
        Files.move(plain.resolveSibling("lightpath.tar.gz"), archive, StandardCopyOption.REPLACE_EXISTING);
    }

    private String krewManifest(Path archive, String digest, String from) {
        return """
                apiVersion: krew.googlecontainertools.github.com/v1alpha2
                kind: Plugin
                metadata:
                  name: lightpath
                spec:
                  version: v%s
                  shortDescription: Plans and shows the light of an AI training cluster
                  description: |
                    Shows fabrics, switches and jobs of Lightpath and why their circuits are as they are, previews
                    placements and faults, and carries out manual actions. It brings its own Java runtime.
                  platforms:
                    - selector:
                        matchLabels:
                          os: linux
                          arch: %s
                      uri: %s/%s
                      sha256: %s
                      bin: bin/kubectl-lightpath
                """.formatted(
                        version, Archive.architecture(), from.replaceFirst("/+$", ""), archive.getFileName(), digest);
    }

    private static String sha256(Path file) throws IOException {
        try (var content = new DigestInputStream(Files.newInputStream(file), MessageDigest.getInstance("SHA-256"))) {
            content.transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(content.getMessageDigest().digest());
        } catch (NoSuchAlgorithmException everyJavaHasIt) {
            throw new IllegalStateException(everyJavaHasIt);
        }
    }
}
