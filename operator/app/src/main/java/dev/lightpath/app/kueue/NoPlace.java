package dev.lightpath.app.kueue;

import java.time.Instant;
import java.util.Optional;

/**
 * Why a Workload is kept from its queue, and how long. Annotation of the Workload: the time, a space, the words.
 *
 * @param words why there was no place
 */
public record NoPlace(Instant until, String words) {
    /** Empty where there is none. A time that is none is in the past. */
    static Optional<NoPlace> read(String annotation) {
        int space = annotation.indexOf(' ');
        return annotation.isEmpty()
                ? Optional.empty()
                : Optional.of(new NoPlace(
                        QueuedWorkload.time(space < 0 ? annotation : annotation.substring(0, space)),
                        space < 0 ? "" : annotation.substring(space + 1)));
    }

    String annotation() {
        return until + " " + words;
    }

    /**
     * For people.
     *
     * @param lacksGpus whether it stays out beyond that time too, until there are nodes enough
     */
    public String told(boolean lacksGpus) {
        return "there was no place (" + words + "); it is not tried again before " + until
                + (lacksGpus ? ", nor while its fabric has fewer GPUs that can be used than it wants" : "");
    }
}
