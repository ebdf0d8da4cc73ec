package dev.lightpath.console;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What was seen at one moment, and before.
 *
 * @param happenings what was seen to change, the newest first
 * @param since since when changes are watched
 * @param looks all that are still known, the oldest first; the last is {@code look}, unless this is the past
 * @param documents answers that were worked out already, by address; of any thread
 */
public record Seen(
        Look look, List<Happening> happenings, Instant since, List<Look> looks, Map<String, byte[]> documents) {

    /** The same for a viewer, who has read nothing yet. */
    public Seen as(Sight sight) {
        return new Seen(look.as(sight), happenings, since, looks, Map.of());
    }

    /** What there was to see at a moment; empty where nothing that old is known. Linear in looks. */
    public Optional<Seen> at(Instant moment) {
        Look found = null;
        for (Look each : looks) {
            if (!each.at().isAfter(moment)) {
                found = each;
            }
        }
        if (found == null) {
            return Optional.empty();
        }
        List<Happening> until = happenings.stream()
                .filter(each -> !Instant.parse(each.at()).isAfter(moment))
                .toList();
        return Optional.of(new Seen(found, until, since, looks, Map.of()));
    }
}
