package dev.lightpath.app.access;

import java.util.List;
import java.util.Map;

/** Somebody whom the API server knows, by what it says of them. */
public record Caller(String name, String uid, List<String> groups, Map<String, List<String>> extra) {
    public Caller {
        groups = List.copyOf(groups);
        extra = Map.copyOf(extra);
    }
}
