package dev.lightpath.planner.fault;

import java.util.Comparator;

/** What a fault is a fault of. */
public sealed interface Subject extends Comparable<Subject> {
    Comparator<Subject> ORDER = Comparator.comparing(Subject::kind).thenComparing(Subject::label);

    /** A bounded word for metrics: node, device or port. */
    String kind();

    /** For people: names the thing. */
    String label();

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
    }

    /** One port of a device; for a transceiver, one path of a bundle or its common port. */
    record OfPort(String device, String port) implements Subject {
        @Override
        public String kind() {
            return "port";
        }

        @Override
        public String label() {
            return "port/" + device + "/" + port;
        }
    }
}
