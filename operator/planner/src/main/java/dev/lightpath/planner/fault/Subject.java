package dev.lightpath.planner.fault;

import java.util.Comparator;
import java.util.Optional;

/** The thing that a fault is about. */
public sealed interface Subject extends Comparable<Subject> {
    Comparator<Subject> ORDER = Comparator.comparing(Subject::kind).thenComparing(Subject::label);

    /** A bounded word for metrics: node, device or port. */
    String kind();

    /** For people: names the thing. */
    String label();

    /** The node or device that this is, or is a part of. */
    String holder();

    /** A port of a device, or the whole device if the port has no name. */
    static Subject of(String device, String port) {
        return port.isEmpty() ? new OfDevice(device) : new OfPort(device, port);
    }

    /** The subject that has this label; empty when none has. */
    static Optional<Subject> labelled(String label) {
        int kind = label.indexOf('/');
        int last = label.lastIndexOf('/');
        if (kind < 1 || kind == label.length() - 1) {
            return Optional.empty();
        }
        String rest = label.substring(kind + 1);
        return switch (label.substring(0, kind)) {
            case "node" -> Optional.of(new OfNode(rest));
            case "device" -> Optional.of(new OfDevice(rest));
            case "port" ->
                last > kind + 1 && last < label.length() - 1
                        ? Optional.of(new OfPort(label.substring(kind + 1, last), label.substring(last + 1)))
                        : Optional.empty();
            default -> Optional.empty();
        };
    }

    @Override
    default int compareTo(Subject other) {
        return ORDER.compare(this, other);
    }

    /** A node, as Kubernetes or a person sees it. */
    record OfNode(String node) implements Subject {
        @Override
        public String kind() {
            return "node";
        }

        @Override
        public String label() {
            return "node/" + node;
        }

        @Override
        public String holder() {
            return node;
        }
    }

    /** A whole optical device. */
    record OfDevice(String device) implements Subject {
        @Override
        public String kind() {
            return "device";
        }

        @Override
        public String label() {
            return "device/" + device;
        }

        @Override
        public String holder() {
            return device;
        }
    }

    /** One port of a device; for a transceiver, one path of a bundle or its common port. */
    record OfPort(String device, String port) implements Subject {
        /** Names that differ in their last digits alone would often have the same sum. */
        @Override
        public int hashCode() {
            return device.hashCode() * 0x9E3779B1 + port.hashCode();
        }

        @Override
        public String kind() {
            return "port";
        }

        @Override
        public String label() {
            return "port/" + device + "/" + port;
        }

        @Override
        public String holder() {
            return device;
        }
    }
}
