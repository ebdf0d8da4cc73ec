package dev.lightpath.crds.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lightpath.crds.ApiGroup;
import dev.lightpath.crds.Formats;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** What a CustomResourceDefinition needs and the generator cannot say. */
final class SchemaEdits {

    private static final Map<String, String> KEYS_OF_LISTS = Map.of(
            "spec.ocs.pods", "name",
            "spec.policy.quota.namespaces", "name",
            "spec.wiring.ports", "ingress",
            "status.conditions", "type",
            "status.slices", "name",
            "status.allocation.groups", "index",
            "status.allocation.circuits", "switch",
            "status.allocation.releasing.circuits", "switch");

    private static final Set<String> SETS = Set.of("spec.reservedPorts", "spec.policy.faults.nodeConditions");

    /** Owned as a whole: one managed field instead of one per circuit keeps a slice below 1 MiB. */
    private static final Set<String> ATOMIC = Set.of("status.allocation", "status.discovery");

    /** A pattern that the API server would quote becomes a rule with words. */
    private static final Map<String, String> WORDS_OF_PATTERNS = Map.ofEntries(
            Map.entry(
                    Formats.LABEL_VALUE,
                    "must be a name that can be the value of a label: letters, digits, '-', '_' and '.', a letter or digit at both ends"),
            Map.entry(Formats.LABEL_KEY, "must be the key of a label, for example lightpath.dev/ring-position"),
            Map.entry(
                    Formats.EXTENDED_RESOURCE, "must be the name of an extended resource, for example nvidia.com/gpu"),
            Map.entry(
                    Formats.OBJECT_NAME,
                    "must be the name of an object: lower-case letters, digits, '-' and '.', a letter or digit at both ends"),
            Map.entry(Formats.CONDITION_TYPE, "must be the type of a condition, for example GpuMemWatch"),
            Map.entry(Formats.API_VERSION, "must be group and version of an API, for example jobset.x-k8s.io/v1alpha2"),
            Map.entry(Formats.KIND, "must be the kind of an API, for example JobSet"),
            Map.entry(
                    Formats.PORT,
                    "must be a port by the device's own name for it, without blanks and '>', for example 17"),
            Map.entry(
                    Formats.URL_PATH,
                    "must begin with a slash and have only letters, digits and -._~ between slashes, for example /light"),
            Map.entry(
                    Formats.HTTP_URL,
                    "must be a URL without user, query and fragment, for example https://prometheus.monitoring.svc:9090"),
            Map.entry(
                    Formats.DEVICE, "must be a device by its driver's name for it, without blanks, for example ocs-3"),
            Map.entry(Formats.DECIMAL, "must be a decimal number as a string, for example \"3.0\""),
            Map.entry(Formats.SCIENTIFIC, "must be a decimal number as a string, for example \"1e-9\" or \"0.001\""));

    private static final ObjectNode CONDITION = Definitions.parse("""
            description: One aspect of the resource that holds or does not.
            type: object
            required: [lastTransitionTime, message, reason, status, type]
            properties:
              lastTransitionTime:
                description: When status changed last, RFC 3339.
                type: string
                format: date-time
              message:
                description: For people; names what is wrong, where, and what to do.
                type: string
                maxLength: 32768
              observedGeneration:
                description: Generation of the spec that the condition is about.
                type: integer
                format: int64
                minimum: 0
              reason:
                description: Why, in one CamelCase word.
                type: string
                minLength: 1
                maxLength: 1024
                pattern: ^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$
              status:
                description: True, False or Unknown.
                type: string
                enum: ["True", "False", Unknown]
              type:
                description: Which aspect, in one CamelCase word.
                type: string
                maxLength: 316
                pattern: ^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$
            """);

    private static final ObjectNode LABEL_SELECTOR =
            Definitions.parse("""
            type: object
            x-kubernetes-map-type: atomic
            properties:
              matchExpressions:
                description: Requirements, all of which must hold.
                type: array
                maxItems: 32
                x-kubernetes-list-type: atomic
                items:
                  type: object
                  required: [key, operator]
                  x-kubernetes-validations:
                    - rule: "self.operator in ['In', 'NotIn'] == (has(self.values) && size(self.values) > 0)"
                      message: In and NotIn need values, Exists and DoesNotExist take none
                  properties:
                    key:
                      description: Key of the label.
                      type: string
                      minLength: 1
                      maxLength: 316
                      x-kubernetes-validations:
                        - rule: "self.matches('LABEL_KEY')"
                          message: must be the key of a label, for example lightpath.dev/ring-position
                    operator:
                      description: In, NotIn, Exists or DoesNotExist.
                      type: string
                      enum: [In, NotIn, Exists, DoesNotExist]
                    values:
                      description: Values for In and NotIn; none for Exists and DoesNotExist.
                      type: array
                      maxItems: 64
                      x-kubernetes-list-type: atomic
                      items:
                        type: string
                        maxLength: 63
                        x-kubernetes-validations:
                          - rule: "self == '' || self.matches('LABEL_VALUE')"
                            message: "must be the value of a label: letters, digits, '-', '_' and '.', a letter or digit at both ends"
              matchLabels:
                description: Labels that must be there with these values.
                type: object
                maxProperties: 32
                x-kubernetes-validations:
                  - rule: "self.all(key, size(key) <= 316 && key.matches('LABEL_KEY'))"
                    message: "each key must be the key of a label, for example lightpath.dev/ring"
                additionalProperties:
                  type: string
                  maxLength: 63
                  x-kubernetes-validations:
                    - rule: "self == '' || self.matches('LABEL_VALUE')"
                      message: "must be the value of a label: letters, digits, '-', '_' and '.', a letter or digit at both ends"
            """.replace("LABEL_KEY", Formats.LABEL_KEY).replace("LABEL_VALUE", Formats.LABEL_VALUE));

    private SchemaEdits() {}

    static void apply(ObjectNode definition, ResourceText text) {
        ObjectNode spec = (ObjectNode) definition.get("spec");
        ((ObjectNode) spec.get("names")).putArray("categories").add(ApiGroup.CATEGORY);
        for (JsonNode version : spec.get("versions")) {
            text.orderColumns((ArrayNode) version.get("additionalPrinterColumns"));
            ObjectNode root = (ObjectNode) version.at("/schema/openAPIV3Schema");
            root.put("description", text.resource());
            ((ObjectNode) root.at("/properties/spec")).put("description", text.spec());
            ((ObjectNode) root.at("/properties/status")).put("description", text.status());
            root.putArray("required").add("spec");
            schema("", root);
        }
    }

    private static void schema(String path, ObjectNode schema) {
        for (String bound : List.of("minimum", "maximum")) {
            if (schema.has(bound)) {
                schema.put(bound, schema.get(bound).asLong());
            }
        }
        if (schema.has("pattern")) {
            String pattern = schema.remove("pattern").asText();
            String message = Objects.requireNonNull(WORDS_OF_PATTERNS.get(pattern), pattern);
            schema.putArray("x-kubernetes-validations")
                    .addObject()
                    .put("message", message)
                    .put("rule", "self.matches('" + pattern + "')");
        }
        if (schema.path("default").isObject()) {
            schema.putObject("default"); // the defaults inside fill it
        }
        if (schema.path("x-kubernetes-preserve-unknown-fields").asBoolean()) {
            schema.put("type", "object");
        }
        if (ATOMIC.contains(path)) {
            schema.put("x-kubernetes-map-type", "atomic");
        }
        if (schema.path("items").isObject()) {
            list(path, schema);
        }
        if (schema.path("properties").has("matchLabels")) {
            schema.setAll(LABEL_SELECTOR.deepCopy());
            return;
        }
        for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
            String name = path.isEmpty() ? property.getKey() : path + "." + property.getKey();
            schema(name, (ObjectNode) property.getValue());
        }
    }

    private static void list(String path, ObjectNode schema) {
        String key = KEYS_OF_LISTS.get(path);
        if (key != null) {
            schema.put("x-kubernetes-list-type", "map");
            schema.putArray("x-kubernetes-list-map-keys").add(key);
        } else {
            schema.put("x-kubernetes-list-type", SETS.contains(path) ? "set" : "atomic");
        }
        if (path.equals("status.conditions")) {
            schema.set("items", CONDITION.deepCopy());
        } else {
            schema(path, (ObjectNode) schema.get("items"));
        }
    }
}
