package dev.lightpath.driver.session;

import java.io.IOException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;

/** What devices say, fit for a log. */
public final class OneLine {
    private static final int LONGEST = 300;

    private OneLine() {}

    /** In one line that is not long. */
    public static String of(String text) {
        String line = text.replaceAll("\\p{Cntrl}+", " ").strip();
        return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "...";
    }

    /** Why a connection failed. Of a name that nobody knows the JDK says the name alone, or nothing. */
    public static String ofFailed(IOException connecting) {
        Throwable root = connecting;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        boolean unknown = root instanceof UnknownHostException || root instanceof UnresolvedAddressException;
        return unknown ? "the name of the host is unknown" : of(String.valueOf(root.getMessage()));
    }
}
