package dev.lightpath.planner.ring.repair;

import dev.lightpath.planner.ring.RingShape;
import dev.lightpath.planner.ring.placement.Stretch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Defragments a ring: chooses which healthy groups leave their positions, and where they and the waiting groups go. It
 * is for rings that are too long for {@link SeatProgramme}. An answer is always valid. It may miss an existing answer,
 * or the cheapest one.
 *
 * <p>A sweep along the cut fibre in which groups do not interleave. Groups whose spans overlap are one block, kept or
 * given up as a whole. State after some blocks: the frontier behind which everything is decided, and per size how many
 * groups are still to be placed, or were placed before their positions are given up.
 *
 * <ul>
 * <li>A kept block moves the frontier behind itself. A group is placed at the first free positions at the frontier. A
 *     block that is given up adds its positions to those before the next.
 * <li>A state that leaves more unused nodes behind than there are to spare is dropped.
 * <li>Of the other states of one layer those are kept that no other beats in groups given up and frontier. Of these
 *     about {@value #STATES} are kept, evenly for each number of groups given up, those with the most nodes to spare.
 * <li>The number of groups that may be given up grows fourfold until there is an answer.
 * </ul>
 *
 * <p>At most {@value #MOST_STATES} states, beyond which there is no answer, besides O(cuts * n * m) for each size of m
 * nodes.
 */
final class Defragmentation {
    /** States of one layer. */
    static final int STATES = 128;

    /** States of all sweeps together. */
    static final int MOST_STATES = 400_000;

    private static final int FEWEST = 2;
    private static final int CUTS = 2;
    private static final int MOST_KINDS = 6;
    private static final int BALANCE = 128;
    private static final int MOST_BALANCE = 100;

    /**
     * @param frontier first index that is still undecided
     * @param balance groups seated less those given up, by size, packed
     * @param given groups given up
     * @param nodes of those
     * @param spare nodes that may still be left behind
     * @param seated kind of the group seated in this step, or -1
     * @param gave the block given up in this step, or -1
     */
    private record State(
            int frontier,
            long balance,
            int given,
            int nodes,
            int spare,
            @Nullable State before,
            int seated,
            int gave) {

        static final Comparator<State> CHEAPEST =
                Comparator.comparingInt(State::given).thenComparingInt(State::nodes);

        /** The most hopeful first, of as many groups given up. */
        static final Comparator<State> BEST = Comparator.comparingInt(State::given)
                .thenComparing(Comparator.comparingInt(State::spare).reversed())
                .thenComparingInt(State::nodes)
                .thenComparingLong(State::balance)
                .thenComparingInt(State::frontier);

        boolean beats(State other) {
            return given <= other.given && frontier <= other.frontier && (given < other.given || nodes <= other.nodes);
        }
    }

    private record Block(int first, int last, List<Integer> groups) {}

    private final RingBoard board;
    private final int most;
    private final int[] sizes;
    private final int[] missing;
    private final boolean[] broken;

    private int budget;
    private int left = MOST_STATES;

    // of one cut
    private int origin;
    private List<Block> blocks = List.of();
    private int[] ahead = new int[0];
    private int[] held = new int[0];
    private int[][] ends = new int[0][];
    private Stretch stretch;

    /**
     * @param room groups for which room is to be made besides those on the board, by nodes
     * @param budget sound groups that may be given up at most
     */
    Defragmentation(RingBoard board, SortedMap<Integer, Integer> room, int budget) {
        this.board = board;
        this.most = budget;
        this.broken = new boolean[board.members.length];
        TreeSet<Integer> kinds = new TreeSet<>(room.keySet());
        for (int group = 0; group < broken.length; group++) {
            broken[group] = !board.shared[group] && !board.intact(group);
            if (broken[group] || isMovable(group)) {
                kinds.add(board.members[group].length);
            }
        }
        this.sizes = kinds.stream().mapToInt(Integer::intValue).toArray();
        this.missing = new int[sizes.length];
        room.forEach((size, groups) -> missing[Arrays.binarySearch(sizes, size)] += groups);
        for (int group = 0; group < broken.length; group++) {
            if (broken[group]) {
                missing[kindOf(group)]++;
            }
        }
        this.stretch = cut(0);
    }

    private boolean isMovable(int group) {
        return !broken[group] && !board.shared[group] && board.movable[group];
    }

    private int kindOf(int group) {
        return Arrays.binarySearch(sizes, board.members[group].length);
    }

    /** The cheapest answer found that seats all; fewest groups given up, then fewest nodes. */
    Optional<SeatProgramme.Answer> solve() {
        if (sizes.length > MOST_KINDS || Arrays.stream(missing).anyMatch(groups -> groups > MOST_BALANCE)) {
            return Optional.empty();
        }
        List<Integer> cuts = cuts();
        // a count of a kind stays within its bits
        int bound = Math.min(most, BALANCE - 1 - Arrays.stream(missing).max().orElse(0));
        for (int allowed = Math.min(4, bound); ; allowed = Math.min(4 * allowed, bound)) {
            budget = allowed;
            State best = null;
            int bestCut = 0;
            for (int at : cuts) {
                stretch = cut(at);
                State state = sweep();
                if (state != null && (best == null || State.CHEAPEST.compare(state, best) < 0)) {
                    best = state;
                    bestCut = at;
                }
            }
            if (best != null) {
                stretch = cut(bestCut);
                return Optional.of(answer(best));
            }
            if (allowed >= bound || left <= 0) {
                return Optional.empty();
            }
        }
    }

    /** A line has none. A ring is cut before groups that have no free node to their left, spread over it. */
    private List<Integer> cuts() {
        if (board.fabric.shape() == RingShape.LINE) {
            return List.of(0);
        }
        List<Integer> tight = new ArrayList<>();
        List<Integer> any = new ArrayList<>();
        for (int at = 0; at < board.n; at++) {
            if (isCrossed(at)) {
                continue;
            }
            any.add(at);
            int left = board.left(at);
            int owner = board.owner[left];
            boolean free = board.usable[left] && (owner == RingBoard.NO_GROUP || broken[owner]);
            if (!free) {
                tight.add(at);
            }
        }
        List<Integer> candidates = tight.isEmpty() ? any : tight;
        TreeSet<Integer> cuts = new TreeSet<>();
        for (int k = 0; k < CUTS && !candidates.isEmpty(); k++) {
            cuts.add(candidates.get(k * candidates.size() / CUTS));
        }
        if (cuts.isEmpty()) {
            cuts.add(0);
        }
        return List.copyOf(cuts);
    }

    /** Whether a movable group lies on both sides of the cut before a position. */
    private boolean isCrossed(int at) {
        for (int hop = 1; hop <= board.fabric.reach(); hop++) {
            int left = Math.floorMod(at - hop, board.n);
            int owner = board.owner[left];
            if (owner == RingBoard.NO_GROUP || !isMovable(owner)) {
                continue;
            }
            int rank = board.rank[left];
            int[] members = board.members[owner];
            if (rank + 1 < members.length && board.hop(left, members[rank + 1]) >= hop) {
                return true;
            }
        }
        return false;
    }

    /** Lays blocks and seats over the fibre cut before a position. Groups that cross the cut stay. */
    private Stretch cut(int at) {
        origin = at;
        List<Block> spans = new ArrayList<>();
        boolean[] usable = new boolean[board.n];
        int[] lost = new int[board.n];
        for (int index = 0; index < board.n; index++) {
            int position = (origin + index) % board.n;
            int owner = board.owner[position];
            usable[index] = board.usable[position] && (owner == RingBoard.NO_GROUP || broken[owner]);
            lost[index] = board.lost[position];
        }
        for (int group = 0; group < broken.length; group++) {
            if (!isMovable(group)) {
                continue;
            }
            int[] members = board.members[group];
            int first = index(members[0]);
            int last = index(members[members.length - 1]);
            if (first <= last) {
                spans.add(new Block(first, last, List.of(group)));
                for (int seat : members) {
                    usable[index(seat)] = true;
                }
            }
        }
        spans.sort(Comparator.comparingInt(Block::first));
        List<Block> together = new ArrayList<>();
        for (Block span : spans) {
            Block last = together.isEmpty() ? null : together.getLast();
            if (last != null && span.first() <= last.last()) {
                List<Integer> groups = new ArrayList<>(last.groups());
                groups.addAll(span.groups());
                together.set(
                        together.size() - 1,
                        new Block(last.first(), Math.max(last.last(), span.last()), List.copyOf(groups)));
            } else {
                together.add(span);
            }
        }
        blocks = together;
        ahead = new int[board.n + 1];
        for (int index = board.n - 1; index >= 0; index--) {
            ahead[index] = ahead[index + 1] + (usable[index] ? 1 : 0);
        }
        held = new int[blocks.size() + 1];
        for (int block = blocks.size() - 1; block >= 0; block--) {
            held[block] = held[block + 1] + nodes(blocks.get(block));
        }
        Stretch laid = Stretch.ofArrays(board.fabric, origin, usable, lost);
        ends = new int[sizes.length][];
        for (int kind = 0; kind < sizes.length; kind++) {
            ends[kind] = ends(laid, sizes[kind]);
        }
        return laid;
    }

    private int index(int position) {
        return Math.floorMod(position - origin, board.n);
    }

    private int nodes(Block block) {
        return block.groups().stream()
                .mapToInt(group -> board.members[group].length)
                .sum();
    }

    /** Where the first group at or after each index ends, n where there is none. */
    private static int[] ends(Stretch stretch, int size) {
        int[] ends = new int[stretch.length + 1];
        Arrays.fill(ends, stretch.length);
        int from = 0;
        while (from < stretch.length) {
            int[] group = stretch.earliestGroup(from, size);
            if (group.length == 0) {
                break;
            }
            Arrays.fill(ends, from, group[0] + 1, group[size - 1]);
            from = group[0] + 1;
        }
        return ends;
    }

    private @Nullable State sweep() {
        long balance = 0;
        int wanted = 0;
        for (int kind = 0; kind < sizes.length; kind++) {
            balance |= (long) (BALANCE - missing[kind]) << 8 * kind;
            wanted += missing[kind] * sizes[kind];
        }
        int spare = ahead[0] - held[0] - wanted;
        List<State> layer = spare < 0 ? List.of() : List.of(new State(0, balance, 0, 0, spare, null, -1, -1));
        int[] later = new int[sizes.length];
        for (Block block : blocks) {
            block.groups().forEach(group -> later[kindOf(group)]++);
        }
        for (int next = 0; next <= blocks.size(); next++) {
            List<State> reached = seat(layer, next, later);
            if (next == blocks.size()) {
                return reached.stream()
                        .filter(state -> isEven(state.balance()))
                        .min(State.CHEAPEST)
                        .orElse(null);
            }
            if (left <= 0) {
                return null;
            }
            Block block = blocks.get(next);
            block.groups().forEach(group -> later[kindOf(group)]--);
            List<State> decided = new ArrayList<>();
            for (State state : reached) {
                int behind = block.last() + 1;
                int left = spare(behind, next + 1, state.balance());
                if (left >= 0) {
                    decided.add(new State(behind, state.balance(), state.given(), state.nodes(), left, state, -1, -1));
                }
                if (state.given() + block.groups().size() <= budget) {
                    decided.add(give(state, next));
                }
            }
            layer = best(decided);
        }
        throw new IllegalStateException("a sweep ends behind its last block");
    }

    private State give(State state, int next) {
        Block block = blocks.get(next);
        long balance = state.balance();
        for (int group : block.groups()) {
            balance -= 1L << 8 * kindOf(group);
        }
        return new State(
                state.frontier(),
                balance,
                state.given() + block.groups().size(),
                state.nodes() + nodes(block),
                state.spare(),
                state,
                -1,
                next);
    }

    /** All states that come of seating groups before the next block, one more each round. */
    private List<State> seat(List<State> layer, int next, int[] later) {
        List<State> reached = new ArrayList<>(layer);
        List<State> fresh = layer;
        while (!fresh.isEmpty() && left > 0) {
            List<State> seated = new ArrayList<>();
            for (State state : fresh) {
                for (int kind = 0; kind < sizes.length; kind++) {
                    seat(state, next, kind, later[kind], seated);
                }
            }
            fresh = best(seated);
            reached.addAll(fresh);
        }
        return reached;
    }

    private void seat(State state, int next, int kind, int later, List<State> seated) {
        int limit = next < blocks.size() ? blocks.get(next).first() : board.n;
        int end = ends[kind][state.frontier()];
        int now = (int) (state.balance() >>> 8 * kind & 0xff) - BALANCE;
        boolean early = now >= 0;
        if (end >= limit || early && (now >= later || surplus(state.balance()) >= budget - state.given())) {
            return;
        }
        long balance = state.balance() + (1L << 8 * kind);
        int left = spare(end + 1, next, balance);
        if (left >= 0) {
            seated.add(new State(end + 1, balance, state.given(), state.nodes(), left, state, kind, -1));
        }
    }

    /** Groups seated whose seats are still to be given up. */
    private int surplus(long balance) {
        int surplus = 0;
        for (int kind = 0; kind < sizes.length; kind++) {
            surplus += Math.max(0, (int) (balance >>> 8 * kind & 0xff) - BALANCE);
        }
        return surplus;
    }

    /** Nodes at or after the frontier that no group needs; below 0 there is too little room. */
    private int spare(int frontier, int next, long balance) {
        int need = 0;
        for (int kind = 0; kind < sizes.length; kind++) {
            need -= ((int) (balance >>> 8 * kind & 0xff) - BALANCE) * sizes[kind];
        }
        return ahead[Math.min(frontier, board.n)] - held[next] - need;
    }

    private boolean isEven(long balance) {
        for (int kind = 0; kind < sizes.length; kind++) {
            if ((int) (balance >>> 8 * kind & 0xff) != BALANCE) {
                return false;
            }
        }
        return true;
    }

    /** States that no other beats; for each number of groups given up the most promising ones. */
    private List<State> best(List<State> states) {
        left -= states.size();
        List<State> sorted = new ArrayList<>(states);
        sorted.sort(State.BEST);
        Map<Long, List<State>> known = new HashMap<>();
        List<State> kept = new ArrayList<>();
        int most = Math.max(FEWEST, STATES / (budget + 1));
        int given = -1;
        int width = 0;
        for (State state : sorted) {
            if (state.given() != given) {
                given = state.given();
                width = 0;
            }
            List<State> rivals = known.computeIfAbsent(state.balance(), unseen -> new ArrayList<>());
            if (width < most && rivals.stream().noneMatch(rival -> rival.beats(state))) {
                rivals.add(state);
                kept.add(state);
                width++;
            }
        }
        return kept;
    }

    private SeatProgramme.Answer answer(State end) {
        List<State> way = new ArrayList<>();
        for (State state = end; state != null; state = state.before()) {
            way.add(state);
        }
        List<Integer> moving = new ArrayList<>();
        for (int group = 0; group < broken.length; group++) {
            if (broken[group]) {
                moving.add(group);
            }
        }
        List<int[]> seats = new ArrayList<>();
        for (State state : way.reversed()) {
            State before = state.before();
            if (state.gave() >= 0) {
                moving.addAll(blocks.get(state.gave()).groups());
            } else if (state.seated() >= 0 && before != null) {
                int[] group = stretch.earliestGroup(before.frontier(), sizes[state.seated()]);
                seats.add(Arrays.stream(group).map(stretch::positionOf).toArray());
            }
        }
        return new SeatProgramme.Answer(moving, seats, 0, 0, end.given(), 0);
    }
}
