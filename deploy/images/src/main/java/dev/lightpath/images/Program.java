package dev.lightpath.images;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** A program that gets an image of its own. */
enum Program {
    OPERATOR(
            "Kubernetes operator for optical fabrics",
            new TreeMap<>(Map.of(
                    "operator/app/target/quarkus-app/quarkus-run.jar", "quarkus-run.jar",
                    "operator/app/target/quarkus-app/quarkus", "quarkus",
                    "operator/app/target/quarkus-app/app", "app",
                    "operator/worker/target/lightpath-worker.jar", "lightpath-worker.jar",
                    "deploy/images/operator.jvm", "operator.jvm")),
            List.of("@/opt/lightpath/operator.jvm", "-Dlightpath.search.marks=/tmp/searches"),
            "quarkus-run.jar",
            List.of(),
            List.of(8080, 8443)),
    DRIVER(
            "Driver server for optical switches and transceivers",
            new TreeMap<>(Map.of("fabric-driver/target/lightpath-fabric-driver.jar", "lightpath-fabric-driver.jar")),
            waitsForDevices(),
            "lightpath-fabric-driver.jar",
            List.of("--config", "/etc/lightpath/driver.yaml"),
            List.of(9440, 9441)),
    EMULATOR(
            "Emulator of optical switches and transceivers",
            new TreeMap<>(Map.of("sim-hardware/target/lightpath-sim-hardware.jar", "lightpath-sim-hardware.jar")),
            waitsForDevices(),
            "lightpath-sim-hardware.jar",
            List.of("--scenario", "/etc/lightpath/scenario.yaml"),
            List.of(9450, 9451)),
    CLI(
            "Command line of Lightpath",
            new TreeMap<>(Map.of("operator/soak/target/lightpath-soak.jar", "lightpath.jar")),
            List.of(
                    "-Xss16m",
                    "-XX:+UseSerialGC",
                    "--enable-native-access=ALL-UNNAMED",
                    "--sun-misc-unsafe-memory-access=allow"),
            "lightpath.jar",
            List.of(),
            List.of());

    /** Where the libraries of the operator lie. They change seldom, so they have a layer of their own. */
    static final String OPERATOR_LIBRARIES = "operator/app/target/quarkus-app/lib";

    private static final String TARGET = "/target/";
    private static final String HOME = "/opt/lightpath/";

    private final String description;
    private final SortedMap<String, String> files;
    private final List<String> jvmOptions;
    private final String jar;
    private final List<String> defaultArguments;
    private final List<Integer> ports;

    Program(
            String description,
            SortedMap<String, String> files,
            List<String> jvmOptions,
            String jar,
            List<String> defaultArguments,
            List<Integer> ports) {
        this.description = description;
        this.files = files;
        this.jvmOptions = jvmOptions;
        this.jar = jar;
        this.defaultArguments = defaultArguments;
        this.ports = ports;
    }

    /** The image's name without its tag. */
    String imageName() {
        return "lightpath-" + name().toLowerCase(Locale.ROOT);
    }

    String description() {
        return description;
    }

    /** Files and folders of the checkout, each with its place in the image. */
    SortedMap<String, String> files() {
        var placed = new TreeMap<String, String>();
        files.forEach((source, place) -> placed.put(source, HOME + place));
        return placed;
    }

    /** Libraries of the checkout that get a layer of their own, each with its place in the image. */
    SortedMap<String, String> libraries() {
        return this == OPERATOR ? new TreeMap<>(Map.of(OPERATOR_LIBRARIES, HOME + "lib")) : new TreeMap<>();
    }

    /** Where its jar lies in the image. */
    String jar() {
        return HOME + jar;
    }

    /** Where the archive of its classes lies in the image. */
    String sharedClasses() {
        return HOME + SharedClasses.NAME;
    }

    List<String> jvmOptions() {
        return jvmOptions;
    }

    /**
     * Lists of what the image consists of, each made beside a jar in it, with the name that it gets beside the image.
     */
    SortedMap<String, String> sboms() {
        var lists = new TreeMap<String, String>();
        for (String file : files.keySet()) {
            if (file.contains(TARGET)) {
                String module = file.substring(0, file.indexOf(TARGET));
                // a jar with its libraries in it, beside the program itself
                String beside = this == OPERATOR && file.endsWith("lightpath-worker.jar") ? "-worker" : "";
                lists.put(module + TARGET + "bom.json", imageName() + beside + ".cdx.json");
            }
        }
        return lists;
    }

    List<String> entrypoint() {
        var command = new ArrayList<String>();
        command.add(JavaRuntime.HOME + "/bin/java");
        command.addAll(jvmOptions);
        command.add("-XX:SharedArchiveFile=" + sharedClasses());
        command.add("-jar");
        command.add(jar());
        return List.copyOf(command);
    }

    List<String> defaultArguments() {
        return defaultArguments;
    }

    List<Integer> ports() {
        return ports;
    }

    /** Options of a server that waits for devices most of the time: the optimising compiler would not pay. */
    private static List<String> waitsForDevices() {
        return List.of(
                "-XX:TieredStopAtLevel=1",
                "-XX:MaxRAMPercentage=70",
                "-XX:+ExitOnOutOfMemoryError",
                "-XX:-UsePerfData",
                "--enable-native-access=ALL-UNNAMED");
    }
}
