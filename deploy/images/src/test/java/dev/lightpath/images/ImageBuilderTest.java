package dev.lightpath.images;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Images of a checkout that holds the emulator's jar alone, with one class in it. */
class ImageBuilderTest {

    @TempDir
    static Path once;

    @TempDir
    Path folder;

    private static Path checkout;
    private static Path jar;
    private static Path archive;
    private static Run built;

    @BeforeAll
    static void prepare() throws IOException {
        checkout = once.resolve("checkout");
        jar = checkout.resolve("sim-hardware/target/lightpath-sim-hardware.jar");
        Files.createDirectories(jar.getParent());
        var manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, Greeting.class.getName());
        try (var content = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
            String name = Greeting.class.getName().replace('.', '/') + ".class";
            content.putNextEntry(new ZipEntry(name));
            try (InputStream code = Greeting.class.getResourceAsStream("/" + name)) {
                code.transferTo(content);
            }
        }
        Files.writeString(jar.resolveSibling("bom.json"), "{}");
        // an image takes ten seconds
        Path output = once.resolve("built");
        built = build("--output", output.toString(), "--tag", "1.2.3", "emulator");
        assertThat(built.code()).as(built.text()).isZero();
        archive = output.resolve("lightpath-emulator.tar");
    }

    @Test
    void givesTheSameBytesTwiceAndHoldsAJavaRuntimeAndNoShell() throws IOException {
        Files.setLastModifiedTime(jar, FileTime.from(Instant.EPOCH));
        Run again = build("--output", folder.toString(), "--tag", "1.2.3", "emulator");

        assertThat(built.text()).startsWith("lightpath-emulator:1.2.3 sha256:");
        assertThat(digest(again)).isEqualTo(digest(built));
        assertThat(folder.resolve("lightpath-emulator.tar")).hasSameBinaryContentAs(archive);
        assertThat(folder.resolve("lightpath-emulator.cdx.json")).hasContent("{}");
        List<String> files = filesOf(archive);
        assertThat(files)
                .contains("opt/java/bin/java*", "opt/lightpath/lightpath-sim-hardware.jar", "etc/passwd")
                .anyMatch(file -> file.matches(".*/libc\\.so\\.6\\*?"))
                .anyMatch(file -> file.matches("lib64?/ld-linux.*\\*"))
                .noneMatch(file -> file.matches(".*/(sh|bash|busybox|dash)\\*?"));
    }

    /** deploy/kubernetes/operator has keytool make a certificate before the operator starts. */
    @Test
    void findsTheToolsOfTheRuntimeByTheirNames() throws IOException {
        assertThat(Files.readString(archive, StandardCharsets.ISO_8859_1)).contains("\"Env\":[\"PATH=/opt/java/bin\"]");
        assertThat(filesOf(archive)).contains("opt/java/bin/keytool*");
    }

    /** As in a container: the files have the times of the image, and other paths than those at which it was made. */
    @Test
    void startsWithClassesThatAreReadyToBeMapped() throws IOException, InterruptedException {
        Path root = folder.resolve("root");
        unpack(archive, root);
        String said = Tool.run(List.of(
                root.resolve("opt/java/bin/java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xshare:on",
                "-Xlog:class+load",
                "-XX:SharedArchiveFile=" + root.resolve("opt/lightpath/" + SharedClasses.NAME),
                "-jar",
                root.resolve("opt/lightpath/lightpath-sim-hardware.jar").toString()));
        assertThat(said)
                .contains("good morning")
                .containsPattern("Greeting source: shared objects file")
                .containsPattern("java.lang.Object source: shared objects file");
    }

    /** A program of an image. */
    static final class Greeting {
        private Greeting() {}

        public static void main(String[] arguments) {
            System.out.println("good morning");
        }
    }

    @Test
    void namesTheJarThatIsNotBuilt() {
        Run run = build("--output", folder.toString(), "driver");
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.text())
                .isEqualTo("build: fabric-driver/target/lightpath-fabric-driver.jar is not there;"
                        + " run './mvnw package -DskipTests -Psbom' first\n");
    }

    @Test
    void makesNoImageWithoutTheListOfItsContents() throws IOException {
        Path contents = jar.resolveSibling("bom.json");
        Files.delete(contents);
        Run run = build("--output", folder.toString(), "emulator");
        Files.writeString(contents, "{}");
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.text())
                .isEqualTo("build: sim-hardware/target/bom.json is not there;"
                        + " run './mvnw package -DskipTests -Psbom' first\n");
    }

    @Test
    void refusesATagThatNoRegistryTakes() {
        Run run = build("--tag", "a b", "emulator");
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.text()).startsWith("build: --tag a b: allowed are");
        assertThat(build("cable").text()).contains("cable").hasLineCount(1);
    }

    private record Run(int code, String text) {}

    private static Run build(String... arguments) {
        var printed = new StringWriter();
        var all = new ArrayList<>(List.of("--checkout", checkout.toString()));
        all.addAll(List.of(arguments));
        int code = ImageBuilder.commandLine()
                .setOut(new PrintWriter(printed, true))
                .setErr(new PrintWriter(printed, true))
                .execute(all.toArray(String[]::new));
        return new Run(code, printed.toString());
    }

    private static String digest(Run run) {
        return run.text().split(" ", 3)[1];
    }

    /** Names of the files in all layers; those that run end with '*'. */
    private static List<String> filesOf(Path archive) throws IOException {
        var names = new ArrayList<String>();
        try (var image = new TarArchiveInputStream(Files.newInputStream(archive))) {
            for (TarArchiveEntry blob = image.getNextEntry(); blob != null; blob = image.getNextEntry()) {
                byte[] content = image.readAllBytes();
                if (isZipped(content)) {
                    addNames(names, content);
                }
            }
        }
        return names;
    }

    private static void unpack(Path archive, Path root) throws IOException {
        try (var image = new TarArchiveInputStream(Files.newInputStream(archive))) {
            for (TarArchiveEntry blob = image.getNextEntry(); blob != null; blob = image.getNextEntry()) {
                byte[] content = image.readAllBytes();
                if (isZipped(content)) {
                    try (var layer = new TarArchiveInputStream(
                            new GzipCompressorInputStream(new ByteArrayInputStream(content), true))) {
                        place(layer, root);
                    }
                }
            }
        }
    }

    private static void place(TarArchiveInputStream layer, Path root) throws IOException {
        for (TarArchiveEntry entry = layer.getNextEntry(); entry != null; entry = layer.getNextEntry()) {
            Path file = root.resolve(entry.getName());
            if (entry.isDirectory()) {
                Files.createDirectories(file);
            } else {
                Files.createDirectories(file.getParent());
                Files.copy(layer, file);
                Files.setLastModifiedTime(file, entry.getLastModifiedTime());
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
        }
    }

    private static boolean isZipped(byte[] content) {
        return content.length > 2 && content[0] == 0x1f && (content[1] & 0xff) == 0x8b;
    }

    private static void addNames(List<String> names, byte[] layer) throws IOException {
        try (var files =
                new TarArchiveInputStream(new GzipCompressorInputStream(new ByteArrayInputStream(layer), true))) {
            for (TarArchiveEntry file = files.getNextEntry(); file != null; file = files.getNextEntry()) {
                if (!file.isDirectory()) {
                    names.add(file.getName() + ((file.getMode() & 0111) != 0 ? "*" : ""));
                }
            }
        }
    }

    @Test
    void everyProgramInAnImageIsListed() {
        assertThat(Program.OPERATOR.sboms())
                .isEqualTo(Map.of(
                        "operator/app/target/bom.json", "lightpath-operator.cdx.json",
                        "operator/worker/target/bom.json", "lightpath-operator-worker.cdx.json"));
        assertThat(Program.DRIVER.sboms())
                .isEqualTo(Map.of("fabric-driver/target/bom.json", "lightpath-driver.cdx.json"));
        assertThat(Program.CLI.sboms()).isEqualTo(Map.of("operator/soak/target/bom.json", "lightpath-cli.cdx.json"));
    }
}
