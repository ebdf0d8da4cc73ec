package dev.lightpath.cli.cluster.support;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Takes out what may be secret: the values of environment variables, data of Secrets, and in any text what looks like a
 * password, a token or a private key. It takes out too much rather than too little.
 */
final class Scrubber {
    static final String REMOVED = "<removed>";

    /** Copies of whole objects, and who wrote which field: nobody needs them here. */
    private static final List<String> NOISE = List.of("managedFields", "selfLink");

    private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

    private record Rule(Pattern pattern, String replacement) {}

    /** The end of a name whose value is secret. */
    private static final String NAMED =
            "(?:passw(?:or)?d|passphrase|secret|token|(?:api|access|private|secret)[-_]?key|credentials?)";

    /** A field, an annotation or a key of a ConfigMap whose text is secret whatever it says. */
    private static final Pattern SECRET_FIELD = Pattern.compile("(?i).*" + NAMED);

    /** An option of a command whose value is secret, and the space before that. */
    private static final String OPTION = "(?i)((?<![\\w-])--?[a-z0-9_-]{0,40}" + NAMED + "\\s+)";

    /** Quotes may be escaped, as in a line of JSON that tells of another. */
    private static final String QUOTED = "(\\\\*[\"'])(?!" + REMOVED + ").*?\\2";

    private static final String BARE = "(?!" + REMOVED + ")[^\\s,;&}\\])\"'\\\\]+";

    private static final List<Rule> RULES = List.of(
            new Rule(
                    Pattern.compile(
                            "-----BEGIN [A-Z ]*PRIVATE KEY-----[\\s\\S]*?(-----END [A-Z ]*PRIVATE KEY-----|\\z)"),
                    REMOVED),
            new Rule(
                    Pattern.compile("(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{4,}(\\.[A-Za-z0-9_-]*)?"),
                    REMOVED),
            new Rule(Pattern.compile("(?i)\\b(bearer|basic)(\\s+)[A-Za-z0-9._~+/=-]{6,}"), "$1$2" + REMOVED),
            new Rule(Pattern.compile("(?<=://)[^\\s/@\"']+(?=@)"), REMOVED),
            new Rule(Pattern.compile("(?i)(" + NAMED + "\\\\*[\"']?\\s*[:=]\\s*)" + QUOTED), "$1$2" + REMOVED + "$2"),
            new Rule(Pattern.compile("(?i)(" + NAMED + "\\\\*[\"']?\\s*[:=]\\s*)" + BARE), "$1" + REMOVED),
            new Rule(Pattern.compile(OPTION + QUOTED), "$1$2" + REMOVED + "$2"),
            new Rule(Pattern.compile(OPTION + BARE), "$1" + REMOVED));

    private Scrubber() {}

    /** A text without what looks secret. O(length). */
    static String text(String text) {
        String clean = text;
        for (Rule rule : RULES) {
            clean = rule.pattern().matcher(clean).replaceAll(rule.replacement());
        }
        return clean;
    }

    /** An object of the API server without what may be secret: changed in place. */
    static JsonNode object(ObjectNode object) {
        if (object.path("kind").asText().equals("Secret")) {
            for (String field : List.of("data", "stringData")) {
                if (object.get(field) instanceof ObjectNode data) {
                    data.fieldNames().forEachRemaining(key -> data.put(key, REMOVED));
                }
            }
        }
        clean(object);
        return object;
    }

    private static void clean(ObjectNode object) {
        object.remove(NOISE);
        object.remove(LAST_APPLIED);
        if (object.get("name") instanceof TextNode name && object.get("value") instanceof TextNode value) {
            // of a variable of the environment, or of what is like one
            object.put("value", value.asText().isEmpty() ? "" : REMOVED);
        }
        for (var field : object.properties()) {
            JsonNode value = field.getValue();
            if (value instanceof TextNode text) {
                boolean secret = SECRET_FIELD.matcher(field.getKey()).matches();
                field.setValue(TextNode.valueOf(secret ? REMOVED : text(text.asText())));
            } else {
                descend(value);
            }
        }
    }

    private static void descend(JsonNode value) {
        if (value instanceof ObjectNode object) {
            clean(object);
        } else if (value instanceof ArrayNode array) {
            for (int index = 0; index < array.size(); index++) {
                if (array.get(index) instanceof TextNode text) {
                    array.set(index, TextNode.valueOf(argument(array, index, text.asText())));
                } else {
                    descend(array.get(index));
                }
            }
        }
    }

    /** One of the arguments of a command: the one before may say what it is. */
    private static String argument(ArrayNode arguments, int index, String text) {
        String before = index == 0 ? "" : arguments.get(index - 1).asText();
        return before.startsWith("-") && !text(before + " " + text).equals(before + " " + text(text))
                ? REMOVED
                : text(text);
    }
}
