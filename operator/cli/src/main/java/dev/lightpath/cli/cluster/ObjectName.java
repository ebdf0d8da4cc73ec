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

    /** The name in {@code tj/NAME}; a name alone is taken as one of this type. */
    String parse(String text) {
        int slash = text.indexOf('/');
        String word = slash < 0 ? words.getFirst() : text.substring(0, slash);
        String name = text.substring(slash + 1);
        String type = word.endsWith(".lightpath.dev") ? word.substring(0, word.indexOf('.')) : word;
        if (!words.contains(type) || name.isEmpty() || name.indexOf('/') >= 0) {
            throw new BadInput("'" + text + "': allowed is " + words.getFirst() + "/NAME");
        }
        return name;
    }
}
