package dev.lightpath.app.conditions;

import dev.lightpath.app.conditions.Conditions.Verdict;
import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.Reason;
import dev.lightpath.crds.slice.Announcement;
import dev.lightpath.crds.slice.AnnouncementAnswer;
import dev.lightpath.reading.AgreementReader;

/** Whether light that was announced to a job may move. */
public final class AgreementVerdict {
    private AgreementVerdict() {}

    /** @param slice whose light it is */
    public static Verdict of(String slice, Announcement announcement) {
        long revision = announcement.revision();
        String what = "light of slice " + slice + " moves to revision " + revision;
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
