package dev.lightpath.cli.cluster;

import dev.lightpath.cli.BadInput;
import java.util.List;

/** What kubectl calls TYPE/NAME. */
enum ObjectName {
    JOB(List.of("tj", "trainingjob", "trainingjobs")),
    FABRIC(List.of("fabric", "of", "opticalfabric", "opticalfabrics")),
    SWITCH(List.of("switch", "osw", "opticalswitch", "opticalswitches")),
    NODE(List.of("node", "nodes", "no"));

    private final List<String> words;

    ObjectName(List<String> words) {
        this.words = words;
    }

    /** Whether a word before a slash means this type. */
    boolean means(String word) {
        return words.contains(word.endsWith(".lightpath.dev") ? word.substring(0, word.indexOf('.')) : word);
    }

    /** The name in {@code tj/NAME}; a name alone is taken as one of this type. */
    String parse(String text) {
        int slash = text.indexOf('/');
        String word = slash < 0 ? words.getFirst() : text.substring(0, slash);
        String name = text.substring(slash + 1);
        if (!means(word) || name.isEmpty() || name.indexOf('/') >= 0) {
            throw new BadInput("'" + text + "': allowed is " + words.getFirst() + "/NAME");
        }
        return name;
    }
}
