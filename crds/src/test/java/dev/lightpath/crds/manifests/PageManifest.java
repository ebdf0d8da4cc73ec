package dev.lightpath.crds.manifests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The manifests that a page of the documentation shows as indented blocks. */
public final class PageManifest {
    private PageManifest() {}

    public static String first(Path page) throws IOException {
        return all(page).getFirst();
    }

    /** The first that has these words. */
    public static String with(Path page, String words) throws IOException {
        return all(page).stream()
                .filter(block -> block.contains(words))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> all(Path page) throws IOException {
        List<String> blocks = new ArrayList<>();
        StringBuilder block = new StringBuilder();
        for (String line : Files.readAllLines(page)) {
            if (line.startsWith("    ")) {
                block.append(line.substring(4)).append('\n');
            } else if (!block.isEmpty()) {
                blocks.add(block.toString());
                block.setLength(0);
            }
        }
        if (!block.isEmpty()) {
            blocks.add(block.toString());
        }
        return blocks;
    }
}
