package dev.lightpath.cli.cluster.support;

import dev.lightpath.cli.cluster.access.Connection;
import dev.lightpath.console.text.BadInput;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** The file: texts by their path, each as soon as it is there, and what is missing. */
final class Bundle implements AutoCloseable {
    /**
     * What could not be read.
     *
     * @param what for people
     */
    record Missing(String what, String why) {}

    private final ZipOutputStream zip;
    private final String folder;
    private final List<String> files = new ArrayList<>();
    private final List<Missing> missing = new ArrayList<>();

    /** @param folder in which all of it lies when it is unpacked */
    Bundle(OutputStream file, String folder) {
        this.zip = new ZipOutputStream(file, StandardCharsets.UTF_8);
        this.folder = folder;
    }

    /** @param text without secrets */
    void add(String path, String text) {
        try {
            zip.putNextEntry(new ZipEntry(folder + "/" + path));
            zip.write(text.getBytes(StandardCharsets.UTF_8));
            zip.closeEntry();
            files.add(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Adds what can be read; what cannot be is missing, with the reason. */
    void attempt(String what, String path, Supplier<String> text) {
        String read;
        try {
            read = text.get();
        } catch (KubernetesClientException e) {
            missing.add(new Missing(
                    what, Connection.firstLine(Connection.explain(e, "").getMessage())));
            return;
        } catch (BadInput e) {
            missing.add(new Missing(what, Connection.firstLine(e.getMessage())));
            return;
        } catch (RuntimeException e) {
            // a fault of ours in one part is no reason to have none of the others
            missing.add(new Missing(what, "internal error, please report it: " + Connection.firstLine(e.toString())));
            return;
        }
        add(path, read);
    }

    List<String> files() {
        return List.copyOf(files);
    }

    List<Missing> missing() {
        return List.copyOf(missing);
    }

    @Override
    public void close() throws IOException {
        zip.close();
    }
}
