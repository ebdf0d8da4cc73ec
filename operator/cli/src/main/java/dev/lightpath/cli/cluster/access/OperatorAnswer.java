package dev.lightpath.cli.cluster.access;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.lightpath.console.text.BadInput;

/**
 * What the operator answered.
 *
 * @param who answered, for people
 * @param body JSON
 */
public record OperatorAnswer(String who, String body) {
    /** A later operator may say more. */
    private static final ObjectMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    /**
     * Reads it.
     *
     * @param what it should be, for people: {@code view}, {@code plan} ...
     * @throws BadInput when it is none
     */
    public <T> T as(Class<T> type, String what) {
        try {
            T read = JSON.readValue(body, type);
            if (read == null) {
                throw new BadInput(who + " answered something that is no " + what + ": null");
            }
            return read;
        } catch (JsonProcessingException e) {
            throw new BadInput(
                    who + " answered something that is no " + what + ": "
                            + Connection.firstLine(e.getOriginalMessage()),
                    e);
        }
    }
}
