package dev.lightpath.cli.live;

import java.util.List;

/**
 * One moment as it went.
 *
 * @param number in the script, from 0
 * @param settleSeconds until the operator had settled and everything held
 * @param movedBundles bundles of transceivers whose light goes elsewhere than before, those of the nodes themselves that lost or got back
 *     their power left out
 * @param movedCircuits circuits of switches that are new or gone
 * @param began how often light began to pass anywhere on the way
 * @param movedForOthers jobs that were not concerned and moved to seat another
 * @param faulty nodes
 * @param waiting jobs without a place
 * @param degraded jobs with a place that could not be mended
 * @param full whether somebody waits or is degraded: only then waste is told from room that nobody asked for
 * @param crowdedOut jobs that wait for a place or a repair though there is room for them once others have moved
 * @param wastedGpus healthy GPUs that are in no whole group
 * @param closedFormGpus healthy GPUs that groups of 32 cannot use at this fault set
 * @param gatheredGpus healthy GPUs that would be in no whole group if everybody moved so that as many who wait as surely can, the longest
 *     waiting first, were seated
 */
record Played(
        int number,
        double day,
        String event,
        boolean fault,
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
