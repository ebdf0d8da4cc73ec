package dev.lightpath.images;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.SortedSet;

/**
 * What every image holds below its program: a Java runtime, the C libraries, and the few files of a system.
 *
 * @param runtime folder of the Java runtime
 * @param libraries C libraries of this machine; each keeps its absolute path
 * @param system folder whose content goes to the root of the image
 */
record BaseSystem(Path runtime, SortedSet<Path> libraries, Path system) {

    /** The user that runs in all images. */
    static final int USER = 65532;

    /** Makes the base in a scratch folder; {@code jars} are searched for libraries in C. */
    static BaseSystem prepare(Path scratch, List<Path> jars) throws IOException, InterruptedException {
        Path runtime = scratch.resolve("java");
        JavaRuntime.write(runtime);
        // as in the image: the archives of classes remember it
        Files.setLastModifiedTime(runtime.resolve("lib/modules"), FileTime.from(Archive.MOMENT));
        SortedSet<Path> libraries =
                SharedLibraries.neededBy(List.of(runtime), jars, Files.createDirectory(scratch.resolve("native")));
        Path system = scratch.resolve("system");
        Path etc = Files.createDirectories(system.resolve("etc"));
        Files.writeString(
                etc.resolve("passwd"),
                "root:x:0:0:root:/:/nologin\nlightpath:x:%d:%d:lightpath:/tmp:/nologin\n".formatted(USER, USER));
        Files.writeString(etc.resolve("group"), "root:x:0:\nlightpath:x:%d:\n".formatted(USER));
        Files.writeString(etc.resolve("nsswitch.conf"), "hosts: files dns\n");
        return new BaseSystem(runtime, libraries, system);
    }
}
