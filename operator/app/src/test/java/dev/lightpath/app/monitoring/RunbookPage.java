package dev.lightpath.app.monitoring;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The commands of a page of {@code docs/runbooks}, as a person copies them. */
final class RunbookPage {
    private static final Path FOLDER = DashboardsTest.ROOT.resolve("docs/runbooks");
    private static final Pattern PART = Pattern.compile("(?m)^## (.*)$");
    private static final Pattern PROMPT = Pattern.compile("(?m)^    \\$ (.*)$");
    /** In a sentence, over lines. */
    private static final Pattern QUOTED = Pattern.compile("`((?:kubectl|curl)\\s[^`]+)`");

    private final String alert;
    private final Map<String, List<String>> commands = new LinkedHashMap<>();

    RunbookPage(String alert) throws IOException {
        this.alert = alert;
        String text = Files.readString(FOLDER.resolve(alert + ".md"));
        String[] parts = PART.split(text);
        Matcher headings = PART.matcher(text);
        for (int part = 1; headings.find(); part++) {
            List<String> found = new ArrayList<>();
            for (Pattern form : List.of(PROMPT, QUOTED)) {
                Matcher command = form.matcher(parts[part]);
                while (command.find()) {
                    found.add(command.group(1).replaceAll("\\s+", " "));
                }
            }
            commands.put(headings.group(1), found);
        }
    }

    String alert() {
        return alert;
    }

    /** What is looked at, in order. */
    List<String> look() {
        return commands.get("Look");
    }

    /** The one command of a part of the page that has this in it. */
    String command(String part, String fragment) {
        List<String> found = commands.get(part).stream()
                .filter(command -> command.contains(fragment))
                .distinct()
                .toList();
        if (found.size() != 1) {
            throw new AssertionError(
                    alert + ", " + part + ": " + found.size() + " commands with '" + fragment + "': " + found);
        }
        return found.getFirst();
    }
}
