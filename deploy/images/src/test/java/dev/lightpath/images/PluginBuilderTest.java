package dev.lightpath.images;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The plug-in of a checkout whose command line is a program that prints its arguments. */
class PluginBuilderTest {

    private static final String NAME = "kubectl-lightpath-1.2.3-linux-" + Archive.architecture() + ".tar.gz";

    public static final class Echo {
        public static void main(String[] arguments) {
            System.out.println("echo " + String.join(" ", arguments));
        }
    }

    @TempDir
    Path folder;

    private Path checkout;

    @BeforeEach
    void prepare() throws IOException {
        checkout = folder.resolve("checkout");
        Path jar = checkout.resolve("operator/soak/target/lightpath-soak.jar");
        Files.createDirectories(jar.getParent());
        Files.writeString(checkout.resolve("LICENSE"), "as you like");
        var manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, Echo.class.getName());
        String file = Echo.class.getName().replace('.', '/') + ".class";
        try (var out = new JarOutputStream(Files.newOutputStream(jar), manifest);
                var compiled = Objects.requireNonNull(
                        PluginBuilderTest.class.getClassLoader().getResourceAsStream(file))) {
            out.putNextEntry(new ZipEntry(file));
            compiled.transferTo(out);
        }
    }

    @Test
    void runsWithoutAJdkThroughALinkAndIsTheSameTwice() throws IOException, InterruptedException {
        Path first = folder.resolve("first");
        Path second = folder.resolve("second");
        Run built = build(
                "--output", first.toString(), "--plugin-version", "1.2.3", "--download", "https://example.org/d/");
        assertThat(built.code()).as(built.text()).isZero();
        assertThat(build("--output", second.toString(), "--plugin-version", "1.2.3")
                        .code())
                .isZero();
        assertThat(second.resolve(NAME)).hasSameBinaryContentAs(first.resolve(NAME));
        assertThat(second.resolve("lightpath.yaml")).doesNotExist();

        Path unpacked = Files.createDirectories(folder.resolve("unpacked"));
        Tool.run(List.of("tar", "-xzf", first.resolve(NAME).toString(), "-C", unpacked.toString()));
        Path link = Files.createSymbolicLink(
                folder.resolve("kubectl-lightpath"), unpacked.resolve("bin/kubectl-lightpath"));
        assertThat(Tool.run(List.of("/usr/bin/env", "-i", "PATH=/usr/bin:/bin", link.toString(), "status", "a b")))
                .isEqualTo("echo status a b\n");

        String digest = built.text().replaceFirst("(?s).*sha256:([0-9a-f]{64}) .*", "$1");
        assertThat(Tool.run(List.of("sha256sum", first.resolve(NAME).toString())))
                .startsWith(digest);
        assertThat(first.resolve("lightpath.yaml"))
                .content()
                .contains("version: v1.2.3", "sha256: " + digest, "uri: https://example.org/d/" + NAME)
                .contains("bin: bin/kubectl-lightpath");
    }

    @Test
    void refusesInOneLine() throws IOException {
        assertThat(build("--plugin-version", "1.2"))
                .isEqualTo(new Run(2, "build: --plugin-version 1.2: allowed is X.Y.Z or X.Y.Z-SUFFIX\n"));
        assertThat(build("--download", "http://a"))
                .isEqualTo(new Run(2, "build: --download http://a: allowed is https://...\n"));
        Files.delete(checkout.resolve("operator/soak/target/lightpath-soak.jar"));
        assertThat(build())
                .isEqualTo(new Run(
                        1,
                        "build: operator/soak/target/lightpath-soak.jar is not there;"
                                + " run './mvnw package -DskipTests' first\n"));
    }

    private record Run(int code, String text) {}

    private Run build(String... arguments) {
        var printed = new StringWriter();
        var all = new ArrayList<>(List.of("--checkout", checkout.toString()));
        all.addAll(List.of(arguments));
        int code = PluginBuilder.commandLine()
                .setOut(new PrintWriter(printed, true))
                .setErr(new PrintWriter(printed, true))
                .execute(all.toArray(String[]::new));
        return new Run(code, printed.toString());
    }
}
