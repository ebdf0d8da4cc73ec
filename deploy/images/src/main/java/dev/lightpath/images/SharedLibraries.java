package dev.lightpath.images;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** The C libraries that programs load, found by the dynamic linker of this machine ({@code ldd}). */
final class SharedLibraries {

    private static final Pattern RESOLVED = Pattern.compile("(?:=> )?(/\\S+) \\(0x[0-9a-f]+\\)");
    private static final Pattern MISSING = Pattern.compile("(\\S+) => not found");
    /** Loaded by name at run time, when a host name is looked up. */
    private static final List<String> BY_NAME = List.of("libresolv.so.2", "libnss_files.so.2", "libnss_dns.so.2");

    private SharedLibraries() {}

    /**
     * Libraries of this machine that the executables and libraries of the given folders and jars need, as absolute
     * paths. Libraries of the folders themselves are left out.
     *
     * @throws IOException if one is not installed here; the message names it
     */
    static SortedSet<Path> neededBy(List<Path> folders, List<Path> jars, Path scratch)
            throws IOException, InterruptedException {
        var needed = new TreeSet<Path>();
        for (Path folder : folders) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.filter(SharedLibraries::isElf).sorted().toList()) {
                    add(needed, file, folders);
                }
            }
        }
        for (Path jar : jars) {
            for (Path library : nativeLibraries(jar, scratch)) {
                add(needed, library, List.of(scratch));
            }
        }
        for (Path found : List.copyOf(needed)) {
            for (String name : BY_NAME) {
                Path beside = found.resolveSibling(name);
                if (Files.exists(beside)) {
                    needed.add(beside);
                }
            }
        }
        return needed;
    }

    private static void add(SortedSet<Path> needed, Path file, List<Path> own)
            throws IOException, InterruptedException {
        String printed = Tool.run(List.of("ldd", file.toString()));
        Matcher missing = MISSING.matcher(printed);
        while (missing.find()) {
            if (!contains(own, missing.group(1))) {
                throw new IOException(file + " needs " + missing.group(1) + ", which is not installed here");
            }
        }
        Matcher resolved = RESOLVED.matcher(printed);
        while (resolved.find()) {
            Path library = Path.of(resolved.group(1)).normalize();
            if (own.stream().noneMatch(library::startsWith)) {
                needed.add(library);
            }
        }
    }

    /** The loader of a runtime finds its own libraries by other ways than {@code ldd} does. */
    private static boolean contains(List<Path> folders, String name) throws IOException {
        for (Path folder : folders) {
            try (Stream<Path> files = Files.walk(folder)) {
                if (files.anyMatch(file -> file.endsWith(name))) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Libraries for this machine's kind inside a jar, unpacked. */
    private static List<Path> nativeLibraries(Path jar, Path scratch) throws IOException {
        Path folder = Files.createDirectories(scratch.resolve(jar.getFileName()));
        try (var zip = new ZipFile(jar.toFile())) {
            for (ZipEntry entry :
                    zip.stream().filter(SharedLibraries::isForThisMachine).toList()) {
                Path file = folder.resolve(Path.of(entry.getName()).getFileName());
                try (InputStream content = zip.getInputStream(entry)) {
                    Files.write(file, content.readAllBytes());
                }
            }
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(SharedLibraries::isElf).sorted().toList();
        }
    }

    private static boolean isForThisMachine(ZipEntry entry) {
        String name = entry.getName();
        return name.contains(".so") && !name.contains("aarch") && !name.contains("darwin");
    }

    private static boolean isElf(Path file) {
        if (!Files.isRegularFile(file)) {
            return false;
        }
        try (InputStream content = Files.newInputStream(file)) {
            byte[] head = content.readNBytes(4);
            return head.length == 4 && head[0] == 0x7f && head[1] == 'E' && head[2] == 'L' && head[3] == 'F';
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
