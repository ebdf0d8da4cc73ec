package dev.lightpath.images;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * The folder in which images are made. It has the same name on every machine, because the archives of classes hold the
 * paths at which they were made, and the same inputs have to give the same bytes. So one build waits for another.
 */
final class Scratch implements AutoCloseable {
    private static final Path FOLDER = Path.of("/tmp/lightpath-images");
    private static final Path LOCK = Path.of("/tmp/lightpath-images.lock");

    private final FileLock lock;

    private Scratch(FileLock lock) {
        this.lock = lock;
    }

    /** Waits until no other build uses the folder, and makes it anew, empty and for this user alone. */
    static Scratch take() throws IOException {
        FileChannel file = FileChannel.open(LOCK, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            Scratch scratch = new Scratch(file.lock());
            // left by a build that was killed
            if (Files.exists(FOLDER)) {
                ImageBuilder.deleteAll(FOLDER);
            }
            Files.createDirectory(
                    FOLDER, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            return scratch;
        } catch (IOException impossible) {
            file.close();
            throw impossible;
        }
    }

    Path folder() {
        return FOLDER;
    }

    @Override
    public void close() throws IOException {
        ImageBuilder.deleteAll(FOLDER);
        lock.acquiredBy().close();
    }
}
