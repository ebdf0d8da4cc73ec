package dev.lightpath.driver.ledger;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/** The name of an installation, in a file of its state directory. */
final class InstanceId {
    private InstanceId() {}

    /**
     * The name in the file. If there is none, or a power loss left it empty, a new one that is durable before it is
     * returned.
     */
    static String of(Path directory) throws IOException {
        Path file = directory.resolve("instance-id");
        if (!Files.exists(file) || Files.readString(file).isBlank()) {
            write(directory, file, UUID.randomUUID().toString());
        }
        return Files.readString(file).strip();
    }

    private static void write(Path directory, Path file, String name) throws IOException {
        Path draft = directory.resolve("instance-id.draft");
        try (FileChannel channel = FileChannel.open(
                draft, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer bytes = StandardCharsets.UTF_8.encode(name);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        try (FileChannel folder = FileChannel.open(directory, StandardOpenOption.READ)) {
            folder.force(true);
        }
    }
}
