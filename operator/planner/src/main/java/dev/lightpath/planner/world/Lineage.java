package dev.lightpath.planner.world;

import dev.lightpath.planner.memory.Slot;
import java.util.Optional;
import java.util.SortedMap;

/**
 * What is known of the past of a fabric's records, to hold it against what its devices remember.
 *
 * @param revision grows whenever the records change; devices are told it with every change of light. 0 while it is not
 *     known
 * @param digest of the records of that revision: {@link World#ledgerDigest}
 * @param newer a revision that devices were found to remember and that never was one of these records; 0 for none
 * @param acceptedEpoch up to this epoch a person takes over devices that another ledger wrote to; 0 for none
 * @param acceptedRevision up to this revision likewise
 */
public record Lineage(long revision, String digest, long newer, long acceptedEpoch, long acceptedRevision) {
    /** Of a fabric whose devices no other operator wrote to. */
    public static final Lineage NONE = new Lineage(0, "", 0, 0, 0);

    /**
     * Names the records of a fabric. It does not change when circuits are read back as gone. The digest is a sum over
     * the records, so that of the pass before is advanced by the records that changed.
     *
     * @param slices of the world that it was made of
     * @param ledger the same
     */
    public record Digest(
            String fabric, SortedMap<SliceId, SliceIntent> slices, SortedMap<SliceId, LedgerEntry> ledger, long sum) {
        /** Those of the pass before. */
        public static final Slot<Digest> SLOT = new Slot<>("digest of the ledger");

        /** O(slices). */
        static Digest of(World world, String fabric) {
            long sum = 0;
            for (SliceId slice : world.slices().keySet()) {
                sum += share(fabric, world.slices(), world.ledger(), slice);
            }
            return new Digest(fabric, world.slices(), world.ledger(), sum);
        }

        /**
         * The same: constant where no record changed since, else linear in slices without looking at those that did
         * not.
         */
        public static Digest of(World world, String fabric, Optional<Digest> before) {
            return before.filter(known -> known.fabric.equals(fabric))
                    .map(known -> known.advanced(world))
                    .orElseGet(() -> of(world, fabric));
        }

        private Digest advanced(World world) {
            if (slices == world.slices() && ledger == world.ledger()) {
                return this;
            }
            long next = sum;
            for (SliceId slice : world.changedSince(slices, ledger)) {
                next += share(fabric, world.slices(), world.ledger(), slice) - share(fabric, slices, ledger, slice);
            }
            return new Digest(fabric, world.slices(), world.ledger(), next);
        }

        private static long share(
                String fabric,
                SortedMap<SliceId, SliceIntent> slices,
                SortedMap<SliceId, LedgerEntry> ledger,
                SliceId slice) {
            SliceIntent intent = slices.get(slice);
            LedgerEntry entry = ledger.get(slice);
            return intent == null || !intent.fabric().equals(fabric) || entry == null
                    ? 0
                    : entry.allocation()
                            .map(recorded ->
                                    mixed(slice.toString().hashCode() * 0x9E3779B97F4A7C15L + recorded.revision()))
                            .orElse(0L);
        }

        /** SplitMix64, so that sums of neighbours differ. */
        private static long mixed(long value) {
            long first = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
            long second = (first ^ (first >>> 27)) * 0x94D049BB133111EBL;
            return second ^ (second >>> 31);
        }

        @Override
        public String toString() {
            return Long.toHexString(sum);
        }
    }
}
