package dev.lightpath.reading;

import com.fasterxml.jackson.core.type.TypeReference;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.Demand;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.function.Function;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** What a slice was given and what it asks for as text, for carrying it from one slice to the next (ADR 18). */
public final class CarriedText {
    /** Begins a text that is packed: base64 of gzip. */
    private static final String PACKED = "gzip:";

    /** Characters of JSON that are kept as they are, for people to read. */
    private static final int LONGEST_PLAIN = 65536;

    /** Many times what 131072 GPUs take: 16 MiB, of 2^20 names and values; the longest text is a packed iteration. */
    private static final StrictJson JSON = new StrictJson(1 << 24, 32, 1 << 20, 1 << 19);

    private CarriedText() {}

    public static String of(Allocation record) {
        return text(record);
    }

    public static String of(Demand demand) {
        return text(demand);
    }

    /** @throws IllegalArgumentException when the text is no record, in one line */
    public static Allocation allocation(String text) {
        return read(text, new TypeReference<Allocation>() {}, "allocation");
    }

    /** @throws IllegalArgumentException when the text is no demand of a job, in one line */
    public static Demand demand(String text) {
        Demand demand = read(text, new TypeReference<Demand>() {}, "demand");
        if ((demand.scaleUp() == null) == (demand.scaleOut() == null)) {
            throw new IllegalArgumentException("it is no demand: it has exactly one of scaleUp and scaleOut");
        }
        return demand;
    }

    /** Whether a text is of this record; one that cannot be read is of none. */
    public static boolean isOf(String text, Allocation record) {
        return isOf(text, record, CarriedText::allocation);
    }

    /** Whether a text is of this demand; one that cannot be read is of none. */
    public static boolean isOf(String text, Demand demand) {
        return isOf(text, demand, CarriedText::demand);
    }

    private static <T> boolean isOf(String text, T value, Function<String, T> reader) {
        try {
            return value.equals(reader.apply(text));
        } catch (IllegalArgumentException unreadable) {
            return false;
        }
    }

    private static String text(Object value) {
        String json = Serialization.asJson(value);
        return json.length() <= LONGEST_PLAIN ? json : PACKED + pack(json);
    }

    private static <T> T read(String text, TypeReference<T> type, String noun) {
        try {
            return JSON.read(
                    text.startsWith(PACKED)
                            ? unpacked(text.substring(PACKED.length()))
                            : new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)),
                    type);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "it is no " + noun + ": neither JSON of one nor " + PACKED + " and base64 of that: "
                            + e.getMessage(),
                    e);
        }
    }

    private static String pack(String json) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(packed)) {
            zip.write(json.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Base64.getEncoder().encodeToString(packed.toByteArray());
    }

    private static InputStream unpacked(String packed) {
        try {
            return new GZIPInputStream(
                    new ByteArrayInputStream(Base64.getDecoder().decode(packed)));
        } catch (IOException e) {
            throw new IllegalArgumentException("it cannot be unpacked: " + e.getMessage(), e);
        }
    }
}
