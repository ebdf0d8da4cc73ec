package dev.lightpath.soak.oracle;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/**
 * Derives the expected circuits of a ring from records alone, and checks the lit ones: invariants I0 to I5 of
 * InfinitePOD, with no code of the planner.
 *
 * <p>Bundles look left, then right, two hops each; with an odd reach the last one looks as far as it can to either
 * side. Bundle b is on the pair-edge b R / K of the node's cycle of R GPUs. When lit it joins its lower GPU to the
 * lower one of its neighbour, and its upper GPU to the upper one.
 */
public final class RingOracle {
    private final RingScheme ring;
    /** {bundle, path} by hop. */
    private final Map<Integer, int[]> ends = new HashMap<>();
    /** Hop by bundle and path 1 or 2. */
    private final int[][] hops;

    public RingOracle(RingScheme ring) {
        this.ring = ring;
        int reach = ring.reach();
        this.hops = new int[reach][3];
        for (int bundle = 0; bundle < reach; bundle++) {
            boolean mixed = reach % 2 == 1 && bundle == reach - 1;
            boolean left = bundle < reach / 2;
            int nearest = 2 * (left ? bundle : bundle - reach / 2) + 1;
            hops[bundle][1] = mixed ? -reach : left ? -nearest : nearest;
            hops[bundle][2] = mixed ? reach : left ? -nearest - 1 : nearest + 1;
            for (int path = 1; path <= 2; path++) {
                ends.put(hops[bundle][path], new int[] {bundle, path});
            }
        }
    }

    /** The light that the records ask for. */
    public SortedSet<Beam> wanted(Collection<Seats> groups) {
        int[][] paths = new int[ring.positions()][ring.reach()];
        along(groups, (position, end) -> paths[position][end[0]] = end[1]);
        SortedSet<Beam> light = new TreeSet<>();
        for (int position = 0; position < paths.length; position++) {
            for (int bundle = 0; bundle < ring.reach(); bundle++) {
                light.add(beam(position, bundle, paths[position][bundle]));
            }
        }
        return light;
    }

    /** The part of {@link #wanted} that lies on these groups' paths: no loopbacks. */
    public SortedSet<Beam> led(Collection<Seats> groups) {
        SortedSet<Beam> light = new TreeSet<>();
        along(groups, (position, end) -> light.add(beam(position, end[0], end[1])));
        return light;
    }

    /** The loopback beams of the bundles on these groups' paths. */
    public SortedSet<Beam> looped(Collection<Seats> groups) {
        SortedSet<Beam> light = new TreeSet<>();
        along(groups, (position, end) -> light.add(beam(position, end[0], 0)));
        return light;
    }

    /** @param lead is given each position with bundle and path, as {@link #ends} has them */
    private void along(Collection<Seats> groups, BiConsumer<Integer, int[]> lead) {
        for (Seats group : groups) {
            List<Integer> members = group.positions();
            for (int rank = 1; rank < members.size(); rank++) {
                int hop = members.get(rank) - members.get(rank - 1);
                hop = hop < 0 && ring.closed() ? hop + ring.positions() : hop;
                int[] out = ends.get(hop);
                int[] in = ends.get(-hop);
                if (hop > 0 && out != null && in != null) {
                    lead.accept(members.get(rank - 1), out);
                    lead.accept(members.get(rank), in);
                }
            }
        }
    }

    /** @param path 0 for the loopback */
    Beam beam(int position, int bundle, int path) {
        String name = "b" + bundle;
        return new Beam(ring.nodes().get(position), name + ".common", name + (path == 0 ? ".loop" : ".path" + path));
    }

    /**
     * Everything that is wrong, one line each.
     *
     * @param faulty positions
     * @param unpowered devices that can lead no light
     */
    public List<String> violations(
            Collection<Seats> groups, Set<Integer> faulty, Set<String> unpowered, Collection<Beam> light) {
        return new Judgement(groups, faulty, unpowered, light).judge();
    }

    private final class Judgement {
        private final Collection<Seats> groups;
        private final Set<Integer> faulty;
        private final Set<String> unpowered;
        /** Path by position and bundle; -1 dark, -2 more than one. */
        private final int[][] paths;

        private final Map<Integer, Seats> whole = new HashMap<>();
        private final Set<Integer> excused = new HashSet<>();
        private final List<String> wrong = new ArrayList<>();

        Judgement(Collection<Seats> groups, Set<Integer> faulty, Set<String> unpowered, Collection<Beam> light) {
            this.groups = groups;
            this.faulty = faulty;
            this.unpowered = unpowered;
            this.paths = new int[ring.positions()][ring.reach()];
            for (int[] node : paths) {
                java.util.Arrays.fill(node, -1);
            }
            Map<String, Integer> places = ring.places();
            for (Beam beam : light) {
                Integer position = places.get(beam.device());
                if (position != null) {
                    note(position, beam);
                }
            }
        }

        private void note(int position, Beam beam) {
            for (int bundle = 0; bundle < ring.reach(); bundle++) {
                for (int path = 0; path <= 2; path++) {
                    if (beam(position, bundle, path).equals(beam)) {
                        paths[position][bundle] = paths[position][bundle] == -1 ? path : -2;
                        return;
                    }
                }
            }
            wrong.add("I1 " + beam + " is no path of a bundle");
        }

        List<String> judge() {
            members();
            for (int position = 0; position < paths.length; position++) {
                if (!unpowered.contains(ring.nodes().get(position))) {
                    for (int bundle = 0; bundle < ring.reach(); bundle++) {
                        bundle(position, bundle);
                    }
                }
            }
            groups.forEach(this::walk);
            return wrong;
        }

        private void members() {
            Map<Integer, Integer> taken = new HashMap<>();
            for (Seats group : groups) {
                for (int position : group.positions()) {
                    if (taken.merge(position, group.gpusPerMember(), Integer::sum) > ring.gpusPerNode()) {
                        wrong.add("I0 " + at(position) + " is in " + group.name() + " and has not the GPUs for it");
                    }
                    if (faulty.contains(position) && !group.pending()) {
                        wrong.add("I0 " + group.name() + " has the faulty " + at(position));
                    }
                    if (group.pending()) {
                        excused.add(position);
                    }
                    if (group.gpusPerMember() == ring.gpusPerNode()) {
                        whole.putIfAbsent(position, group);
                    }
                }
            }
        }

        private void bundle(int position, int bundle) {
            int path = paths[position][bundle];
            String where = at(position) + " bundle " + bundle;
            if (path < 0) {
                wrong.add("I1 " + where + (path == -1 ? " is dark" : " is on several paths"));
                return;
            }
            if (path == 0) {
                return;
            }
            int hop = hops[bundle][path];
            int far = ring.at(position, hop);
            where += " path " + path;
            if (far < 0) {
                wrong.add("I2 " + where + " leads beyond the end of the line");
                return;
            }
            int[] back = ends.get(-hop);
            if (!unpowered.contains(ring.nodes().get(far)) && (back == null || paths[far][back[0]] != back[1])) {
                wrong.add("I2 " + where + " leads to " + at(far) + ", which does not answer");
            }
            if (broken(position) || broken(far)) {
                wrong.add("I4 " + where + " to " + at(far) + " touches a faulty node");
            }
            Seats mine = whole.get(position);
            Seats theirs = whole.get(far);
            if (mine == null || broken(position)) {
                wrong.add("I5 " + where + " is lit, though the node is " + (mine == null ? "idle" : "faulty"));
            } else if (mine != theirs) {
                wrong.add("I4 " + where + " leads from " + mine.name() + " to " + at(far) + " of "
                        + (theirs == null ? "nobody" : theirs.name()));
            }
        }

        private boolean broken(int position) {
            return faulty.contains(position) && !excused.contains(position);
        }

        /** I3: from GPU to GPU, the way the light goes, until back at the first. */
        private void walk(Seats group) {
            List<Integer> members = group.positions();
            if (group.gpusPerMember() != ring.gpusPerNode()
                    || members.stream()
                            .anyMatch(at -> unpowered.contains(ring.nodes().get(at)))) {
                return;
            }
            int gpus = ring.gpusPerNode();
            Set<Integer> met = new HashSet<>();
            int start = members.getFirst() * gpus;
            int now = start;
            int edge = gpus - 1; // came in by the edge that ends at GPU 0
            do {
                if (!met.add(now)) {
                    break;
                }
                int gpu = now % gpus;
                edge = edge == gpu ? (gpu + gpus - 1) % gpus : gpu;
                int[] next = across(now / gpus, gpu, edge);
                if (next.length == 0) {
                    break;
                }
                now = next[0];
                edge = next[1];
            } while (now != start && met.size() <= gpus * members.size());
            Set<Integer> wanted = new HashSet<>();
            members.forEach(member -> {
                for (int gpu = 0; gpu < gpus; gpu++) {
                    wanted.add(member * gpus + gpu);
                }
            });
            if (now != start || !met.equals(wanted)) {
                wrong.add("I3 " + group.name() + " on " + members + " is no ring of " + wanted.size()
                        + " GPUs: the light meets " + met.size());
            }
            for (int rank = 1; rank < members.size(); rank++) {
                if (!joined(members.get(rank - 1), members.get(rank))) {
                    wrong.add("I3 " + group.name() + ": no light from " + at(members.get(rank - 1)) + " to "
                            + at(members.get(rank)) + ", which is next in rank");
                }
            }
        }

        private boolean joined(int from, int to) {
            for (int bundle = 0; bundle < ring.reach(); bundle++) {
                int path = paths[from][bundle];
                if (path > 0 && hops[bundle][path] > 0 && ring.at(from, hops[bundle][path]) == to) {
                    return true;
                }
            }
            return false;
        }

        /** {GPU, edge} met when a GPU is left by an edge of its node's cycle; empty when it is dark there. */
        private int[] across(int position, int gpu, int edge) {
            int gpus = ring.gpusPerNode();
            boolean lower = gpu == edge;
            int other = (lower ? edge + 1 : edge) % gpus;
            for (int bundle = 0; bundle < ring.reach(); bundle++) {
                if (bundle * gpus / ring.reach() != edge) {
                    continue;
                }
                int path = paths[position][bundle];
                if (path < 0) {
                    return new int[0];
                }
                if (path > 0) {
                    int far = ring.at(position, hops[bundle][path]);
                    int[] back = ends.get(-hops[bundle][path]);
                    if (far < 0 || back == null || paths[far][back[0]] != back[1]) {
                        return new int[0];
                    }
                    int farEdge = back[0] * gpus / ring.reach();
                    return new int[] {far * gpus + (lower ? farEdge : (farEdge + 1) % gpus), farEdge};
                }
            }
            return new int[] {position * gpus + other, edge};
        }

        private String at(int position) {
            return ring.nodes().get(position) + "@" + position;
        }
    }
}
