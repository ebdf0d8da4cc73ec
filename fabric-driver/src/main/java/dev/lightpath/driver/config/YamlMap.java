package dev.lightpath.driver.config;

import dev.lightpath.driver.config.DriverConfig.Address;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** A YAML mapping whose errors say where they are. */
final class YamlMap {
    private final Path file;
    private final String path;
    private final Node at;
    private final Map<String, Node> fields = new LinkedHashMap<>();

    /** The whole of a file. */
    static YamlMap read(Path file, String... allowed) throws ConfigException {
        @Nullable Node root;
        try {
            root = new Yaml(new LoaderOptions()).compose(new StringReader(Files.readString(file)));
        } catch (NoSuchFileException e) {
            throw new ConfigException(file + ": cannot be read: no such file");
        } catch (IOException e) {
            throw new ConfigException(file + ": cannot be read: " + e.getMessage());
        } catch (MarkedYAMLException e) {
            throw new ConfigException(
                    file + ":" + (e.getProblemMark().getLine() + 1) + ": not YAML: " + e.getProblem());
        } catch (YAMLException e) {
            throw new ConfigException(file + ": not YAML: "
                    + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
        }
        if (root == null) {
            throw new ConfigException(file + ": is empty; allowed are the fields " + String.join(", ", allowed));
        }
        return new YamlMap(file, "", root, allowed);
    }

    private YamlMap(Path file, String path, Node node, String... allowed) throws ConfigException {
        this.file = file;
        this.path = path;
        this.at = node;
        if (!(node instanceof MappingNode mapping)) {
            throw error(node, path, "a mapping with " + List.of(allowed));
        }
        for (NodeTuple tuple : mapping.getValue()) {
            String name = tuple.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "?";
            if (!List.of(allowed).contains(name)) {
                throw error(
                        tuple.getKeyNode(), child(name), "no such field; allowed are " + String.join(", ", allowed));
            }
            if (fields.put(name, tuple.getValueNode()) != null) {
                throw error(tuple.getKeyNode(), child(name), "is there twice");
            }
        }
    }

    /** Refuses fields that only other kinds of this mapping have. */
    void allowsOnly(String kind, String... names) throws ConfigException {
        for (String name : fields.keySet()) {
            if (!List.of(names).contains(name)) {
                throw error(
                        at, child(name), "no such field of kind " + kind + "; allowed are " + String.join(", ", names));
            }
        }
    }

    Optional<String> text(String name) throws ConfigException {
        Node node = fields.get(name);
        if (node == null) {
            return Optional.empty();
        }
        if (!(node instanceof ScalarNode scalar) || scalar.getValue().isBlank()) {
            throw error(node, child(name), "allowed is a text that is not empty");
        }
        return Optional.of(scalar.getValue());
    }

    String required(String name, String allowed) throws ConfigException {
        Optional<String> value = text(name);
        if (value.isEmpty()) {
            throw error(at, child(name), "is missing; allowed is " + allowed);
        }
        return value.get();
    }

    List<YamlMap> maps(String name, String... allowed) throws ConfigException {
        List<YamlMap> all = new ArrayList<>();
        for (Node each : sequence(name)) {
            all.add(new YamlMap(file, child(name) + "[" + all.size() + "]", each, allowed));
        }
        return all;
    }

    List<String> texts(String name) throws ConfigException {
        List<String> all = new ArrayList<>();
        for (Node each : sequence(name)) {
            if (!(each instanceof ScalarNode scalar)) {
                throw error(each, child(name) + "[" + all.size() + "]", "allowed is a text");
            }
            all.add(scalar.getValue());
        }
        return all;
    }

    /** Empty when the field is left out, which is not the same as an empty list. */
    Optional<List<String>> textsIfThere(String name) throws ConfigException {
        return fields.containsKey(name) ? Optional.of(texts(name)) : Optional.empty();
    }

    Optional<YamlMap> map(String name, String... allowed) throws ConfigException {
        Node node = fields.get(name);
        return node == null ? Optional.empty() : Optional.of(new YamlMap(file, child(name), node, allowed));
    }

    /** The name of a file or directory; relative to the file that names it. */
    Path path(String name, String allowed) throws ConfigException {
        String text = required(name, allowed);
        Path parent = file.toAbsolutePath().getParent();
        try {
            return parent == null ? Path.of(text) : parent.resolve(text).normalize();
        } catch (InvalidPathException e) {
            throw wrong(name, text, allowed);
        }
    }

    /** A file that can be read. */
    Path readable(String name, String allowed) throws ConfigException {
        Path path = path(name, allowed);
        if (!Files.isReadable(path)) {
            throw wrong(name, required(name, allowed), allowed + " that can be read");
        }
        return path;
    }

    Optional<Path> readableIfThere(String name, String allowed) throws ConfigException {
        return text(name).isEmpty() ? Optional.empty() : Optional.of(readable(name, allowed));
    }

    Path pem(String name) throws ConfigException {
        return readable(name, "a PEM file");
    }

    /** @param otherwise if the field is left out */
    int number(String name, int otherwise, int least, int most) throws ConfigException {
        Optional<String> text = text(name);
        if (text.isEmpty()) {
            return otherwise;
        }
        try {
            int value = Integer.parseInt(text.get());
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException notANumber) {
            // reported below with the allowed range
        }
        throw wrong(name, text.get(), "a number from " + least + " to " + most);
    }

    Optional<String> matching(String name, Pattern form, String allowed) throws ConfigException {
        Optional<String> text = text(name);
        if (text.isPresent() && !form.matcher(text.get()).matches()) {
            throw wrong(name, text.get(), allowed);
        }
        return text;
    }

    /** False if the field is left out. */
    boolean flag(String name) throws ConfigException {
        String text = text(name).orElse("false");
        if (!text.equals("true") && !text.equals("false")) {
            throw wrong(name, text, "true or false");
        }
        return text.equals("true");
    }

    /** Where to listen: {@code host:port}, or a port of all addresses. */
    Address address(String name, String otherwise) throws ConfigException {
        String text = text(name).orElse(otherwise);
        int colon = text.lastIndexOf(':');
        try {
            int port = Integer.parseInt(text.substring(colon + 1));
            if (port >= 0 && port <= 65535) {
                return new Address(colon <= 0 ? "0.0.0.0" : text.substring(0, colon), port);
            }
        } catch (NumberFormatException notANumber) {
            // reported below with the allowed form
        }
        throw wrong(name, text, "host:port with a port from 0 to 65535");
    }

    /** Whom to call: the field {@code endpoint} with host and port. */
    Address endpoint(String allowed) throws ConfigException {
        String text = required("endpoint", allowed);
        Address address = address("endpoint", text);
        if (address.port() == 0 || text.indexOf(':') <= 0) {
            throw wrong("endpoint", text, allowed);
        }
        return address;
    }

    /**
     * Refuses an address that others can reach without encryption, unless {@code insecure} says that this is meant.
     *
     * @param field that is missing otherwise
     */
    void refusesPlaintext(Address address, boolean encrypted, String field, String why) throws ConfigException {
        if (!flag("insecure") && !encrypted && !address.isLoopback()) {
            throw missing(field, why);
        }
    }

    private List<Node> sequence(String name) throws ConfigException {
        Node node = fields.get(name);
        if (node == null) {
            return List.of();
        }
        if (!(node instanceof SequenceNode sequence)) {
            throw error(node, child(name), "allowed is a list");
        }
        return sequence.getValue();
    }

    /** An error about a field that is left out. */
    ConfigException missing(String name, String why) {
        return error(at, child(name), "is missing: " + why);
    }

    /** An error about the value of a field. */
    ConfigException wrong(String name, String value, String allowed) {
        Node node = fields.getOrDefault(name, at);
        return error(node, child(name), "'" + value + "' is not allowed; allowed is " + allowed);
    }

    private String child(String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    private ConfigException error(Node node, String field, String what) {
        return new ConfigException(file + ":" + (node.getStartMark().getLine() + 1) + ": " + field + ": " + what);
    }
}
