package dev.lightpath.planner.ocs;

import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.torus.CubeArrangement;
import dev.lightpath.planner.torus.Shape;
import dev.lightpath.planner.torus.Twist;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A torus of which some cubes are lent: between the others it burns whole. What hangs together is walked along its links, both
 * ways; pieces that hang together no more are put where they fit. Its twist is the best one.
 */
final class LentTorus {
    /** Pieces may be put into so many places before the search is given up. */
    private static final int MOST_TRIES = 20_000;

    private final Set<String> lent;
    private final List<Map<String, String>> next;
    private final List<Map<String, String>> before = List.of(new HashMap<>(), new HashMap<>(), new HashMap<>());
    private final CubeArrangement arrangement;
    private final List<int[]> previous = new ArrayList<>();
    private int tries = MOST_TRIES;

    private LentTorus(Set<String> lent, List<Map<String, String>> next, CubeArrangement arrangement) {
        this.lent = lent;
        this.next = next;
        this.arrangement = arrangement;
        for (int axis = 0; axis < 3; axis++) {
            Map<String, String> back = before.get(axis);
            next.get(axis).forEach((from, to) -> back.put(to, from));
            int[] of = new int[arrangement.cubes()];
            for (int part = 0; part < of.length; part++) {
                of[arrangement.next(axis, part)] = part;
            }
            previous.add(of);
        }
    }

    /**
     * The torus of which this light is what is left.
     *
     * @param lent cubes that others have, in the order in which they stand for parts that burn nowhere
     * @return empty where a part is missing that is not lent
     */
    static Optional<CubeTorus> made(OcsWiring wiring, Shape cubes, SwitchedLight light, Set<String> lent) {
        if (lent.isEmpty()) {
            return Optional.empty();
        }
        Twist twist = CubeTorus.bestTwist(cubes);
        LentTorus torus = new LentTorus(lent, CubeTorus.successors(wiring, light), CubeArrangement.box(cubes, twist));
        List<String> burning = wiring.pods().keySet().stream()
                .filter(cube -> !lent.contains(cube) && torus.burns(cube))
                .toList();
        return torus.place(new HashMap<>(), burning, 0).map(placement -> new CubeTorus(cubes, twist, placement));
    }

    private boolean burns(String cube) {
        return next.stream().anyMatch(of -> of.containsKey(cube))
                || before.stream().anyMatch(of -> of.containsKey(cube));
    }

    /** Puts pieces from an index on; one that fits nowhere is none of it. */
    private Optional<List<String>> place(Map<String, Integer> parts, List<String> burning, int index) {
        if (index == burning.size()) {
            return complete(parts);
        }
        String cube = burning.get(index);
        if (parts.containsKey(cube)) {
            return place(parts, burning, index + 1);
        }
        Set<Integer> taken = new HashSet<>(parts.values());
        for (int part = 0; part < arrangement.cubes(); part++) {
            if (!taken.contains(part) && --tries >= 0) {
                Map<String, Integer> more = new HashMap<>(parts);
                if (walk(more, cube, part)) {
                    Optional<List<String>> found = place(more, burning, index + 1);
                    if (found.isPresent()) {
                        return found;
                    }
                }
            }
        }
        return tries < 0 ? Optional.empty() : place(parts, burning, index + 1);
    }

    /** Gives parts to all cubes that hang together with one; false where light leads elsewhere than it should. */
    private boolean walk(Map<String, Integer> parts, String first, int at) {
        Map<Integer, String> cubes = new HashMap<>();
        parts.forEach((cube, part) -> cubes.put(part, cube));
        Deque<String> reached = new ArrayDeque<>();
        if (!join(parts, cubes, reached, first, at)) {
            return false;
        }
        while (!reached.isEmpty()) {
            String cube = reached.remove();
            int part = Objects.requireNonNull(parts.get(cube));
            for (int axis = 0; axis < 3; axis++) {
                if (!join(parts, cubes, reached, next.get(axis).get(cube), arrangement.next(axis, part))
                        || !join(parts, cubes, reached, before.get(axis).get(cube), previous.get(axis)[part])) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean join(
            Map<String, Integer> parts,
            Map<Integer, String> cubes,
            Deque<String> reached,
            @Nullable String cube,
            int part) {
        if (cube == null) {
            return true;
        }
        Integer known = parts.get(cube);
        if (known != null || cubes.containsKey(part)) {
            return known != null && known == part;
        }
        parts.put(cube, part);
        cubes.put(part, cube);
        reached.add(cube);
        return true;
    }

    /** The cube of each part, if what burns nowhere is lent and everything between other cubes burns, which is not nothing. */
    private Optional<List<String>> complete(Map<String, Integer> parts) {
        if (parts.isEmpty()) {
            return Optional.empty();
        }
        Map<Integer, String> cubes = new HashMap<>();
        parts.forEach((cube, part) -> cubes.put(part, cube));
        Deque<String> left = new ArrayDeque<>(lent);
        left.removeAll(parts.keySet());
        for (int part = 0; part < arrangement.cubes(); part++) {
            if (!cubes.containsKey(part)) {
                if (left.isEmpty()) {
                    return Optional.empty();
                }
                cubes.put(part, left.remove());
            }
        }
        List<String> placement = new ArrayList<>();
        for (int part = 0; part < arrangement.cubes(); part++) {
            String cube = Objects.requireNonNull(cubes.get(part));
            placement.add(cube);
            for (int axis = 0; axis < 3; axis++) {
                String to = Objects.requireNonNull(cubes.get(arrangement.next(axis, part)));
                if (!lent.contains(cube)
                        && !lent.contains(to)
                        && !to.equals(next.get(axis).get(cube))) {
                    return Optional.empty();
                }
            }
        }
        return Optional.of(placement);
    }
}
