package dev.lightpath.soak;

import dev.lightpath.soak.oracle.RingScheme;
import dev.lightpath.soak.oracle.Seats;
import dev.lightpath.soak.script.JobWish;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Whether a wish surely fits on a ring: sufficient conditions, counted without the planner. */
final class Room {
    private final RingScheme ring;

    Room(RingScheme ring) {
        this.ring = ring;
    }

    /**
     * Number of groups of that many nodes that surely fit among nodes, without moving any group. Members of a group are
     * at most the reach apart. With an odd reach a node does not take the longest hop to both sides, so a chain is cut
     * where it would.
     *
     * @param free per position
     */
    int groups(boolean[] free, int size) {
        int groups = 0;
        for (int chain : chains(free)) {
            groups += chain / size;
        }
        return groups;
    }

    private List<Integer> chains(boolean[] free) {
        int start = firstAfterGap(free);
        List<Integer> chains = new ArrayList<>();
        int length = 0;
        int gap = 0;
        boolean longest = false;
        for (int step = 0; step < free.length; step++) {
            if (!free[(start + step) % free.length]) {
                gap++;
                continue;
            }
            int hop = gap + 1;
            boolean cut = length > 0 && (hop > ring.reach() || ring.reach() % 2 == 1 && hop == ring.reach() && longest);
            longest = !cut && length > 0 && hop == ring.reach();
            if (cut) {
                chains.add(length);
                length = 0;
            }
            length++;
            gap = 0;
        }
        chains.add(length);
        return chains;
    }

    /** Where a chain begins: behind a gap that none spans; 0 on a line, and on a ring without such a gap. */
    private int firstAfterGap(boolean[] free) {
        if (!ring.closed()) {
            return 0;
        }
        for (int position = 0; position < free.length; position++) {
            boolean gap = free[position];
            for (int back = 1; back <= ring.reach() && gap; back++) {
                gap = !free[Math.floorMod(position - back, free.length)];
            }
            if (gap) {
                return position;
            }
        }
        return 0;
    }

    /**
     * Whether all groups surely fit if every one of them may move: the longest first, each into the first stretch of
     * healthy nodes that has room for it.
     *
     * @param healthy per position
     * @param sizes of the groups, in nodes
     */
    boolean packs(boolean[] healthy, Collection<Integer> sizes) {
        List<Integer> left = new ArrayList<>(chains(healthy));
        List<Integer> ordered = new ArrayList<>(sizes);
        ordered.sort(Comparator.reverseOrder());
        for (int size : ordered) {
            int in = 0;
            while (in < left.size() && left.get(in) < size) {
                in++;
            }
            if (in == left.size()) {
                return false;
            }
            left.set(in, left.get(in) - size);
        }
        return true;
    }

    /**
     * Jobs that wait though they surely fit on free nodes without a move of others; a line each.
     *
     * @param waiting jobs without a place
     * @param seats of all jobs that have one
     * @param faulty positions
     */
    List<String> neglected(List<JobWish> waiting, List<Seats> seats, Set<Integer> faulty) {
        boolean[] free = healthy(faulty);
        seats.forEach(group -> group.positions().forEach(position -> free[position] = false));
        List<String> neglected = new ArrayList<>();
        for (JobWish job : waiting) {
            int size = job.tensor() / ring.gpusPerNode();
            if (groups(free, size) >= job.groups()) {
                neglected.add("capacity: job " + job.name() + " waits, though " + job.groups() + " groups of " + size
                        + " nodes fit on free nodes");
            }
        }
        return neglected;
    }

    /**
     * Jobs that wait for a place or for a repair though there surely is room for them once others have moved.
     *
     * @param fixed jobs that may not move
     */
    List<String> crowdedOut(List<JobWish> waiting, List<Seats> seats, Set<String> fixed, Set<Integer> faulty) {
        Set<String> hurt = new TreeSet<>();
        for (Seats group : seats) {
            if (group.positions().stream().anyMatch(faulty::contains)) {
                hurt.add(group.job());
            }
        }
        List<String> crowded = new ArrayList<>();
        for (JobWish job : waiting) {
            List<Integer> more = Collections.nCopies(job.groups(), job.tensor() / ring.gpusPerNode());
            if (fits(job.name(), more, seats, fixed, hurt, faulty)) {
                crowded.add(job.name());
            }
        }
        for (String job : hurt) {
            if (!fixed.contains(job) && fits(job, List.of(), seats, fixed, hurt, faulty)) {
                crowded.add(job);
            }
        }
        return crowded;
    }

    /**
     * GPUs of waiting jobs that all surely have room at once, if all jobs move in the best way.
     *
     * @param waiting in the order in which they are tried
     */
    int gatherable(List<JobWish> waiting, List<Seats> seats, Set<Integer> faulty) {
        boolean[] open = healthy(faulty);
        List<Integer> sizes = new ArrayList<>();
        for (Seats group : seats) {
            boolean stays = group.gpusPerMember() < ring.gpusPerNode();
            if (stays) {
                group.positions().forEach(position -> open[position] = false);
            } else {
                sizes.add(group.positions().size());
            }
        }
        int gpus = 0;
        for (JobWish job : waiting) {
            List<Integer> with = new ArrayList<>(sizes);
            with.addAll(Collections.nCopies(job.groups(), job.tensor() / ring.gpusPerNode()));
            if (packs(open, with)) {
                sizes = with;
                gpus += job.gpus();
            }
        }
        return gpus;
    }

    /** Whether a job surely fits beside those that stay where they are, all others moved as is best. */
    private boolean fits(
            String job,
            List<Integer> more,
            List<Seats> seats,
            Set<String> fixed,
            Set<String> hurt,
            Set<Integer> faulty) {
        boolean[] room = healthy(faulty);
        List<Integer> sizes = new ArrayList<>(more);
        for (Seats group : seats) {
            boolean stays = fixed.contains(group.job()) || hurt.contains(group.job());
            if (group.gpusPerMember() < ring.gpusPerNode()
                    || stays && !group.job().equals(job)) {
                group.positions().forEach(position -> room[position] = false);
            } else {
                sizes.add(group.positions().size());
            }
        }
        return packs(room, sizes);
    }

    private boolean[] healthy(Set<Integer> faulty) {
        boolean[] healthy = new boolean[ring.positions()];
        for (int position = 0; position < healthy.length; position++) {
            healthy[position] = !faulty.contains(position);
        }
        return healthy;
    }
}
