package dev.lightpath.planner;

/**
 * How many random worlds a property test tries. Each build tries a third of them, always the same ones;
 * {@code -Dlightpath.seeds=all} tries all.
 */
public final class Seeds {
    private static final boolean ALL = System.getProperty("lightpath.seeds", "").equals("all");
    private static final int SHARE = 3;

    private Seeds() {}

    /**
     * The seeds of this run.
     *
     * @param all of a thorough run, at least 3
     */
    public static int of(int all) {
        return ALL ? all : all / SHARE;
    }
}
