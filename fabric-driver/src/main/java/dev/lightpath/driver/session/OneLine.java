package dev.lightpath.driver.session;

/** What devices say, fit for a log. */
public final class OneLine {
    private static final int LONGEST = 300;

    private OneLine() {}

    /** In one line that is not long. */
    public static String of(String text) {
        String line = text.replaceAll("\\p{Cntrl}+", " ").strip();
        return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "...";
    }
}
