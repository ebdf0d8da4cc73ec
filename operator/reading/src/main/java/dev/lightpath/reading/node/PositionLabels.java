package dev.lightpath.reading.node;

import dev.lightpath.crds.fabric.OcsTrx;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.reading.label.Labels;
import io.fabric8.kubernetes.api.model.Node;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/** What the labels of nodes say of their positions on a ring or line. */
public final class PositionLabels {
    private static final int MOST_DIGITS = 5;
    private static final int LAST = 99_999;

    private PositionLabels() {}

    /** Empty when there is no label, or what it says is no position on any fabric. */
    public static OptionalInt position(Node node, OcsTrx spec) {
        String text = Labels.label(node, spec.positionLabel()).orElse("");
        return isNumber(text) ? OptionalInt.of(Integer.parseInt(text)) : OptionalInt.empty();
    }

    /** Of at most five digits, written in the one way there is: asked of every node whenever one of them changes. */
    private static boolean isNumber(String text) {
        if (text.isEmpty() || text.length() > MOST_DIGITS || text.length() > 1 && text.charAt(0) == '0') {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }

    /** Nodes whose label is no position of this fabric, by name, each with one line for a person. Linear in those. */
    public static SortedMap<String, String> astray(RingFabric ring, OcsTrx spec, RingNodes.Seats seats) {
        int last = spec.positions() == null ? LAST : ring.positions() - 1;
        SortedMap<String, String> labels = new TreeMap<>(seats.astray());
        seats.at()
                .tailMap(ring.positions())
                .forEach((position, readings) ->
                        readings.forEach(reading -> labels.put(reading.name(), Integer.toString(position))));
        labels.replaceAll((node, label) -> "node " + node + ": label " + spec.positionLabel() + " is \"" + label
                + "\", and must be a whole number from 0 to " + last + ", without leading zeros");
        return labels;
    }
}
