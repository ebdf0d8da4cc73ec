package dev.lightpath.planner.ring.repair;

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
 * The fewest groups that must change so that as many nodes as possible are placed again: of any sizes, around groups
 * that may not move, interleaved groups included.
 *
 * <p>Dynamic programme along the fibre. State: the open groups of the last K positions ({@link OpenSeats}), which of
 * the healthy groups around are given up, and per size how many groups are still to be placed. Value: healthy groups
 * given up, then bundles whose state changes. The fibre of a ring is cut open where no new group passes. On a small
 * ring every cut is tried, so only a placement whose groups overlap all the way round is missed. No healthy group loses
 * its room to one of another size.
 */
final class SeatProgramme {

    private static final long GIVEN = 1L << 32;
    private static final int MOST_KINDS = 6;
    private static final int MOST_WANTED = 50;
    private static final int BALANCE = 128;

    private record State(long window, long givenUp, long balance) {}

    /**
     * @param join -1 for no group, 0 for the first member of a new group, else the hop from the member before
     * @param kind of the group that is joined
     * @param gave the healthy group that is given up here, or -1
     */
    private record Step(long cost, @Nullable Step before, int index, int join, int kind, int gave) {}

    /**
     * @param moving groups that leave their seats, broken ones included
     * @param seats new seats, in order along the fibre
     */
    record Answer(List<Integer> moving, List<int[]> seats, int lostNodes, int lostGroups, int given, int bundles) {

        static final Comparator<Answer> BEST = Comparator.comparingInt(Answer::lostNodes)
                .thenComparingInt(Answer::lostGroups)
                .thenComparingInt(Answer::given)
                .thenComparingInt(Answer::bundles);
    }

    private final RingBoard board;
    private final OpenSeats open;
    private final int[] kindOf;
    private final boolean[] broken;
    private final int[] brokenOfKind;
    private final int[] room;
    private final int[][] states;
    private final int stateLimit;
    private final boolean fits;

    private final FibreCuts cuts;
    private boolean exhausted;

    /**
     * @param room groups for which room is to be made besides those on the board, by nodes
     * @param stateLimit states of one walk along the fibre before it is given up
     */
    SeatProgramme(RingBoard board, SortedMap<Integer, Integer> room, int stateLimit) {
        this.board = board;
        this.stateLimit = stateLimit;
        this.broken = new boolean[board.members.length];
        TreeSet<Integer> sizes = new TreeSet<>(room.keySet());
        int wanted = room.values().stream().mapToInt(Integer::intValue).sum();
        for (int group = 0; group < broken.length; group++) {
            broken[group] = !board.shared[group] && !board.intact(group);
            if (broken[group] || isMovable(group)) {
                sizes.add(board.members[group].length);
            }
            wanted += broken[group] ? 1 : 0;
        }
        int[] nodes = sizes.stream().mapToInt(Integer::intValue).toArray();
        this.open = new OpenSeats(board.fabric.reach(), nodes);
        this.fits = open.fits() && nodes.length <= MOST_KINDS && wanted <= MOST_WANTED;
        this.kindOf = new int[broken.length];
        this.brokenOfKind = new int[nodes.length];
        this.room = new int[nodes.length];
        room.forEach((size, groups) -> this.room[Arrays.binarySearch(nodes, size)] = groups);
        for (int group = 0; group < broken.length; group++) {
            kindOf[group] = Arrays.binarySearch(nodes, board.members[group].length);
            if (broken[group]) {
                brokenOfKind[kindOf[group]]++;
            }
        }
        this.states = Stretch.statesByHop(board.fabric.reach());
        boolean[] movable = new boolean[broken.length];
        for (int group = 0; group < broken.length; group++) {
            movable[group] = isMovable(group);
        }
        this.cuts = new FibreCuts(board, broken, movable);
    }

    private boolean isMovable(int group) {
        return !broken[group] && !board.shared[group] && board.movable[group];
    }

    /**
     * The best answer that gives up at most {@code budget} sound groups, or empty if none is found within the limit of
     * states. With room to be made the answer makes all of it.
     */
    Optional<Answer> solve(int budget) {
        Answer best = null;
        if (!fits) {
            return Optional.empty();
        }
        for (int most = 0; ; most = most < 2 ? most + 1 : 2 * most) {
            int allowed = Math.min(most, budget);
            for (int cut : cuts.all()) {
                Answer answer = walk(cut, allowed);
                if (answer != null && (best == null || Answer.BEST.compare(answer, best) < 0)) {
                    best = answer;
                }
                if (exhausted) {
                    return Optional.ofNullable(best);
                }
            }
            if (allowed == budget || best != null && best.lostNodes() == 0 && best.given() <= allowed) {
                return Optional.ofNullable(best);
            }
        }
    }

    private @Nullable Answer walk(int cut, int budget) {
        if (!cuts.lay(cut)) {
            exhausted = true;
            return null;
        }
        long balance = 0;
        for (int kind = 0; kind < open.kinds(); kind++) {
            balance |= (long) (BALANCE - brokenOfKind[kind] - room[kind]) << 8 * kind;
        }
        Map<State, Step> layer = new HashMap<>();
        layer.put(new State(0, 0, balance), new Step(0, null, -1, -1, 0, -1));
        long made = 0;
        for (int i = 0; i < board.n; i++) {
            Layer next = new Layer(budget);
            int at = cuts.position(i);
            int owner = board.owner[at];
            for (var entry : layer.entrySet()) {
                State state = entry.getKey();
                Step step = entry.getValue();
                if (owner == RingBoard.NO_GROUP) {
                    next.seat(i, state, step, -1, board.usable[at], 0);
                } else if (broken[owner]) {
                    next.seat(i, state, step, -1, board.usable[at], dark(at));
                } else if (!isMovable(owner)) {
                    next.seat(i, state, step, -1, false, 0);
                } else {
                    choose(next, i, state, step, owner, dark(at));
                }
            }
            layer = next.states;
            made += layer.size();
            if (made > stateLimit) {
                exhausted = true;
                return null;
            }
        }
        return best(layer);
    }

    /**
     * At the first position of a healthy group tries both to keep it and to give it up; at its other positions follows
     * that choice.
     */
    private void choose(Layer next, int i, State state, Step step, int owner, int dark) {
        long mine = 1L << cuts.bit(owner);
        long after = cuts.last(owner) == i ? ~mine : ~0L;
        boolean first = cuts.first(owner) == i;
        if (first || (state.givenUp() & mine) == 0) {
            next.seat(i, new State(state.window(), state.givenUp() & after, state.balance()), step, -1, false, 0);
        }
        if (first) {
            long balance = state.balance() - (1L << 8 * kindOf[owner]);
            State given = new State(state.window(), (state.givenUp() | mine) & after, balance);
            Step gave =
                    new Step(step.cost() + GIVEN, step.before(), step.index(), step.join(), step.kind(), step.gave());
            next.seat(i, given, gave, owner, true, dark);
        } else if ((state.givenUp() & mine) != 0) {
            next.seat(i, new State(state.window(), state.givenUp() & after, state.balance()), step, -1, true, dark);
        }
    }

    private int dark(int at) {
        return Integer.bitCount(states[0][0] & ~board.statesAt(at));
    }

    private int lit(int at, int mask) {
        return Integer.bitCount(mask & ~board.statesAt(at));
    }

    /** The states behind one position. */
    private final class Layer {
        private final Map<State, Step> states = new HashMap<>();
        private final int budget;

        Layer(int budget) {
            this.budget = budget;
        }

        /** @param dark bundles that change if no group takes the position */
        void seat(int i, State state, Step step, int gave, boolean available, int dark) {
            if (step.cost() / GIVEN > budget) {
                return;
            }
            offer(i, state, open.next(state.window(), 0), state.balance(), step.cost() + dark, step, -1, 0, gave);
            if (!available) {
                return;
            }
            for (int kind = 0; kind < open.kinds(); kind++) {
                start(i, state, step, kind, gave);
            }
            for (int back = 1; back <= board.fabric.reach() && back <= i; back++) {
                int name = open.at(state.window(), back);
                if (name != 0) {
                    extend(i, state, step, name, back, gave);
                }
            }
        }

        private void start(int i, State state, Step step, int kind, int gave) {
            int at = cuts.position(i);
            int idle = SeatProgramme.this.states[0][0];
            if (open.size(kind) > 1) {
                long window = open.next(state.window(), open.name(kind, 1, 0));
                offer(i, state, window, state.balance(), step.cost(), step, 0, kind, gave);
            } else if ((idle & board.lost[at]) == 0) {
                long balance = state.balance() + (1L << 8 * kind);
                offer(
                        i,
                        state,
                        open.next(state.window(), 0),
                        balance,
                        step.cost() + lit(at, idle),
                        step,
                        0,
                        kind,
                        gave);
            }
        }

        private void extend(int i, State state, Step step, int name, int back, int gave) {
            int previous = cuts.position(i - back);
            int mask = SeatProgramme.this.states[open.hop(name)][back];
            if (mask < 0 || (mask & board.lost[previous]) != 0) {
                return;
            }
            long cost = step.cost() + lit(previous, mask);
            int kind = open.kind(name);
            long window = open.without(state.window(), back);
            if (open.members(name) + 1 < open.size(kind)) {
                window = open.next(window, open.name(kind, open.members(name) + 1, back));
                offer(i, state, window, state.balance(), cost, step, back, kind, gave);
                return;
            }
            int at = cuts.position(i);
            int end = SeatProgramme.this.states[back][0];
            if ((end & board.lost[at]) == 0) {
                long balance = state.balance() + (1L << 8 * kind);
                offer(i, state, open.next(window, 0), balance, cost + lit(at, end), step, back, kind, gave);
            }
        }

        private void offer(
                int i, State from, long window, long balance, long cost, Step before, int join, int kind, int gave) {
            if (window == -1 || !hopeful(window, balance, budget - (int) (cost / GIVEN))) {
                return;
            }
            State state = new State(window, from.givenUp(), balance);
            Step known = states.get(state);
            if (known == null || cost < known.cost()) {
                states.put(state, new Step(cost, before, i, join, kind, gave));
            }
        }

        /**
         * False if there are more groups of a size, open ones included, than are requested or may still be given up.
         */
        private boolean hopeful(long window, long balance, int left) {
            int surplus = 0;
            for (int kind = 0; kind < open.kinds(); kind++) {
                int of = (int) (balance >>> 8 * kind & 0xff) - BALANCE;
                for (int back = 1; back <= board.fabric.reach(); back++) {
                    int name = open.at(window, back);
                    of += name != 0 && open.kind(name) == kind ? 1 : 0;
                }
                surplus += Math.max(0, of);
            }
            return surplus <= left;
        }
    }

    private @Nullable Answer best(Map<State, Step> layer) {
        Step best = null;
        int bestNodes = 0;
        int bestGroups = 0;
        for (var entry : layer.entrySet()) {
            if (entry.getKey().window() != 0) {
                continue;
            }
            int nodes = 0;
            int groups = 0;
            boolean allowed = true;
            for (int kind = 0; kind < open.kinds(); kind++) {
                int missing = BALANCE - (int) (entry.getKey().balance() >>> 8 * kind & 0xff);
                allowed &= missing >= 0 && missing <= (room[kind] > 0 ? 0 : brokenOfKind[kind]);
                nodes += missing * open.size(kind);
                groups += missing;
            }
            Step step = entry.getValue();
            boolean better = best == null
                    || nodes < bestNodes
                    || nodes == bestNodes && (groups < bestGroups || groups == bestGroups && step.cost() < best.cost());
            if (allowed && better) {
                best = step;
                bestNodes = nodes;
                bestGroups = groups;
            }
        }
        return best == null ? null : answer(best, bestNodes, bestGroups);
    }

    private Answer answer(Step end, int lostNodes, int lostGroups) {
        List<Step> way = new ArrayList<>();
        for (Step step = end; step != null && step.index() >= 0; step = step.before()) {
            way.add(step);
        }
        List<Integer> moving = new ArrayList<>();
        for (int group = 0; group < broken.length; group++) {
            if (broken[group]) {
                moving.add(group);
            }
        }
        Map<Integer, List<Integer>> openAt = new HashMap<>();
        List<int[]> seats = new ArrayList<>();
        for (Step step : way.reversed()) {
            if (step.gave() >= 0) {
                moving.add(step.gave());
            }
            if (step.join() < 0) {
                continue;
            }
            List<Integer> members = step.join() == 0
                    ? new ArrayList<>()
                    : java.util.Objects.requireNonNull(openAt.remove(step.index() - step.join()));
            members.add(cuts.position(step.index()));
            if (members.size() == open.size(step.kind())) {
                seats.add(members.stream().mapToInt(Integer::intValue).toArray());
            } else {
                openAt.put(step.index(), members);
            }
        }
        int given = (int) (end.cost() / GIVEN);
        return new Answer(moving, seats, lostNodes, lostGroups, given, (int) (end.cost() % GIVEN));
    }
}
