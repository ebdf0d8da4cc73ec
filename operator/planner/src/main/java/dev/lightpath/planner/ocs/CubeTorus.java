package dev.lightpath.planner.ocs;

import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.memory.Memo;
import dev.lightpath.planner.torus.CubeArrangement;
import dev.lightpath.planner.torus.LentTorus;
import dev.lightpath.planner.torus.Shape;
import dev.lightpath.planner.torus.Twist;
import dev.lightpath.planner.world.OcsSwitch;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A twisted torus on real cubes.
 *
 * @param cubes sizes in cubes
 * @param shifts in cubes
 * @param placement the cube of each part, x fastest
 */
public record CubeTorus(Shape cubes, Twist shifts, List<String> placement) {
    /** What is left of tori of which cubes are lent, within a megabyte. */
    public static final Memo.Kind<LentTorus, Optional<LentTorus.Whole>> LENT_TORI =
            new Memo.Kind<>("lent tori", (torus, whole) -> torus.bytes(), 1L << 20);

    /** The best twists of shapes. */
    public static final Memo.Kind<Shape, Twist> TWISTS = new Memo.Kind<>("twists", _ -> 256);

    public CubeTorus {
        placement = List.copyOf(placement);
        if (placement.size() != cubes.volume() || new HashSet<>(placement).size() != placement.size()) {
            throw new IllegalArgumentException(
                    "placement " + placement + ": one cube for each of " + cubes.volume() + " parts, each once");
        }
    }

    /** The links on all 48 switches: on each switch of an axis one from every cube to the next along it. */
    public List<Link> links(OcsWiring wiring) {
        Map<Integer, String> switches = switches(wiring);
        CubeArrangement arrangement = CubeArrangement.box(cubes, shifts);
        List<Link> links = new ArrayList<>();
        for (int plane = 0; plane < CubeArrangement.SWITCHES; plane++) {
            String via = switches.get(plane);
            for (int part = 0; via != null && part < placement.size(); part++) {
                links.add(new Link(placement.get(part), placement.get(arrangement.next(plane / 16, part)), via));
            }
        }
        return links;
    }

    /** The same torus with another cube in a part: only links of that part change. */
    public CubeTorus with(int part, String cube) {
        List<String> replaced = new ArrayList<>(placement);
        replaced.set(part, cube);
        return new CubeTorus(cubes, shifts, replaced);
    }

    /** The torus of a record: the placement is written, the twist follows from where light wraps around. */
    public static Optional<CubeTorus> recorded(
            OcsWiring wiring, Shape cubes, List<String> placement, SwitchedLight light) {
        if (placement.size() != cubes.volume()) {
            return Optional.empty();
        }
        return twist(cubes, placement, successors(wiring, light)).map(twist -> new CubeTorus(cubes, twist, placement));
    }

    /**
     * A torus of that shape that lit circuits form: the first one that unfolds from a cube, in the order of the fabric.
     * Each dimension may lack one of the links that close it. If no torus unfolds, the rest of one whose other cubes
     * are lent. O(cubes of the fabric * parts * (x + y + z)) for a whole one.
     *
     * @param lent cubes that others have. They take the place of parts without a lit circuit, in this order; cubes that
     *     are no longer described come last
     * @param left cached results about such remainders
     */
    public static Optional<CubeTorus> made(
            OcsWiring wiring,
            Shape cubes,
            SwitchedLight light,
            SortedSet<String> lent,
            Memo<LentTorus, Optional<LentTorus.Whole>> left) {
        if (light.isEmpty()) {
            return Optional.empty();
        }
        List<Map<String, String>> next = successors(wiring, light);
        return whole(wiring, cubes, next).or(() -> {
            List<String> inOrder = Stream.concat(
                            lent.stream().filter(wiring.pods()::containsKey),
                            lent.stream().filter(cube -> !wiring.pods().containsKey(cube)))
                    .toList();
            LentTorus torus =
                    new LentTorus(cubes, next, List.copyOf(wiring.pods().keySet()), inOrder);
            return lent.isEmpty()
                    ? Optional.empty()
                    : left.of(torus, torus::whole)
                            .map(found -> new CubeTorus(cubes, found.shifts(), found.placement()));
        });
    }

    private static Optional<CubeTorus> whole(OcsWiring wiring, Shape cubes, List<Map<String, String>> next) {
        for (String origin : wiring.pods().keySet()) {
            List<String> placement = unfold(cubes, origin, next);
            if (placement.size() == cubes.volume() && new HashSet<>(placement).size() == placement.size()) {
                Optional<Twist> twist = twist(cubes, placement, next);
                if (twist.isPresent()) {
                    return Optional.of(new CubeTorus(cubes, twist.get(), placement));
                }
            }
        }
        return Optional.empty();
    }

    /** Inside the box no link wraps, so cubes are found by walking along x, then y, then z. */
    private static List<String> unfold(Shape cubes, String origin, List<Map<String, String>> next) {
        List<String> placement = new ArrayList<>();
        for (int part = 0; part < cubes.volume(); part++) {
            String cube = origin;
            for (int axis = 0; axis < 3; axis++) {
                for (int step = 0; step < cubes.coordinate(part, axis) && cube != null; step++) {
                    cube = next.get(axis).get(cube);
                }
            }
            if (cube == null) {
                return List.of();
            }
            placement.add(cube);
        }
        return placement;
    }

    private static Optional<Twist> twist(Shape cubes, List<String> placement, List<Map<String, String>> next) {
        Map<String, Integer> partOf = new HashMap<>();
        placement.forEach(cube -> partOf.put(cube, partOf.size()));
        int[][] shift = new int[3][3];
        for (int axis = 0; axis < 3; axis++) {
            boolean seen = false;
            for (int part = 0; part < placement.size() && !seen; part++) {
                Integer to = partOf.get(next.get(axis).getOrDefault(placement.get(part), ""));
                if (to != null && cubes.coordinate(part, axis) == cubes.size(axis) - 1) {
                    seen = true;
                    for (int along = 0; along < 3; along++) {
                        shift[axis][along] = along == axis
                                ? 0
                                : Math.floorMod(
                                        cubes.coordinate(to, along) - cubes.coordinate(part, along), cubes.size(along));
                    }
                }
            }
            if (!seen) {
                return Optional.empty();
            }
        }
        Twist twist = new Twist(shift[0][1], shift[0][2], shift[1][0], shift[1][2], shift[2][0], shift[2][1]);
        CubeArrangement arrangement = CubeArrangement.box(cubes, twist);
        for (int axis = 0; axis < 3; axis++) {
            for (int part = 0; part < placement.size(); part++) {
                Integer to = partOf.get(next.get(axis).getOrDefault(placement.get(part), ""));
                if (to != null && to != arrangement.next(axis, part)) {
                    return Optional.empty();
                }
            }
        }
        return Optional.of(twist);
    }

    /** By axis, the cube after each cube, as the first switch of the axis that says so. */
    private static List<Map<String, String>> successors(OcsWiring wiring, SwitchedLight light) {
        List<Map<String, String>> next = List.of(new HashMap<>(), new HashMap<>(), new HashMap<>());
        switches(wiring)
                .forEach((plane, name) -> light.on(name)
                        .forEach(circuit -> wiring.ends(name, circuit)
                                .ifPresent(ends -> next.get(plane / 16).putIfAbsent(ends.from(), ends.to()))));
        return next;
    }

    /** The switches by plane, 0 to 47. */
    static Map<Integer, String> switches(OcsWiring wiring) {
        Map<Integer, String> switches = new java.util.TreeMap<>();
        for (OcsSwitch of : wiring.intent().switches().values()) {
            of.plane().ifPresent(plane -> {
                if (plane < CubeArrangement.SWITCHES) {
                    switches.putIfAbsent(plane, of.name());
                }
            });
        }
        return switches;
    }

    /** Of some cubes, in their order, those that can be a part of a torus. */
    public static List<String> fit(
            OcsWiring wiring, OcsHealth health, Predicate<PortUse> taken, Collection<String> candidates) {
        return candidates.stream()
                .filter(cube -> fits(wiring, health, taken, cube))
                .toList();
    }

    private static boolean fits(OcsWiring wiring, OcsHealth health, Predicate<PortUse> taken, String cube) {
        if (health.pods().contains(cube)) {
            return false;
        }
        for (String name : switches(wiring).values()) {
            OcsSwitch of = wiring.intent().switches().get(name);
            if (of == null || health.switches().contains(name)) {
                continue;
            }
            List<OcsSwitch.Wire> wires = wiring.wires(name, cube);
            if (wires.stream().noneMatch(wire -> health.enters(of, wire, taken))
                    || wires.stream().noneMatch(wire -> health.leaves(of, wire, taken))) {
                return false;
            }
        }
        return true;
    }
}
