package dev.lightpath.reading;

import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamWriteConstraints;
import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * How the JSON of the API server is read. A tenant may write a name that is longer, or a list that is deeper, than
 * Jackson reads by default. One such object hid all others of its list, from all users. So everything that the API
 * server accepts is read: an object has at most a few megabytes there, and lists in lists end at 10 000.
 */
public final class ApiJson {
    /**
     * Characters of a name or a text: several times what etcd stores of an object, and what the API server takes of a
     * request.
     */
    private static final int LONGEST = 1 << 23;

    /** A list of such objects, and what is noted of their fields, is a few levels deeper. */
    private static final int DEEPEST = 10_100;

    private ApiJson() {}

    /** Lets it read and write what the API server takes. */
    public static ObjectMapper generous(ObjectMapper mapper) {
        mapper.getFactory()
                .setStreamReadConstraints(StreamReadConstraints.builder()
                        .maxNameLength(LONGEST)
                        .maxStringLength(LONGEST)
                        .maxNestingDepth(DEEPEST)
                        .build())
                .setStreamWriteConstraints(StreamWriteConstraints.builder()
                        .maxNestingDepth(DEEPEST)
                        .build());
        return mapper;
    }
}
