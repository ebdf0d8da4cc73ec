package dev.lightpath.cli.delta;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.console.text.BadInput;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * One JSON object read strictly: every error names the file, the field's path and what is allowed.
 *
 * @param file for messages
 * @param path of the object in the document, empty for the document itself
 */
record Fields(JsonNode node, String file, String path) {

    /** @throws BadInput unless the node is an object with all required, any optional and no other fields */
    static Fields of(JsonNode node, String file, String path, Set<String> required, Set<String> optional) {
        Fields fields = new Fields(node, file, path);
        if (!node.isObject()) {
            throw fields.wrong("", "an object is wanted, found " + shown(node));
        }
        node.fieldNames().forEachRemaining(name -> {
            if (!required.contains(name) && !optional.contains(name)) {
                Set<String> allowed = new TreeSet<>(required);
                allowed.addAll(optional);
                throw fields.wrong(name, "unknown field, allowed: " + String.join(" ", allowed));
            }
        });
        for (String name : new TreeSet<>(required)) {
            if (!node.has(name)) {
                throw fields.wrong(name, "missing, it is required");
            }
        }
        return fields;
    }

    String text(String name) {
        JsonNode value = node.get(name);
        if (!value.isTextual()) {
            throw wrong(name, "a string is wanted, found " + shown(value));
        }
        return value.textValue();
    }

    boolean flag(String name) {
        JsonNode value = node.get(name);
        if (!value.isBoolean()) {
            throw wrong(name, "true or false is wanted, found " + shown(value));
        }
        return value.booleanValue();
    }

    double number(String name) {
        JsonNode value = node.get(name);
        if (!value.isNumber()) {
            throw wrong(name, "a number is wanted, found " + shown(value));
        }
        return value.doubleValue();
    }

    int integer(String name) {
        return integer(node.get(name), name);
    }

    private int integer(JsonNode value, String name) {
        if (!value.isNumber() || value.doubleValue() != Math.rint(value.doubleValue())) {
            throw wrong(name, "an integer is wanted, found " + shown(value));
        }
        if (!value.canConvertToInt()) {
            throw wrong(name, value.asText() + ", allowed: an integer of at most " + Integer.MAX_VALUE);
        }
        return value.intValue();
    }

    List<Integer> integers(String name) {
        List<Integer> integers = new ArrayList<>();
        int i = 0;
        for (JsonNode element : array(name)) {
            integers.add(integer(element, name + "[" + i++ + "]"));
        }
        return integers;
    }

    JsonNode array(String name) {
        JsonNode value = node.get(name);
        if (!value.isArray()) {
            throw wrong(name, "an array is wanted, found " + shown(value));
        }
        return value;
    }

    /** Builds a value whose constructor checks its fields, with file and path before its message. */
    <T> T build(Supplier<T> constructor) {
        try {
            return constructor.get();
        } catch (IllegalArgumentException e) {
            throw new BadInput(file + ": " + (path.isEmpty() ? "" : path + ".") + e.getMessage(), e);
        }
    }

    BadInput wrong(String name, String problem) {
        String field = name.isEmpty() || path.isEmpty() ? path + name : path + "." + name;
        return new BadInput(file + ": " + (field.isEmpty() ? "" : field + ": ") + problem);
    }

    /** A value as the user wrote it, shortened. */
    static String shown(JsonNode value) {
        String text = value.toString();
        return text.length() > 40 ? text.substring(0, 40) + "..." : text;
    }
}
