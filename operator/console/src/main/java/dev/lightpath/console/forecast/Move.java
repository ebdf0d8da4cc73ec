package dev.lightpath.console.forecast;

import dev.lightpath.console.text.Page;
import dev.lightpath.planner.engine.simulation.BundleChange;
import dev.lightpath.planner.ring.BundleState;
import dev.lightpath.planner.words.Counted;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A bundle of a ring that changes its state. @param slice as namespace/name */
public record Move(String node, int position, int bundle, BundleState from, BundleState to, String slice) {
    private static final int MOST_NODES = 40;

    public static Move of(BundleChange change) {
        return new Move(
                change.node(),
                change.position(),
                change.bundle(),
                change.from(),
                change.to(),
                change.slice().toString());
    }

    /** What light changes, one line a node. */
    public static void tell(Page page, List<Move> moves) {
        Map<Integer, List<Move>> byNode = new TreeMap<>();
        moves.forEach(move -> byNode.computeIfAbsent(move.position(), node -> new ArrayList<>())
                .add(move));
        page.line("  light: "
                + (moves.isEmpty()
                        ? "nothing moves"
                        : Counted.of(moves.size(), "bundle changes", "bundles change") + " on "
                                + Counted.of(byNode.size(), "node") + ", all others stay"));
        byNode.values().stream().limit(MOST_NODES).forEach(node -> {
            StringBuilder line = new StringBuilder("    " + node.getFirst().node() + ":");
            node.forEach(move -> line.append(" b")
                    .append(move.bundle())
                    .append(' ')
                    .append(word(move.from()))
                    .append('>')
                    .append(word(move.to())));
            page.line(line.toString());
        });
        if (byNode.size() > MOST_NODES) {
            page.line("    and " + Counted.of(byNode.size() - MOST_NODES, "node") + " more: -o json shows all");
        }
    }

    private static String word(BundleState state) {
        return switch (state) {
            case LOOPBACK -> "loop";
            case PATH_1 -> "path1";
            case PATH_2 -> "path2";
        };
    }
}
