package dev.lightpath.reading.node;

import dev.lightpath.planner.words.Words;

/**
 * What a person wrote into an annotation, fit to be shown in a sentence: on one line, bounded, without control
 * characters.
 */
public final class Remark {
    /** In characters of UTF-16. */
    public static final int LONGEST = 200;

    private Remark() {}

    /** Linear in the text. */
    public static String of(String text) {
        StringBuilder line = new StringBuilder();
        text.codePoints()
                .map(each -> isPlain(each) ? each : ' ')
                .filter(each -> each != ' ' || !line.isEmpty() && line.charAt(line.length() - 1) != ' ')
                .limit(LONGEST + 1L)
                .forEachOrdered(line::appendCodePoint);
        return Words.shortened(line.toString().strip(), LONGEST);
    }

    /** Letters, digits, signs; no space, nothing that steers a terminal or turns the direction of what follows. */
    private static boolean isPlain(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.UNASSIGNED,
                    Character.PRIVATE_USE,
                    Character.SPACE_SEPARATOR,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }
}
