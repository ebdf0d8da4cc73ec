package dev.lightpath.app.job.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/** Parts of a pod template: objects and lists are made where there are none. */
final class Json {
    private Json() {}

    /** @throws IllegalArgumentException where something else is there; the message says what is allowed */
    static ObjectNode object(ObjectNode parent, String field) {
        @Nullable JsonNode there = parent.get(field);
        if (there == null || there.isNull()) {
            return parent.putObject(field);
        }
        if (there instanceof ObjectNode object) {
            return object;
        }
        throw new IllegalArgumentException(field + " is " + there + ": write an object");
    }

    /** @throws IllegalArgumentException where something else is there; the message says what is allowed */
    static ArrayNode array(ObjectNode parent, String field) {
        @Nullable JsonNode there = parent.get(field);
        if (there == null || there.isNull()) {
            return parent.putArray(field);
        }
        if (there instanceof ArrayNode array) {
            return array;
        }
        throw new IllegalArgumentException(field + " is " + there + ": write a list");
    }

    /** Where a pod's field of this annotation is. */
    static String annotation(String name) {
        return "metadata.annotations['" + name + "']";
    }

    /** Whether a list has an object with this value. */
    static boolean names(JsonNode list, String field, String value) {
        for (JsonNode item : list) {
            if (value.equals(item.path(field).asText())) {
                return true;
            }
        }
        return false;
    }
}
