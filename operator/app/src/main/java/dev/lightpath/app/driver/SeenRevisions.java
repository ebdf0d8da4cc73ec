package dev.lightpath.app.driver;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The highest revision of our records that devices of one driver remember, by role. What this process told them itself
 * is no news.
 */
final class SeenRevisions {
    private final Map<String, Long> remembered = new HashMap<>();
    private final Map<String, Long> told = new HashMap<>();

    /** True when that is news. */
    boolean add(String role, long revision) {
        boolean higher = revision > remembered.getOrDefault(role, 0L);
        if (higher) {
            remembered.put(role, revision);
        }
        return higher;
    }

    /** A change of this revision is on its way. */
    void tell(String role, long revision) {
        told.merge(role, revision, Math::max);
    }

    /** Of these roles, where it is not from us. */
    SortedMap<String, Long> of(Collection<String> roles) {
        SortedMap<String, Long> news = new TreeMap<>();
        for (String role : roles) {
            long known = remembered.getOrDefault(role, 0L);
            if (known > told.getOrDefault(role, 0L)) {
                news.put(role, known);
            }
        }
        return news;
    }

    /** Of these roles, the highest that this process told. */
    SortedMap<String, Long> toldOf(Collection<String> roles) {
        SortedMap<String, Long> ours = new TreeMap<>(told);
        ours.keySet().retainAll(roles);
        return ours;
    }

    /** Another driver is at this address. */
    void clear() {
        remembered.clear();
    }
}
