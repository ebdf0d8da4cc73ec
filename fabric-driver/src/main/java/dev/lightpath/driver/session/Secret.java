package dev.lightpath.driver.session;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** Passwords in files. */
public final class Secret {
    private Secret() {}

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
