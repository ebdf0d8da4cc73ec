package dev.lightpath.crds.schema;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The page of the words that Lightpath writes into the API, made of the constants of this module and their comments.
 */
final class WordsPage {
    /** A comment, and the constant that it is about: of an enumeration, or a text. */
    private static final Pattern CONSTANT = Pattern.compile(
            "/\\*\\*((?:(?!\\*/).)*)\\*/\\s*(?:public static final String )?(\\w+)(?: = |\\()\"([^\"]+)\"",
            Pattern.DOTALL);

    private static final Pattern LINK = Pattern.compile("\\{@(?:link #?|code )([^}]*)}");

    /** @param name of the constant */
    record Word(String name, String word, String meaning) {}

    private WordsPage() {}

    /** The constants of a class in the order of its source. */
    static List<Word> words(Path source) throws IOException {
        List<Word> words = new ArrayList<>();
        CONSTANT.matcher(Files.readString(source))
                .results()
                .forEach(found -> words.add(new Word(found.group(2), found.group(3), plain(found.group(1)))));
        return words;
    }

    private static String plain(String comment) {
        String text = comment.lines()
                .map(line -> line.strip().replaceFirst("^\\* ?", ""))
                .collect(Collectors.joining(" "))
                .strip();
        return LINK.matcher(text).replaceAll("`$1`");
    }

    static String of(Path sources) throws IOException {
        StringBuilder page = new StringBuilder("""
                # Words of the API

                What Lightpath writes into conditions, events, labels and annotations, and what it reads there. This page is
                generated from the constants of the module `crds`. What to do about a reason is in `../operating.md`. Environment
                variables of training processes are in `../frameworks/README.md`.
                """);
        table(page, sources, "Conditions", "ConditionType", "condition");
        table(page, sources, "Conditions of Nodes", "NodeConditionType", "condition");
        table(page, sources, "Reasons of conditions", "Reason", "reason");
        page.append("\nThe meaning begins with the condition that has the reason.\n");
        table(page, sources, "Events", "EventReason", "reason");
        table(page, sources, "Labels", "LightpathLabels", "label");
        table(page, sources, "Annotations", "LightpathAnnotations", "annotation");
        return page.toString();
    }

    private static void table(StringBuilder page, Path sources, String title, String type, String column)
            throws IOException {
        page.append("\n## ").append(title).append("\n\n| ").append(column).append(" | meaning |\n|---|---|\n");
        for (Word word : words(sources.resolve(type + ".java"))) {
            if (type.equals("LightpathLabels") && !word.word().contains("/")) {
                continue; // the value of a label
            }
            page.append("| `")
                    .append(word.word())
                    .append("` | ")
                    .append(word.meaning())
                    .append(" |\n");
        }
    }
}
