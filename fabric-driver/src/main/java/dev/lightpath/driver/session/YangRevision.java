package dev.lightpath.driver.session;

import java.util.regex.Pattern;

/**
 * Revisions of YANG modules. In a newer one than is known lists may have other names, and circuits that are not found
 * would look dark: such a device is left alone until its owner has tried it.
 */
public final class YangRevision {
    private static final Pattern DATE = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");

    private YangRevision() {}

    /** Whether this is one: some servers write a semantic version in its place. */
    public static boolean isRevision(String version) {
        return DATE.matcher(version).matches();
    }

    /**
     * @param newest that is known
     * @param accepted that is taken for the newest known one; empty: none
     * @throws LostException with one line, if it is newer
     */
    public static void requireKnown(String module, String revision, String newest, String accepted)
            throws LostException {
        if (revision.compareTo(newest) > 0 && !revision.equals(accepted)) {
            throw new LostException("revision " + revision + " of module " + module
                    + " is unknown, so the device is neither read nor changed; allowed are those up to " + newest
                    + ", and the one that `yangRevision` in driver.yaml names");
        }
    }
}
