package dev.lightpath.planner.ring.rack;

/**
 * The states of one sub-line in a left-to-right scan: no group open, or an open group with {@code placed} members. Its
 * last member is {@code gap} columns back and was reached by a hop of K or less.
 *
 * <p>Code 0 is no open group. With an odd reach the hop of K matters, because it takes the member's mixed bundle.
 */
final class OpenGroup {

    static final int DEAD = -1;

    final int codes;
    /** Code after a column whose node is left out; {@link #DEAD} if the open group cannot go on. */
    final int[] skip;
    /** Code after a column whose node joins; {@link #DEAD} if it cannot. */
    final int[] use;
    /** Rank of the node that joins. */
    final int[] rank;
    /** Whether the joining node completes its group. */
    final boolean[] closes;

    OpenGroup(int size, int reach) {
        boolean mixed = (reach & 1) == 1;
        int perRank = mixed ? 2 * reach - 1 : reach;
        codes = 1 + (size - 1) * perRank;
        skip = new int[codes];
        use = new int[codes];
        rank = new int[codes];
        closes = new boolean[codes];
        use[0] = size == 1 ? 0 : 1;
        closes[0] = size == 1;
        for (int placed = 1; placed < size; placed++) {
            int base = 1 + (placed - 1) * perRank;
            for (int variant = 0; variant < perRank; variant++) {
                boolean afterFarHop = variant >= reach;
                int gap = afterFarHop ? variant - reach : variant;
                int limit = afterFarHop ? reach - 1 : reach;
                int code = base + variant;
                int hop = gap + 1;
                rank[code] = placed;
                skip[code] = gap + 1 < limit ? code + 1 : DEAD;
                closes[code] = placed + 1 == size;
                boolean farHop = mixed && hop == reach;
                use[code] = closes[code] ? 0 : base + perRank + (farHop ? reach : 0);
            }
        }
    }
}
