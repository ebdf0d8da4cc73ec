package dev.lightpath.studies.evaluation;

/** Expected waste of a K-hop line beyond an ideal switch, in closed form (InfinitePOD appendix C, corrected). */
public final class WasteBound {

    private WasteBound() {}

    /**
     * (Nt - R) / (2R) * P^K * (1 - P): a break appears per node with P^K (1 - P) and costs half of what a group can
     * lose.
     *
     * @param tensor Nt, GPUs of a group
     * @param gpusPerNode R
     * @param nodeFaultRatio P
     * @param reach K
     */
    public static double excess(int tensor, int gpusPerNode, double nodeFaultRatio, int reach) {
        return (tensor - gpusPerNode) / (2.0 * gpusPerNode) * Math.pow(nodeFaultRatio, reach) * (1 - nodeFaultRatio);
    }

    /** What the paper's Table 7 really shows: 2 (Nt - R/2) P^K. */
    public static double tableSeven(int tensor, int gpusPerNode, double nodeFaultRatio, int reach) {
        return 2.0 * (tensor - gpusPerNode / 2.0) * Math.pow(nodeFaultRatio, reach);
    }
}
