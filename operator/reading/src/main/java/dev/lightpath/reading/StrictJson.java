package dev.lightpath.reading;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/**
 * Reads untrusted JSON. It accepts JSON only: no YAML, no comments, no key twice, nothing after the document, no number
 * in quotes. Every bound is checked before memory is allocated. No text of it stays in memory after it was read.
 */
public final class StrictJson {
    private static final int LONGEST_NAME = 1 << 10;
    private static final int LONGEST_NUMBER = 64;
    private static final int LONGEST_PROBLEM = 300;

    private final JsonMapper mapper;
    private final int bytes;

    /**
     * The reader of documents of one kind.
     *
     * @param bytes of a document
     * @param depth of lists and objects in each other
     * @param tokens names, values, and beginnings and ends of lists and objects
     * @param text characters of a string
     */
    public StrictJson(int bytes, int depth, long tokens, int text) {
        this.bytes = bytes;
        this.mapper = JsonMapper.builder(JsonFactory.builder()
                        .streamReadConstraints(StreamReadConstraints.builder()
                                .maxNestingDepth(depth)
                                .maxTokenCount(tokens)
                                .maxStringLength(text)
                                .maxNameLength(LONGEST_NAME)
                                .maxNumberLength(LONGEST_NUMBER)
                                .build())
                        // a table of names would keep those of strangers
                        .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                        .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                        .build())
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .defaultSetterInfo(JsonSetter.Value.forContentNulls(Nulls.FAIL))
                .build();
    }

    /**
     * Reads one document, and no more of it than may be read.
     *
     * @throws IllegalArgumentException when it is something else, or too large: one line that names the key or the
     *     place
     */
    public <T> T read(InputStream content, TypeReference<T> type) {
        T value;
        try (InputStream bounded = new Bounded(content, bytes)) {
            value = mapper.readValue(bounded, type);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(where(e) + problem(e.getOriginalMessage()), e);
        } catch (IOException e) {
            throw new IllegalArgumentException(problem(String.valueOf(e.getMessage())), e);
        }
        if (value == null) {
            throw new IllegalArgumentException("is null");
        }
        return value;
    }

    /** For example {@code groups[0].nodes: }, or the line and the column of what is no JSON at all. */
    private static String where(JsonProcessingException e) {
        StringBuilder path = new StringBuilder();
        for (JsonMappingException.Reference step : e instanceof JsonMappingException mapping
                ? mapping.getPath()
                : List.<JsonMappingException.Reference>of()) {
            String name = step.getFieldName();
            path.append(name == null ? "[" + step.getIndex() + "]" : (path.isEmpty() ? "" : ".") + name);
        }
        if (path.isEmpty() && e.getProcessor() instanceof JsonParser parser) {
            path.append(parser.getParsingContext().pathAsPointer());
        }
        String place = e.getLocation() == null
                ? ""
                : "line " + e.getLocation().getLineNr() + ", column "
                        + e.getLocation().getColumnNr();
        return path.isEmpty()
                ? place.isEmpty() ? "" : place + ": "
                : shown(path.toString()) + (place.isEmpty() ? "" : " (" + place + ")") + ": ";
    }

    /** Jackson's words in one line, without the names of its own settings. */
    private static String problem(String message) {
        return shown(message.replaceAll(", from `[^`]*`", "")
                .replaceAll("\\s*\\(start marker at [^)]*\\)", "")
                .lines()
                .findFirst()
                .orElse(""));
    }

    private static String shown(String text) {
        String line = text.replaceAll("\\p{Cntrl}", "?");
        return line.length() <= LONGEST_PROBLEM ? line : line.substring(0, LONGEST_PROBLEM) + "...";
    }

    /** Ends with an error where a longer document would go on. */
    private static final class Bounded extends FilterInputStream {
        private final int most;
        private int left;

        Bounded(InputStream in, int most) {
            super(in);
            this.most = most;
            this.left = most;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            int read = super.read(into, offset, Math.min(length, left + 1));
            left -= Math.max(read, 0);
            if (left < 0) {
                throw new IOException("is longer than " + most + " bytes, which is the most that is read");
            }
            return read;
        }
    }
}
