package dev.lightpath.soak;

import java.util.List;

/**
 * The outcome of one moment.
 *
 * @param number in the script, from 0
 * @param atSeconds when its changes were made, since the replay began
 * @param settleSeconds until the operator had settled and every check held
 * @param movedBundles bundles of transceivers that changed their state, without those of the nodes themselves that lost
 *     or got back their power
 * @param movedCircuits circuits of switches that are new or gone
 * @param began how often light began to pass anywhere on the way
 * @param movedForOthers jobs that were not concerned and moved to make room for another
 * @param faulty nodes
 * @param waiting jobs without a place
 * @param degraded jobs with a place that could not be repaired
 * @param full whether a job waits or is degraded: only then unused GPUs are waste, and not room without demand
 * @param crowdedOut jobs that wait for a place or a repair though there is room for them once others have moved
 * @param wastedGpus healthy GPUs that are in no whole group
 * @param closedFormGpus healthy GPUs that groups of 32 cannot use at this fault set
 * @param gatheredGpus healthy GPUs that would be in no whole group if all jobs moved so that as many waiting jobs as
 *     surely can were placed, the longest waiting first
 */
record Played(
        int number,
        double day,
        String event,
        boolean fault,
        double atSeconds,
        double settleSeconds,
        int movedBundles,
        int movedCircuits,
        int began,
        List<String> movedForOthers,
        int faulty,
        int waiting,
        int degraded,
        boolean full,
        List<String> crowdedOut,
        int wastedGpus,
        int closedFormGpus,
        int gatheredGpus,
        List<String> findings) {
    Played {
        movedForOthers = List.copyOf(movedForOthers);
        crowdedOut = List.copyOf(crowdedOut);
        findings = List.copyOf(findings);
    }
}
