package dev.lightpath.driver.tl1;

import dev.lightpath.driver.session.LostException;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A line such as {@code 1.1.1>1.1.2:SRCPORT=1.1.1,DSTPORT=1.1.2}.
 *
 * @param title what stands before the colon
 * @param values by their names, which are in capitals; words without a name are left out
 */
record Fields(String title, Map<String, String> values) {
    private static final int MOST = 64;

    /** @throws LostException when it has more fields than any such line */
    static Fields of(String line) throws LostException {
        int colon = line.indexOf(':');
        String title = colon < 0 ? "" : line.substring(0, colon).strip();
        String[] parts = line.substring(colon + 1).split("[,:]", MOST + 1);
        if (parts.length > MOST) {
            throw new LostException("the device tells a line of more than " + MOST + " fields");
        }
        Map<String, String> values = new TreeMap<>();
        for (String part : parts) {
            int equals = part.indexOf('=');
            if (equals > 0) {
                values.put(
                        part.substring(0, equals).strip().toUpperCase(Locale.ROOT),
                        part.substring(equals + 1).strip());
            }
        }
        return new Fields(title, values);
    }
}
