package dev.lightpath.app.whole;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * The classes of the packaged operator, loaded, verified and linked once for all processes that tests start (an AOT
 * cache): more than half of the processor time of a start. Its images have an archive of their own.
 */
final class SharedClasses {
    private SharedClasses() {}

    /** The archive beside the program. It is made by the first test that asks, also of several processes. */
    static synchronized Path of(Path jar) throws IOException {
        Path target = jar.getParent().resolveSibling("operator.aot");
        try (FileChannel channel = FileChannel.open(
                        target.resolveSibling("operator.aot.lock"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE);
                FileLock ignored = channel.lock()) {
            if (!Files.exists(target)
                    || Files.getLastModifiedTime(target).compareTo(Files.getLastModifiedTime(jar)) < 0) {
                Path folder = Files.createTempDirectory(target.getParent(), "shared-classes");
                Path archive = folder.resolve("operator.aot");
                Installation.learn(archive, folder);
                Files.move(archive, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            }
        }
        return target;
    }
}
