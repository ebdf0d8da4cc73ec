package dev.lightpath.console;

import dev.lightpath.planner.words.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/** The files of the page. They hold no data of a cluster: everybody may read them. */
public final class PageFiles {
    /** Of every answer, files and documents alike: nothing runs, loads or frames but the console itself. */
    public static final Map<String, String> HEADERS = Map.of(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
                    + " base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
                    + " require-trusted-types-for 'script'; trusted-types lit-html",
            "X-Content-Type-Options",
            "nosniff",
            "Referrer-Policy",
            "no-referrer",
            "Cross-Origin-Opener-Policy",
            "same-origin",
            "Cross-Origin-Resource-Policy",
            "same-origin");

    private static final Pattern NAME = Pattern.compile("([a-z0-9-]+/)*[a-z0-9-]+\\.(html|css|js|svg)");
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "svg", "image/svg+xml");
    private static final Map<String, PageFile> FILES = new ConcurrentHashMap<>();

    /**
     * @param type for the header {@code Content-Type}
     * @param tag for the header {@code ETag}
     */
    @SuppressWarnings("ArrayRecordComponent") // written as it is, never compared
    public record PageFile(byte[] bytes, String type, String tag) {}

    private PageFiles() {}

    /** @param path below the page's own address; empty for the page itself */
    public static Optional<PageFile> named(String path) {
        String name = path.isEmpty() ? "index.html" : path;
        if (!NAME.matcher(name).matches()) {
            return Optional.empty();
        }
        return Optional.ofNullable(FILES.get(name)).or(() -> {
            Optional<PageFile> read = read(name);
            read.ifPresent(file -> FILES.put(name, file));
            return read;
        });
    }

    private static Optional<PageFile> read(String name) {
        try (InputStream in = PageFiles.class.getResourceAsStream("page/" + name)) {
            if (in == null) {
                return Optional.empty();
            }
            byte[] bytes = in.readAllBytes();
            String type = TYPES.getOrDefault(name.substring(name.lastIndexOf('.') + 1), "application/octet-stream");
            return Optional.of(new PageFile(bytes, type, '"' + digest(bytes) + '"'));
        } catch (IOException e) {
            throw new UncheckedIOException("the page's file " + name + " cannot be read", e);
        }
    }

    private static String digest(byte[] bytes) {
        return HexFormat.of().formatHex(Sha256.begin().digest(bytes), 0, 12);
    }
}
