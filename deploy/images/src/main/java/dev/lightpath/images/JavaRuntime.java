package dev.lightpath.images;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** The Java runtime of all images: made by {@code jlink} from the JDK that runs this program. */
final class JavaRuntime {

    /** Where the runtime lies in an image. */
    static final String HOME = "/opt/java";

    /**
     * What operator, driver, emulator and command line load, by {@code jdeps} and by the classes that they name at run
     * time. One runtime serves all images, so that a node holds its layer once.
     */
    private static final List<String> MODULES = List.of(
            "java.base",
            "java.compiler",
            "java.desktop",
            "java.instrument",
            "java.logging",
            "java.management",
            "java.naming",
            "java.net.http",
            "java.rmi",
            "java.security.jgss",
            "java.security.sasl",
            "java.sql",
            "java.xml",
            "jdk.crypto.ec",
            "jdk.httpserver",
            "jdk.jfr",
            "jdk.management",
            "jdk.net",
            "jdk.unsupported",
            "jdk.zipfs");

    /** Windows and sound. Plots are drawn without them, and they would need a dozen more C libraries. */
    private static final List<String> LEFT_OUT = List.of("libawt_xawt", "libjawt", "libjsound", "libsplashscreen");

    private JavaRuntime() {}

    /** Writes the runtime to a folder that must not exist yet. */
    static void write(Path folder) throws IOException, InterruptedException {
        Path jlink = Path.of(System.getProperty("java.home"), "bin", "jlink");
        Tool.run(List.of(
                jlink.toString(),
                // half the time
                "-J-XX:TieredStopAtLevel=1",
                "-J-XX:+UseSerialGC",
                "--add-modules",
                String.join(",", MODULES),
                "--strip-debug",
                "--no-header-files",
                "--no-man-pages",
                "--compress",
                "zip-6",
                // classes of the JDK ready to be mapped: each start is a fifth of a second shorter
                "--generate-cds-archive",
                "--exclude-files",
                LEFT_OUT.stream()
                        .map(name -> "/java.desktop/lib/" + name + ".so")
                        .collect(Collectors.joining(",")),
                "--output",
                folder.toString()));
    }
}
