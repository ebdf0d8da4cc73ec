package dev.lightpath.planner.torus;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The rest of a torus with lent cubes: all inputs that decide which torus it was, compared by value.
 *
 * @param cubes sizes in cubes
 * @param next by axis, the cube that the circuits of each cube lead to
 * @param order the cubes of the fabric
 * @param lent cubes that others have, in the order in which they take the place of parts without a lit circuit
 */
public record LentTorus(Shape cubes, List<Map<String, String>> next, List<String> order, List<String> lent) {
    public LentTorus {
        next = next.stream().map(Map::copyOf).toList();
        order = List.copyOf(order);
        lent = List.copyOf(lent);
    }

    /**
     * A torus that was found.
     *
     * @param shifts in cubes, the best ones
     * @param placement the cube of each part, x fastest
     */
    public record Whole(Twist shifts, List<String> placement) {
        public Whole {
            placement = List.copyOf(placement);
        }
    }

    /** The torus that this is the rest of; empty if a part is missing that is not lent, or if all is dark. */
    public Optional<Whole> whole() {
        List<String> burning = order.stream()
                .filter(cube -> !lent.contains(cube) && burns(cube))
                .toList();
        if (burning.isEmpty()) {
            return Optional.empty();
        }
        Twist twist = TorusChoice.bestTwist(cubes);
        return new LentTorusSearch(this, CubeArrangement.box(cubes, twist))
                .placement(burning)
                .map(placement -> new Whole(twist, placement));
    }

    private boolean burns(String cube) {
        return next.stream().anyMatch(of -> of.containsKey(cube) || of.containsValue(cube));
    }

    /** About as many as this and its answer take. */
    public long bytes() {
        long names = 2L * order.size() + lent.size();
        for (Map<String, String> of : next) {
            names += 2L * of.size();
        }
        return 1024 + 64 * names;
    }
}
