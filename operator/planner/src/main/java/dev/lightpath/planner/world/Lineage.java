package dev.lightpath.planner.world;

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
}
