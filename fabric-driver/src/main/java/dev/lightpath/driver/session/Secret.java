package dev.lightpath.driver.session;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** Passwords in files. */
public final class Secret {
    private static final String HIDDEN = "***";
    private static final int SHORTEST_PART = 3;

    private Secret() {}

    /**
     * What a device says, without the password that it was sent, or what was left of that at the end of a cut line.
     *
     * @param password empty: none was sent
     */
    public static String hidden(String said, String password) {
        if (password.isEmpty()) {
            return said;
        }
        String hidden = said.replace(password, HIDDEN);
        for (int left = password.length() - 1; left >= SHORTEST_PART; left--) {
            hidden = hidden.replace(password.substring(0, left) + "...", HIDDEN + "...");
        }
        return hidden;
    }

    /**
     * The content of a file, without white space at its ends.
     *
     * @param form that a protocol can send
     * @param otherwise what is said of one that it cannot, for people
     * @throws LostException with one line, in which the password is not
     */
    public static String read(Path file, Pattern form, String otherwise) throws LostException {
        String secret;
        try {
            secret = Files.readString(file).strip();
        } catch (IOException e) {
            throw new LostException("the file " + file + " with the password cannot be read");
        }
        if (!form.matcher(secret).matches()) {
            throw new LostException("the password in " + file + " " + otherwise);
        }
        return secret;
    }
}
