package dev.lightpath.planner.words;

/** Counts in sentences for people: one circuit is, two circuits are. */
public final class Counted {
    private Counted() {}

    /** For example {@code 1 switch} or {@code 0 switches}. @param noun in the singular, with a regular plural */
    public static String of(long count, String noun) {
        boolean hisses = noun.endsWith("ch") || noun.endsWith("s") || noun.endsWith("x");
        return of(count, noun, noun + (hisses ? "es" : "s"));
    }

    /** The same with words of its own for one and for all other counts, for example a noun with its verb. */
    public static String of(long count, String one, String several) {
        return count + " " + (count == 1 ? one : several);
    }

    /** A part of a whole, which says how many there are: {@code 1 of 4 pods run}, {@code 0 of 1 pod runs}. */
    public static String part(long part, long whole, String one, String several) {
        return part + " of " + of(whole, one, several);
    }
}
