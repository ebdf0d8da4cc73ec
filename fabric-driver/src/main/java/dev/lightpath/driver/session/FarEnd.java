package dev.lightpath.driver.session;

import dev.lightpath.proto.driver.v1alpha1.PortRef;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What an installation writes at a port, where that names the far end of its fibre. */
public final class FarEnd {
    /** Such as {@code n3/b0.path1}. Other texts, such as JSON or {@code N/A}, are for people or for others. */
    private static final Pattern NAMES = Pattern.compile("(?!(?i:n/a)$|[^\\p{L}\\p{N}]*/|.*/[^\\p{L}\\p{N}]*$)"
            + "([^\\s\\p{Cntrl}\"{}]{1,253})/([^\\s\\p{Cntrl}\"{}/]{1,63})");

    private static final int LONGEST = 253 + 1 + 63;

    private FarEnd() {}

    /** Device and port, as far as the text is nothing else. */
    public static Optional<PortRef> of(String text) {
        Matcher names = NAMES.matcher(text.strip());
        // longer texts are none, and to match them may take time without end
        return names.regionEnd() <= LONGEST && names.matches()
                ? Optional.of(PortRef.newBuilder()
                        .setDeviceId(names.group(1))
                        .setPort(names.group(2))
                        .build())
                : Optional.empty();
    }
}
