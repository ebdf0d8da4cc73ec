package dev.lightpath.reading.node;

import dev.lightpath.crds.fabric.OcsTrx;
import dev.lightpath.planner.ring.RingFabric;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Holds the racks that nodes are labelled with against those that follow from their ring positions. */
public final class TorLabels {
    private record Seat(String node, int tor, String label) {}

    private TorLabels() {}

    /**
     * The first contradiction, empty when every two labelled nodes share a label just where they share a rack. Linear
     * in nodes.
     */
    public static Optional<String> mismatch(
            RingFabric ring, OcsTrx spec, SortedMap<Integer, List<RingNodes.Reading>> seats) {
        @Nullable String label = spec.torLabel();
        if (label == null || label.isBlank()) {
            return Optional.empty();
        }
        SortedMap<Integer, Seat> byTor = new TreeMap<>();
        SortedMap<String, Seat> byLabel = new TreeMap<>();
        for (var entry : seats.headMap(ring.positions()).entrySet()) {
            for (RingNodes.Reading reading : entry.getValue()) {
                Optional<String> said = reading.tor();
                if (said.isEmpty()) {
                    continue;
                }
                Seat seat = new Seat(reading.name(), ring.torOf(entry.getKey()), said.get());
                Seat sameTor = byTor.putIfAbsent(seat.tor(), seat);
                Seat sameLabel = byLabel.putIfAbsent(seat.label(), seat);
                if (sameTor != null && !sameTor.label().equals(seat.label())) {
                    return Optional.of(contradiction(label, sameTor, seat, "share a rack by their positions"));
                }
                if (sameLabel != null && sameLabel.tor() != seat.tor()) {
                    return Optional.of(contradiction(label, sameLabel, seat, "are in two racks by their positions"));
                }
            }
        }
        return Optional.empty();
    }

    private static String contradiction(String label, Seat a, Seat b, String truth) {
        return "label " + label + ": nodes " + a.node() + " (" + a.label() + ") and " + b.node() + " (" + b.label()
                + ") "
                + truth
                + " (rack = position modulo positions/nodesPerTor), which is what placement goes by: correct the"
                + " labels or the positions";
    }
}
