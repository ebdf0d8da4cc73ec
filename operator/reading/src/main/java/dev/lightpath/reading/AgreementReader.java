package dev.lightpath.reading;

import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.TrainingJobStatus;
import dev.lightpath.crds.job.agreement.HookAgreement;
import dev.lightpath.planner.world.Agreement;
import dev.lightpath.reading.label.Labels;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Whether a job is asked before its light moves on purpose, and what it answers. */
public final class AgreementReader {
    /** Of at most 15 digits: no revision is larger, and every reader of JSON can tell it. */
    private static final Pattern REVISION = Pattern.compile("[0-9]{1,15}");

    private AgreementReader() {}

    /** What a job writes to agree to a revision of one of its slices. */
    public static String word(String slice, long revision) {
        return slice + "/" + revision;
    }

    /** Empty for a job that does not ask to be asked. */
    static Optional<Agreement> read(TrainingJob job, String slice) {
        return Optional.ofNullable(job.getSpec().agreement())
                .map(asked -> new Agreement(
                        Duration.ofSeconds(Math.clamp(
                                asked.waitSeconds(), 1, dev.lightpath.crds.job.agreement.Agreement.LONGEST_SECONDS)),
                        agreed(job, slice)));
    }

    /**
     * What the annotation of a job says of one slice, and what a pod of it answered by its hook; what cannot be read agrees
     * to nothing.
     */
    static SortedSet<Long> agreed(TrainingJob job, String slice) {
        Stream<Long> annotated = Labels.annotation(job, LightpathAnnotations.AGREED_REVISION).stream()
                .flatMap(text -> Arrays.stream(text.split(",", -1)))
                .map(String::strip)
                .filter(word -> word.startsWith(slice + "/"))
                .map(word -> word.substring(slice.length() + 1))
                .filter(number -> REVISION.matcher(number).matches())
                .map(Long::valueOf);
        Stream<Long> answered = hooked(job).stream()
                .filter(agreed -> agreed.slice().equals(slice))
                .map(HookAgreement::revision);
        return Stream.concat(annotated, answered).collect(Collectors.toCollection(TreeSet::new));
    }

    /** What pods of a job agreed to by its hook. */
    public static List<HookAgreement> hooked(TrainingJob job) {
        @Nullable TrainingJobStatus status = job.getStatus();
        return status == null ? List.of() : status.agreed();
    }
}
