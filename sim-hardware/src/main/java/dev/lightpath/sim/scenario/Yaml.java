package dev.lightpath.sim.scenario;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** A YAML value that knows its line, so that every complaint names it. */
final class Yaml {
    private static final int MAX_CODE_POINTS = 256 << 20;

    private final String file;
    private final Node node;

    private Yaml(String file, Node node) {
        this.file = file;
        this.node = node;
    }

    /** Parses one document. */
    static Yaml parse(String file, String text) {
        LoaderOptions options = new LoaderOptions();
        options.setCodePointLimit(MAX_CODE_POINTS);
        options.setAllowDuplicateKeys(false);
        try {
            Node root = new org.yaml.snakeyaml.Yaml(new SafeConstructor(options)).compose(new StringReader(text));
            if (root == null) {
                throw new ScenarioException(file + ":1: empty, a mapping is needed");
            }
            return new Yaml(file, root);
        } catch (MarkedYAMLException e) {
            Mark mark = e.getProblemMark();
            int line = mark == null ? 1 : mark.getLine() + 1;
            throw new ScenarioException(file + ":" + line + ": not YAML: " + e.getProblem());
        } catch (YAMLException e) {
            throw new ScenarioException(file + ":1: not YAML: "
                    + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
        }
    }

    /** A complaint about this value. */
    ScenarioException wrong(String what) {
        return new ScenarioException(file + ":" + (node.getStartMark().getLine() + 1) + ": " + what);
    }

    /** The entries of a mapping that may have these keys only. */
    Map<String, Yaml> fields(String what, Set<String> allowed) {
        Map<String, Yaml> fields = entries(what);
        for (Map.Entry<String, Yaml> field : fields.entrySet()) {
            if (!allowed.contains(field.getKey())) {
                throw field.getValue()
                        .wrong("unknown field '" + field.getKey() + "' in " + what + ", allowed are "
                                + String.join(", ", new TreeSet<>(allowed)));
            }
        }
        return fields;
    }

    /** The entries of a mapping with any keys. */
    Map<String, Yaml> entries(String what) {
        if (!(node instanceof MappingNode mapping)) {
            throw wrong(what + " must be a mapping");
        }
        Map<String, Yaml> fields = new LinkedHashMap<>();
        for (NodeTuple tuple : mapping.getValue()) {
            Yaml key = new Yaml(file, tuple.getKeyNode());
            if (fields.put(key.text("a key of " + what), new Yaml(file, tuple.getValueNode())) != null) {
                throw key.wrong("'" + key.text("key") + "' appears twice in " + what);
            }
        }
        return fields;
    }

    /** The elements of a sequence. */
    List<Yaml> list(String what) {
        if (!(node instanceof SequenceNode sequence)) {
            throw wrong(what + " must be a list");
        }
        List<Yaml> elements = new ArrayList<>();
        for (Node element : sequence.getValue()) {
            elements.add(new Yaml(file, element));
        }
        return elements;
    }

    /** Whether this is a mapping. */
    boolean isMapping() {
        return node instanceof MappingNode;
    }

    String text(String what) {
        if (!(node instanceof ScalarNode scalar)) {
            throw wrong(what + " must be a text");
        }
        return scalar.getValue();
    }

    long whole(String what, long min, long max) {
        String text = text(what);
        try {
            long value = Long.parseLong(text);
            if (value >= min && value <= max) {
                return value;
            }
        } catch (NumberFormatException e) {
            // reported below, with the range
        }
        throw wrong(what + " is '" + text + "', a whole number from " + min + " to " + max + " is needed");
    }

    double number(String what, double min, double max) {
        String text = text(what);
        try {
            double value = Double.parseDouble(text);
            if (value >= min && value <= max) {
                return value;
            }
        } catch (NumberFormatException e) {
            // reported below, with the range
        }
        throw wrong(what + " is '" + text + "', a number from " + min + " to " + max + " is needed");
    }

    boolean flag(String what) {
        return switch (text(what)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw wrong(what + " is '" + text(what) + "', true or false is needed");
        };
    }

    String oneOf(String what, Set<String> allowed) {
        String text = text(what);
        if (!allowed.contains(text)) {
            throw wrong(what + " is '" + text + "', allowed are " + String.join(", ", new TreeSet<>(allowed)));
        }
        return text;
    }

    /** A field that must be there. */
    Yaml need(Map<String, Yaml> fields, String name, String what) {
        @Nullable Yaml field = fields.get(name);
        if (field == null) {
            throw wrong(what + " needs '" + name + "'");
        }
        return field;
    }
}
