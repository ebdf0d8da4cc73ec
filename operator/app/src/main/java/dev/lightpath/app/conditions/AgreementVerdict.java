package dev.lightpath.app.conditions;

import dev.lightpath.app.conditions.Conditions.Verdict;
import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.Reason;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.Announcement;
import dev.lightpath.crds.slice.AnnouncementAnswer;
import dev.lightpath.reading.AgreementReader;
import java.util.List;
import java.util.Optional;

/** Whether light that was announced to a job may move. */
public final class AgreementVerdict {
    private static final String NOW = "; now ";
    private static final String MOVES = " moves to revision ";
    private static final String MOVED = " moved to revision ";

    private AgreementVerdict() {}

    /**
     * The same for the job: it also says what the annotation names in place of the revision that was announced.
     *
     * @param slices names of all slices of the job
     */
    public static Verdict of(
            TrainingJob job, List<String> slices, String slice, Allocation recorded, Announcement announcement) {
        Verdict verdict = of(slice, recorded, announcement);
        return verdict.holds()
                ? verdict
                : AgreementReader.otherwise(job, slices, slice, recorded.revision(), announcement.revision())
                        .map(says -> Verdict.fails(
                                verdict.reason(),
                                verdict.message() + NOW + "it is " + says + ", which is not announced"))
                        .orElse(verdict);
    }

    /**
     * Of a job that is asked about nothing, or about nothing any more, and whose annotation names what was not
     * announced.
     *
     * @param says by mistake
     * @param ended what ended the last announcement; empty where there was none
     */
    public static Verdict unannounced(TrainingJob job, String says, Optional<Verdict> ended) {
        String note = "annotation " + LightpathAnnotations.AGREED_REVISION + " is " + says + ", which is not announced";
        return ended.map(verdict -> Verdict.because(verdict.reason(), verdict.message() + NOW + note))
                .orElseGet(() -> Verdict.fails(
                        Reason.NOT_ANNOUNCED,
                        note + ": "
                                + (job.getSpec().agreement() == null
                                        ? "the job is not asked before its light moves, as it has no spec.agreement"
                                        : "light.json says what to write once light of the job is to move")));
    }

    /**
     * What is said of an announcement, without what the annotation of the job says beside it, and whether its light has
     * moved or moves still.
     */
    public static String announced(String message) {
        int note = message.indexOf(NOW);
        return (note < 0 ? message : message.substring(0, note)).replace(MOVED, MOVES);
    }

    /**
     * @param slice whose light it is
     * @param recorded the record of the slice
     * @param announcement what was announced of it
     */
    public static Verdict of(String slice, Allocation recorded, Announcement announcement) {
        long revision = announcement.revision();
        boolean moved = recorded.revision() >= revision && recorded.releasing() == null;
        String what = "light of slice " + slice + (moved ? MOVED : MOVES) + revision;
        AnnouncementAnswer answer = announcement.answer();
        if (answer == null) {
            return Verdict.fails(
                    Reason.AWAITING_AGREEMENT,
                    what + " once the job agrees, at " + announcement.until() + " at the latest (annotation "
                            + LightpathAnnotations.AGREED_REVISION + "=" + AgreementReader.word(slice, revision)
                            + " of the job)");
        }
        String since = " (" + announcement.answeredAt() + ")";
        return switch (answer) {
            case AGREED -> Verdict.because(Reason.AGREED.word(), what + ": the job agreed" + since);
            case LIMIT_PASSED ->
                Verdict.because(
                        Reason.LIMIT_PASSED.word(),
                        what + ": the job did not answer within agreement.waitSeconds" + since);
            case LIGHT_LOST ->
                Verdict.because(
                        Reason.LIGHT_LOST.word(),
                        "light of slice " + slice + " is repaired and not asked about: a fault struck the job" + since);
            case NOT_NEEDED ->
                Verdict.because(
                        Reason.NOT_NEEDED.word(),
                        "the move of slice " + slice + " to revision " + revision
                                + " is off: no pod uses its light, spec.agreement is gone, that is not to move, or the"
                                + " job that it makes room for waits no more" + since);
        };
    }
}
