package dev.lightpath.cli.live;

/**
 * Something that is not as promised.
 *
 * @param moment number of the moment in the script, from 0
 * @param day of the trace
 * @param event what had happened
 * @param what is wrong
 */
record Finding(int moment, double day, String event, String what) {
    String line() {
        return String.format(java.util.Locale.ROOT, "day %.4f, moment %d (%s): %s", day, moment, event, what);
    }
}
