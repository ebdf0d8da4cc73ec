package dev.lightpath.app.access;

import java.util.List;
import java.util.Map;

/** A caller that the API server has identified. */
public record Caller(String name, String uid, List<String> groups, Map<String, List<String>> extra) {
    public Caller {
        groups = List.copyOf(groups);
        extra = Map.copyOf(extra);
    }
}
