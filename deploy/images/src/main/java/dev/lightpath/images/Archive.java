package dev.lightpath.images;

import com.google.cloud.tools.jib.api.CacheDirectoryCreationException;
import com.google.cloud.tools.jib.api.Containerizer;
import com.google.cloud.tools.jib.api.InvalidImageReferenceException;
import com.google.cloud.tools.jib.api.Jib;
import com.google.cloud.tools.jib.api.JibContainer;
import com.google.cloud.tools.jib.api.JibContainerBuilder;
import com.google.cloud.tools.jib.api.RegistryException;
import com.google.cloud.tools.jib.api.TarImage;
import com.google.cloud.tools.jib.api.buildplan.AbsoluteUnixPath;
import com.google.cloud.tools.jib.api.buildplan.FileEntriesLayer;
import com.google.cloud.tools.jib.api.buildplan.FilePermissions;
import com.google.cloud.tools.jib.api.buildplan.ImageFormat;
import com.google.cloud.tools.jib.api.buildplan.Platform;
import com.google.cloud.tools.jib.api.buildplan.Port;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An image in a file.
 *
 * @param digest digest of the image's manifest, {@code sha256:...}
 */
record Archive(Path file, String digest, long sizeBytes) {

    /** The moment that all files and images bear, so that the same inputs give the same bytes. */
    static final Instant MOMENT = Instant.parse("2026-01-01T00:00:00Z");

    private static final FilePermissions ANYBODY_WRITES = FilePermissions.fromOctalString("777");

    /** Writes {@code lightpath-PROGRAM.tar} into a folder. Nothing is fetched; layers are made below {@code cache}. */
    static Archive write(
            Program program, String tag, Path checkout, BaseSystem base, Path classes, Path folder, Path cache)
            throws IOException, InterruptedException {
        Path file = folder.resolve(program.imageName() + ".tar");
        String name = program.imageName() + ":" + tag;
        try {
            JibContainer built = image(program, tag, checkout, base, classes)
                    .containerize(Containerizer.to(TarImage.at(file).named(name))
                            .setOfflineMode(true)
                            .setToolName("lightpath")
                            .setBaseImageLayersCache(cache)
                            .setApplicationLayersCache(cache));
            return new Archive(file, built.getDigest().toString(), Files.size(file));
        } catch (RegistryException | CacheDirectoryCreationException | ExecutionException failure) {
            throw new IOException("image " + name + ": " + failure.getMessage(), failure);
        } catch (InvalidImageReferenceException bug) {
            throw new IllegalStateException("image name " + name, bug);
        }
    }

    private static JibContainerBuilder image(Program program, String tag, Path checkout, BaseSystem base, Path classes)
            throws IOException {
        JibContainerBuilder image = Jib.fromScratch()
                .setFormat(ImageFormat.OCI)
                .setPlatforms(Set.of(new Platform(architecture(), "linux")))
                .setCreationTime(MOMENT)
                .setUser(BaseSystem.USER + ":" + BaseSystem.USER)
                .setWorkingDirectory(AbsoluteUnixPath.get("/tmp"))
                // a pod's command may name a tool of the runtime
                .setEnvironment(Map.of("PATH", JavaRuntime.HOME + "/bin"))
                .setEntrypoint(program.entrypoint())
                .setProgramArguments(program.defaultArguments())
                .setExposedPorts(program.ports().stream().map(Port::tcp).collect(Collectors.toSet()))
                .setLabels(Map.of(
                        "org.opencontainers.image.title",
                        program.imageName(),
                        "org.opencontainers.image.description",
                        program.description(),
                        "org.opencontainers.image.version",
                        tag,
                        "org.opencontainers.image.licenses",
                        "Apache-2.0"))
                .addFileEntriesLayer(systemLayer(base))
                .addFileEntriesLayer(layer("runtime", Map.of(base.runtime(), JavaRuntime.HOME)));
        if (!program.libraries().isEmpty()) {
            image.addFileEntriesLayer(layer("libraries", placed(checkout, program.libraries())));
        }
        return image.addFileEntriesLayer(layer("program", placed(checkout, program.files())))
                .addFileEntriesLayer(layer("classes", Map.of(classes, program.sharedClasses())));
    }

    private static Map<Path, String> placed(Path checkout, SortedMap<String, String> files) {
        return files.entrySet().stream()
                .collect(Collectors.toMap(entry -> checkout.resolve(entry.getKey()), Map.Entry::getValue));
    }

    private static FileEntriesLayer systemLayer(BaseSystem base) throws IOException {
        FileEntriesLayer.Builder layer = FileEntriesLayer.builder().setName("system");
        addAll(layer, base.system(), "");
        for (Path library : base.libraries()) {
            add(layer, library.toRealPath(), library.toString());
        }
        // a folder of the image's own, for what is run without a volume there
        layer.addEntry(base.system(), AbsoluteUnixPath.get("/tmp"), ANYBODY_WRITES, MOMENT);
        return layer.build();
    }

    private static FileEntriesLayer layer(String name, Map<Path, String> places) throws IOException {
        FileEntriesLayer.Builder layer = FileEntriesLayer.builder().setName(name);
        for (var place : places.entrySet()) {
            addAll(layer, place.getKey(), place.getValue());
        }
        return layer.build();
    }

    private static void addAll(FileEntriesLayer.Builder layer, Path source, String place) throws IOException {
        try (Stream<Path> files = Files.walk(source)) {
            for (Path file : files.sorted().toList()) {
                String below = source.relativize(file).toString();
                String target = below.isEmpty() ? place : place + "/" + below;
                if (!target.isEmpty()) {
                    add(layer, file, target);
                }
            }
        }
    }

    private static void add(FileEntriesLayer.Builder layer, Path source, String target) {
        boolean runs = Files.isDirectory(source) || Files.isExecutable(source);
        layer.addEntry(
                source, AbsoluteUnixPath.get(target), FilePermissions.fromOctalString(runs ? "755" : "644"), MOMENT);
    }

    /** Of this machine, in the words of Go. */
    static String architecture() {
        String name = System.getProperty("os.arch");
        return name.equals("aarch64") ? "arm64" : name;
    }
}
