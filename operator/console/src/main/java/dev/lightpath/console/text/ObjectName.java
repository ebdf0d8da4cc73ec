package dev.lightpath.console.text;

import java.util.List;
import java.util.stream.Collectors;

/** What kubectl calls TYPE/NAME. */
public enum ObjectName {
    JOB(List.of("tj", "trainingjob", "trainingjobs")),
    FABRIC(List.of("fabric", "of", "opticalfabric", "opticalfabrics")),
    SWITCH(List.of("switch", "osw", "opticalswitch", "opticalswitches")),
    NODE(List.of("node", "nodes", "no"));

    private final List<String> words;

    ObjectName(List<String> words) {
        this.words = words;
    }

    /** Whether a word before a slash means this type. */
    public boolean means(String word) {
        return words.contains(word.endsWith(".lightpath.dev") ? word.substring(0, word.indexOf('.')) : word);
    }

    /** The name in {@code tj/NAME}; a name alone is taken as one of this type. */
    public String parse(String text) {
        int slash = text.indexOf('/');
        String word = slash < 0 ? words.getFirst() : text.substring(0, slash);
        if (!means(word) || !names(text)) {
            throw refused(text, List.of(this));
        }
        return text.substring(slash + 1);
    }

    /** Which of these types {@code TYPE/NAME} is of; a name alone is of the first. */
    public static ObjectName among(String text, List<ObjectName> types) {
        int slash = text.indexOf('/');
        if (slash < 0) {
            return types.getFirst();
        }
        return types.stream()
                .filter(type -> type.means(text.substring(0, slash)) && type.names(text))
                .findFirst()
                .orElseThrow(() -> refused(text, types));
    }

    private boolean names(String text) {
        String name = text.substring(text.indexOf('/') + 1);
        return !name.isEmpty() && name.indexOf('/') < 0;
    }

    private static BadInput refused(String text, List<ObjectName> types) {
        return new BadInput("'" + text + "': allowed is "
                + types.stream().map(type -> type.words.getFirst() + "/NAME").collect(Collectors.joining(" or ")));
    }
}
