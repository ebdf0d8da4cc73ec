package dev.lightpath.app.solving;

import java.io.FileWriter;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Marks of the searches that this process runs, in a place where the next process of its pod finds them. A search that
 * exhausts the memory ends the process before it can answer. The next process must not repeat it for ever (ADR 64).
 *
 * <p>There is one file for each running question. It holds the number of processes that will have ended during it if
 * this one does. The mark stays until a search of the question gives an answer. If a mark cannot be written, the search
 * runs without. Thread-safe.
 */
public final class SearchMarks {
    private static final Logger LOG = LoggerFactory.getLogger(SearchMarks.class);

    private final Optional<Path> folder;
    private final Map<String, Integer> ends = new HashMap<>();
    /** Running threads, including abandoned ones. */
    private final Map<String, Integer> open = new HashMap<>();

    private SearchMarks(Optional<Path> folder) {
        this.folder = folder;
        folder.ifPresent(this::read);
    }

    /**
     * The marks in a folder.
     *
     * @param folder of this pod alone, made where it is not there; empty for no marks
     */
    public static SearchMarks in(Optional<Path> folder) {
        return new SearchMarks(folder);
    }

    private void read(Path from) {
        try {
            Files.createDirectories(from);
            try (DirectoryStream<Path> files = Files.newDirectoryStream(from)) {
                for (Path file : files) {
                    ends.put(String.valueOf(file.getFileName()), number(file));
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            told(from, e);
        }
    }

    /** A mark that was cut short by the end of its process is one all the same. */
    private static int number(Path file) {
        try {
            String text = Files.readString(file).strip();
            return text.matches("[1-9][0-9]{0,5}") ? Integer.parseInt(text) : 1;
        } catch (IOException e) {
            told(file, e);
            return 1;
        }
    }

    /** How many processes, one after the other, ended while they searched this. */
    synchronized int ends(String digest) {
        return ends.getOrDefault(digest, 0);
    }

    /** A thread begins to search this. */
    synchronized void begin(String digest) {
        open.merge(digest, 1, Integer::sum);
        folder.ifPresent(to -> write(to, digest));
    }

    /**
     * The thread has ended, and its process has not.
     *
     * @param answered whether by an answer of its own: only that tells that it can be searched
     */
    synchronized void end(String digest, boolean answered) {
        open.computeIfPresent(digest, (of, threads) -> threads > 1 ? threads - 1 : null);
        if (answered) {
            ends.remove(digest);
        }
        folder.ifPresent(to -> write(to, digest));
    }

    private void write(Path to, String digest) {
        int number = ends(digest) + (open.containsKey(digest) ? 1 : 0);
        Path file = to.resolve(digest);
        try {
            if (number == 0) {
                Files.deleteIfExists(file);
                return;
            }
            // of java.io: a channel would be closed under a thread that is interrupted
            try (Writer mark = new FileWriter(file.toFile(), StandardCharsets.UTF_8)) {
                mark.write(Integer.toString(number));
            }
        } catch (IOException e) {
            told(to, e);
        }
    }

    private static void told(Path where, Exception e) {
        LOG.atWarn().addKeyValue("path", where).log("what is searched cannot be marked: " + e);
    }
}
