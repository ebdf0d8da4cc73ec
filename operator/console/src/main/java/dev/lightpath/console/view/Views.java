package dev.lightpath.console.view;

import dev.lightpath.console.Look;
import dev.lightpath.console.Seen;
import dev.lightpath.console.Timeline;
import dev.lightpath.console.picture.JobPicture;
import dev.lightpath.console.picture.RingPicture;
import dev.lightpath.console.picture.SpinePicture;
import dev.lightpath.console.picture.SwitchPicture;
import dev.lightpath.console.report.StatusReport;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The document of each view, by its address below {@code api/}. */
public final class Views {
    private Views() {}

    /** The parts of an address as a browser sends it. */
    public static List<String> path(String address) {
        return Arrays.stream(address.split("/", -1))
                .map(part -> URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8))
                .toList();
    }

    /** The moments at which something was seen to change, RFC 3339, the oldest first: a view can be had as of each. */
    public record Moments(String since, List<String> moments) {}

    /**
     * {@code overview}, {@code ring/FABRIC}, {@code spine/FABRIC}, {@code switch/NAME}, {@code job/NAMESPACE/NAME},
     * {@code timeline} or {@code moments}; empty where there is no such thing, or none that the viewer may see.
     */
    public static Optional<Object> of(List<String> path, Seen seen) {
        Look look = seen.look();
        boolean fabrics = look.sight().fabrics();
        String view = path.isEmpty() ? "" : path.getFirst() + "/" + path.size();
        return switch (view) {
            case "overview/1" -> Optional.of(overview(look));
            case "timeline/1" -> Optional.of(Timeline.of(look, seen.happenings(), seen.since()));
            case "moments/1" -> Optional.of(moments(seen));
            case "job/3" -> JobPicture.of(path.get(1), path.get(2), look).map(Object.class::cast);
            case "ring/2" -> fabrics ? RingPicture.of(path.get(1), look).map(Object.class::cast) : Optional.empty();
            case "spine/2" -> fabrics ? SpinePicture.of(path.get(1), look).map(Object.class::cast) : Optional.empty();
            case "switch/2" -> fabrics ? SwitchPicture.of(path.get(1), look).map(Object.class::cast) : Optional.empty();
            default -> Optional.empty();
        };
    }

    /**
     * What there was to see at a moment.
     *
     * @param moment RFC 3339; null for now
     * @throws IllegalArgumentException in one line, when it is no moment, or earlier than what is known
     */
    public static Seen at(Seen seen, @Nullable String moment) {
        if (moment == null || moment.isEmpty()) {
            return seen;
        }
        Instant at;
        try {
            at = OffsetDateTime.parse(moment).toInstant();
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "'" + moment + "' is no moment: allowed is RFC 3339, as "
                            + seen.look().at(),
                    e);
        }
        return seen.at(at)
                .orElseThrow(() -> new IllegalArgumentException("how it was at " + moment
                        + " is not known: this console recorded nothing before "
                        + seen.looks().getFirst().at()));
    }

    private static Moments moments(Seen seen) {
        return new Moments(
                seen.since().toString(),
                seen.looks().stream().map(look -> look.at().toString()).toList());
    }

    private static StatusReport overview(Look look) {
        boolean fabrics = look.sight().fabrics();
        return StatusReport.of(
                look.leader(),
                fabrics ? look.fabrics() : List.of(),
                fabrics ? look.switches() : List.of(),
                look.shownJobs(),
                look.shownSlices());
    }
}
