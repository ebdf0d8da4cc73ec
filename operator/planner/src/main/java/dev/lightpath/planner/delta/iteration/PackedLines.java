package dev.lightpath.planner.delta.iteration;

import dev.lightpath.planner.words.Sha256;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/**
 * Text that is packed as it is written: deflated, Base64. Neither side of it ever takes more memory than it says here.
 */
final class PackedLines {
    /** Characters packed. */
    static final int MOST_PACKED = 400_000;

    /** Characters unpacked: a text that repeats itself packs a thousandfold. */
    static final int MOST_CHARACTERS = 1 << 24;

    private static final int DIGEST_CHARACTERS = 32;
    private static final int BUFFER = 1 << 16;

    private final MessageDigest digest = Sha256.begin();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final OutputStream out =
            new BufferedOutputStream(new DigestOutputStream(new DeflaterOutputStream(bytes), digest), BUFFER);
    private long characters;

    /** @throws IllegalArgumentException when the text gets too long */
    void add(String line) {
        byte[] more = line.getBytes(StandardCharsets.UTF_8);
        characters += more.length;
        require(characters <= MOST_CHARACTERS, MOST_CHARACTERS + " characters of text");
        try {
            out.write(more);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        requireSmall();
    }

    /**
     * The text in Base64. Nothing can be added after it.
     *
     * @throws IllegalArgumentException when it is too long
     */
    String packed() {
        try {
            out.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        requireSmall();
        return Base64.getEncoder().encodeToString(bytes.toByteArray());
    }

    /** Of the text, once it is packed. */
    String digest() {
        return HexFormat.of().formatHex(digest.digest()).substring(0, DIGEST_CHARACTERS);
    }

    /**
     * The text again.
     *
     * @throws IllegalArgumentException when nothing was packed like this, or more than may be
     */
    static byte[] unpacked(String packed) {
        try (InflaterInputStream in = new InflaterInputStream(
                new ByteArrayInputStream(Base64.getDecoder().decode(packed)))) {
            byte[] text = in.readNBytes(MOST_CHARACTERS + 1);
            require(text.length <= MOST_CHARACTERS, MOST_CHARACTERS + " characters of text");
            return text;
        } catch (IOException e) {
            throw new IllegalArgumentException("it cannot be unpacked", e);
        }
    }

    private void requireSmall() {
        require(bytes.size() <= MOST_PACKED / 4 * 3, MOST_PACKED + " characters packed");
    }

    private static void require(boolean small, String most) {
        if (!small) {
            throw new IllegalArgumentException(
                    "the iteration is too long, allowed: at most " + most + "; record fewer micro-batches");
        }
    }
}
