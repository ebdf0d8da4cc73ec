package dev.lightpath.planner.torus;

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
 * Finds the torus with lent cubes: between the other cubes all its circuits are lit. Connected cubes are walked along
 * their links, both ways. Pieces that are no longer connected are put where they fit.
 */
final class LentTorusSearch {
    /** So many cubes may be walked over before the search is given up. */
    private static final int MOST_STEPS = 500_000;

    private final List<String> lent;
    private final List<Map<String, String>> next;
    private final List<Map<String, String>> before = List.of(new HashMap<>(), new HashMap<>(), new HashMap<>());
    private final CubeArrangement arrangement;
    private final List<int[]> previous = new ArrayList<>();
    private int steps = MOST_STEPS;

    LentTorusSearch(LentTorus left, CubeArrangement arrangement) {
        this.lent = left.lent();
        this.next = left.next();
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
     * The cube of each part.
     *
     * @param burning cubes with lit circuits that no other slice has, in order
     */
    Optional<List<String>> placement(List<String> burning) {
        return place(new HashMap<>(), burning, 0);
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
            if (!taken.contains(part) && steps > 0) {
                Map<String, Integer> more = new HashMap<>(parts);
                boolean fits = walk(more, cube, part);
                steps -= more.size();
                if (fits) {
                    Optional<List<String>> found = place(more, burning, index + 1);
                    if (found.isPresent()) {
                        return found;
                    }
                }
            }
        }
        return steps <= 0 ? Optional.empty() : place(parts, burning, index + 1);
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

    /**
     * The cube of each part, if all parts without a lit circuit are lent, and all links between other cubes, at least
     * one, are lit.
     */
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
