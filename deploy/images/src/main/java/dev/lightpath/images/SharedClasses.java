package dev.lightpath.images;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Classes of a program as they stand in memory, to be mapped when it starts (class data sharing). Java takes them when
 * the jars have the times, sizes and order that they had here, and else reads the jars.
 */
final class SharedClasses {
    /** The file's name, beside the program. */
    static final String NAME = "classes.jsa";

    /**
     * What is taken beside the JDK's own list. A rule and no list of what one run loaded: two runs never load quite the
     * same, and the same inputs have to give the same bytes. It has nine tenths of what a start of the operator loads.
     */
    private static final Pattern TAKEN = Pattern.compile(
            "(?:dev/lightpath|io/quarkus|io/quarkiverse|io/javaoperatorsdk|io/smallrye/(?:config|common|health)"
                    + "|io/vertx/(?:core|ext/web)|io/netty|io/grpc|io/micrometer|io/prometheus|com/fasterxml/jackson"
                    + "|io/fabric8/kubernetes/client|com/google/protobuf|org/snakeyaml|org/jboss|org/slf4j"
                    + "|org/eclipse/microprofile|jakarta/enterprise)/.+"
                    + "|io/fabric8/kubernetes/api/model/(?:(?:apps|batch|coordination|rbac|admissionregistration)/.+|[^/]+)");

    /** Of the heap in which the archive is made: what stands in it must not depend on the machine. */
    private static final String HEAP = "-Xmx512m";

    private SharedClasses() {}

    /**
     * Makes the archive of a program with the runtime that will use it, in a scratch folder that does not exist yet.
     */
    static Path write(Program program, Path checkout, Path runtime, Path scratch)
            throws IOException, InterruptedException {
        SortedMap<String, String> places = new TreeMap<>(program.files());
        places.putAll(program.libraries());
        for (Map.Entry<String, String> place : places.entrySet()) {
            copy(
                    checkout.resolve(place.getKey()),
                    scratch.resolve(place.getValue().substring(1)));
        }
        Path jar = scratch.resolve(program.jar().substring(1));
        Path list = scratch.resolve("classes");
        Files.write(list, names(runtime, scratch));
        Path archive = scratch.resolve(NAME);
        List<String> command =
                new ArrayList<>(List.of(runtime.resolve("bin/java").toString()));
        for (String option : program.jvmOptions()) {
            command.add(option.startsWith("@/") ? "@" + scratch.resolve(option.substring(2)) : option);
        }
        command.addAll(List.of(
                HEAP,
                "-Xshare:dump",
                "-Xlog:disable",
                "-XX:SharedClassListFile=" + list,
                "-XX:SharedArchiveFile=" + archive,
                "-jar",
                jar.toString()));
        String unused = Tool.run(command);
        return archive;
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path place = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(place);
                } else {
                    Files.createDirectories(place.getParent());
                    Files.copy(file, place, StandardCopyOption.REPLACE_EXISTING);
                    Files.setLastModifiedTime(place, FileTime.from(Archive.MOMENT));
                }
            }
        }
    }

    private static List<String> names(Path runtime, Path folder) throws IOException {
        TreeSet<String> names = new TreeSet<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path jar :
                    files.filter(file -> file.toString().endsWith(".jar")).toList()) {
                try (ZipFile content = new ZipFile(jar.toFile())) {
                    content.stream()
                            .map(ZipEntry::getName)
                            .filter(name -> name.endsWith(".class"))
                            .map(name -> name.substring(0, name.length() - ".class".length()))
                            .filter(name -> TAKEN.matcher(name).matches() && !name.endsWith("-info"))
                            .forEach(names::add);
                }
            }
        }
        List<String> all = new ArrayList<>(Files.readAllLines(runtime.resolve("lib/classlist")));
        all.addAll(names);
        return all;
    }
}
