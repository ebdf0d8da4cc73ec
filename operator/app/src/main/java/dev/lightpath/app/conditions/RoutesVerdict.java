package dev.lightpath.app.conditions;

import dev.lightpath.app.conditions.Conditions.Verdict;
import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.Reason;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.light.RoutedRevision;
import java.util.Optional;

/** Whether routes follow the circuits of a slice that has a place, where its fabric asks for that. */
public final class RoutesVerdict {
    private RoutesVerdict() {}

    /**
     * An acknowledgement counts for the recorded revision alone, however its light stands: routes that follow circuits
     * that fail follow them still.
     *
     * @param qualified whether the light of the slice is qualified
     * @return empty where nobody asks for routes
     */
    public static Optional<Verdict> of(SliceVerdict verdict, Verdict qualified) {
        return verdict.routed()
                .flatMap(said -> verdict.allocation().map(recorded -> of(said, recorded.revision(), qualified)));
    }

    private static Verdict of(RoutedRevision said, long revision, Verdict qualified) {
        if (said.follows(revision)) {
            return Verdict.because(Reason.ACKNOWLEDGED.word(), "routes follow the circuits of revision " + revision);
        }
        String circuits = "circuits of revision " + revision;
        return qualified.holds()
                ? Verdict.fails(Reason.AWAITING_ROUTES, circuits + " are qualified; " + missing(said, revision))
                : Verdict.fails(
                        Reason.CIRCUITS_CHANGING, circuits + " are not qualified yet; " + missing(said, revision));
    }

    private static String missing(RoutedRevision said, long revision) {
        String none = "no router has acknowledged it (annotation " + LightpathAnnotations.ROUTED_REVISION;
        return switch (said) {
            case RoutedRevision.Missing nothing -> none + ")";
            case RoutedRevision.Acknowledged of
            when of.revision() > revision ->
                none + " is " + of.revision() + ", which was never recorded: write " + revision + ")";
            case RoutedRevision.Acknowledged of -> none + " is " + of.revision() + ")";
            case RoutedRevision.Unreadable of ->
                none + " is '" + of.text() + "': write a whole number, here " + revision + ")";
        };
    }
}
