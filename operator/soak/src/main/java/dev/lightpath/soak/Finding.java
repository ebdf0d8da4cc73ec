package dev.lightpath.soak;

import java.util.Locale;

/**
 * Something that is not as promised.
 *
 * @param moment number of the moment in the script, from 0
 * @param day of the trace
 * @param event what had happened
 * @param what is wrong
 */
record Finding(int moment, double day, String event, String what) {
    private static final int MOST = 160;

    String line() {
        String shown = event.length() <= MOST ? event : event.substring(0, MOST) + " ...";
        return String.format(Locale.ROOT, "day %.4f, moment %d (%s): %s", day, moment, shown, what);
    }
}
