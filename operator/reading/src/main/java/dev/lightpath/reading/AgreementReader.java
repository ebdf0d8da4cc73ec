package dev.lightpath.reading;

import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.TrainingJobStatus;
import dev.lightpath.crds.job.agreement.HookAgreement;
import dev.lightpath.planner.words.Words;
import dev.lightpath.planner.world.Agreement;
import dev.lightpath.reading.label.Labels;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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

    /** Of the name of a slice: its attempt, and what follows it. */
    private static final Pattern ATTEMPT = Pattern.compile("-[0-9]+(-[a-z0-9]+)$");

    private static final int MOST_TOLD = 200;

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
     * What the annotation of a job says of one slice, and what a pod of it answered by its hook; what cannot be read
     * agrees to nothing.
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

    /**
     * What the annotation of a job says by mistake, as far as a person reads it, where it does not agree to a revision
     * of a slice. Answers to earlier moves may stay, as may those for other slices of the job.
     *
     * @param slices names of all slices of the job
     * @param recorded the revision that the slice has
     */
    public static Optional<String> otherwise(
            TrainingJob job, List<String> slices, String slice, long recorded, long revision) {
        return agreed(job, slice).contains(revision)
                ? Optional.empty()
                : unannounced(job, slices, Map.of(slice, recorded));
    }

    /**
     * What the annotation of a job says by mistake where it is asked about nothing: it names no slice of the job, or a
     * revision that was never announced.
     *
     * @param slices names of all slices of the job
     * @param told the latest revision of each slice that was recorded or announced
     */
    public static Optional<String> unannounced(TrainingJob job, List<String> slices, Map<String, Long> told) {
        Set<String> known = slices.stream().map(AgreementReader::ofAnyAttempt).collect(Collectors.toUnmodifiableSet());
        String mistakes = Labels.annotation(job, LightpathAnnotations.AGREED_REVISION).stream()
                .flatMap(text -> Arrays.stream(text.split(",", -1)))
                .map(String::strip)
                .filter(word -> !word.isEmpty()
                        && told.entrySet().stream()
                                .anyMatch(each -> isMistake(word, known, each.getKey(), each.getValue())))
                .collect(Collectors.joining(", "));
        return mistakes.isEmpty() ? Optional.empty() : Optional.of(Words.shortened(mistakes, MOST_TOLD));
    }

    private static boolean isMistake(String word, Set<String> known, String slice, long recorded) {
        int slash = word.lastIndexOf('/');
        String named = slash < 0 ? word : word.substring(0, slash);
        String number = slash < 0 ? "" : word.substring(slash + 1);
        return named.equals(slice)
                ? !REVISION.matcher(number).matches() || Long.parseLong(number) > recorded
                : !known.contains(ofAnyAttempt(named));
    }

    /** Slices of earlier attempts are gone, and what was answered of them may stay. */
    private static String ofAnyAttempt(String slice) {
        return ATTEMPT.matcher(slice).replaceFirst("$1");
    }

    /** What pods of a job agreed to by its hook. */
    public static List<HookAgreement> hooked(TrainingJob job) {
        @Nullable TrainingJobStatus status = job.getStatus();
        return status == null ? List.of() : status.agreed();
    }
}
