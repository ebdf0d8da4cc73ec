package dev.lightpath.console.view;

import dev.lightpath.console.Happening;
import dev.lightpath.console.Look;
import dev.lightpath.console.Timeline;
import dev.lightpath.console.picture.JobPicture;
import dev.lightpath.console.picture.RingPicture;
import dev.lightpath.console.picture.SpinePicture;
import dev.lightpath.console.picture.SwitchPicture;
import dev.lightpath.console.report.StatusReport;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
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

    /**
     * {@code overview}, {@code ring/FABRIC}, {@code spine/FABRIC}, {@code switch/NAME}, {@code job/NAMESPACE/NAME} or
     * {@code timeline}; empty where there is no such thing, or none that the viewer may see.
     *
     * @param seen what was seen to change, for the timeline
     * @param since since when changes are watched; null where they are not
     */
    public static Optional<Object> of(List<String> path, Look look, List<Happening> seen, @Nullable Instant since) {
        boolean fabrics = look.sight().fabrics();
        String view = path.isEmpty() ? "" : path.getFirst() + "/" + path.size();
        return switch (view) {
            case "overview/1" -> Optional.of(overview(look));
            case "timeline/1" -> Optional.of(Timeline.of(look, seen, since));
            case "job/3" -> JobPicture.of(path.get(1), path.get(2), look).map(Object.class::cast);
            case "ring/2" -> fabrics ? RingPicture.of(path.get(1), look).map(Object.class::cast) : Optional.empty();
            case "spine/2" -> fabrics ? SpinePicture.of(path.get(1), look).map(Object.class::cast) : Optional.empty();
            case "switch/2" -> fabrics ? SwitchPicture.of(path.get(1), look).map(Object.class::cast) : Optional.empty();
            default -> Optional.empty();
        };
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
