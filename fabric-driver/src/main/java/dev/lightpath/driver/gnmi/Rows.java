package dev.lightpath.driver.gnmi;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.github.gnmi.proto.Notification;
import com.github.gnmi.proto.TypedValue;
import com.github.gnmi.proto.Update;
import com.google.protobuf.ByteString;
import dev.lightpath.driver.session.LostException;
import dev.lightpath.driver.session.OneLine;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reads the entries of one YANG list, or the one of a container, from answers in JSON (RFC 7951), however deep in the
 * answer the list is: servers put a value into the names of its nodes, or do not. Entries are handed on one by one, so
 * that many need no memory.
 */
final class Rows {
    private static final int MOST_LEVELS = 16;
    private static final int LONGEST_NAME = 256;
    private static final int LONGEST_TEXT = 1 << 14;
    private static final int MOST_FIELDS = 64;
    private static final int MOST_ROWS = 1 << 20;

    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MOST_LEVELS)
                    .maxNameLength(LONGEST_NAME)
                    .maxStringLength(LONGEST_TEXT)
                    .maxNumberLength(LONGEST_NAME)
                    .build())
            .build();

    /** Takes an entry. */
    @FunctionalInterface
    interface Taker {
        /** @param row its leaves as texts, by their names without the module; those that are null are left out */
        void take(Map<String, String> row) throws LostException;
    }

    private final String list;
    private final Taker taker;
    private int rows;

    private Rows(String list, Taker taker) {
        this.list = list;
        this.taker = taker;
    }

    /**
     * Reads all of an answer.
     *
     * @param list name of the list or container, without its module
     * @throws LostException when the answer is not what such a list may be, or too large
     */
    static void read(List<Notification> answer, String list, Taker taker) throws LostException {
        Rows reading = new Rows(list, taker);
        for (Notification notification : answer) {
            for (Update update : notification.getUpdateList()) {
                reading.value(update.getVal());
            }
        }
    }

    private void value(TypedValue value) throws LostException {
        switch (value.getValueCase()) {
            case JSON_IETF_VAL -> json(value.getJsonIetfVal());
            case JSON_VAL -> json(value.getJsonVal());
            default ->
                throw new LostException(
                        "the device answers with a " + value.getValueCase() + " where JSON is asked for");
        }
    }

    private void json(ByteString text) throws LostException {
        try (JsonParser in = JSON.createParser(text.newInput())) {
            if (in.nextToken() != JsonToken.START_OBJECT) {
                throw new LostException("the device answers with JSON that is no object");
            }
            object(in);
            if (in.nextToken() != null) {
                throw new LostException("the device answers with more than one JSON value");
            }
        } catch (JsonProcessingException e) {
            throw new LostException(
                    "the device's JSON cannot be read: " + OneLine.of(String.valueOf(e.getOriginalMessage())));
        } catch (IOException e) {
            throw new LostException("the device's JSON cannot be read: " + OneLine.of(String.valueOf(e.getMessage())));
        }
    }

    private void object(JsonParser in) throws IOException, LostException {
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            boolean here = local(in.currentName()).equals(list);
            JsonToken token = in.nextToken();
            if (here && token == JsonToken.START_ARRAY) {
                entries(in);
            } else if (here && token == JsonToken.START_OBJECT) {
                take(in);
            } else if (token == JsonToken.START_OBJECT) {
                object(in);
            } else {
                in.skipChildren();
            }
        }
    }

    private void entries(JsonParser in) throws IOException, LostException {
        while (in.nextToken() != JsonToken.END_ARRAY) {
            if (in.currentToken() != JsonToken.START_OBJECT) {
                throw new LostException("an entry of " + list + " is no JSON object");
            }
            take(in);
        }
    }

    private void take(JsonParser in) throws IOException, LostException {
        if (++rows > MOST_ROWS) {
            throw new LostException("the device tells more than " + MOST_ROWS + " entries of " + list);
        }
        taker.take(entry(in));
    }

    private Map<String, String> entry(JsonParser in) throws IOException, LostException {
        Map<String, String> row = new TreeMap<>();
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            String name = local(in.currentName());
            JsonToken token = in.nextToken();
            if (token.isStructStart()) {
                in.skipChildren();
            } else if (token != JsonToken.VALUE_NULL) {
                row.put(name, in.getText());
            }
            if (row.size() > MOST_FIELDS) {
                throw new LostException("an entry of " + list + " has more than " + MOST_FIELDS + " leaves");
            }
        }
        return row;
    }

    /** A name without its module. */
    static String local(String name) {
        return name.substring(name.indexOf(':') + 1);
    }
}
