package dev.lightpath.app.job.plan;

import dev.lightpath.app.agreeing.HookAnswer;
import dev.lightpath.app.agreeing.HookQuestion;
import dev.lightpath.app.conditions.Conditions.Verdict;
import dev.lightpath.app.job.facts.JobFacts;
import dev.lightpath.app.job.facts.SliceFacts;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.Reason;
import dev.lightpath.crds.job.TrainingJobStatus;
import dev.lightpath.crds.job.agreement.HookAgreement;
import dev.lightpath.crds.slice.Announcement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the hook of a job came to: who agreed, which the planner reads, and what is told of it.
 *
 * @param agreed to what is announced now, or was last
 * @param verdict of two announcements on the one that waits; empty before the first answer
 */
record HookReport(List<HookAgreement> agreed, Optional<Verdict> verdict) {
    HookReport {
        agreed = List.copyOf(agreed);
    }

    static HookReport of(JobFacts facts) {
        List<HookAgreement> agreed = new ArrayList<>();
        List<Verdict> verdicts = new ArrayList<>();
        for (SliceFacts slice : facts.current()) {
            Hooks.agreed(facts, slice).ifPresent(known -> {
                agreed.add(known);
                verdicts.add(agreed(known));
            });
        }
        for (Hooks.Hook hook : Hooks.of(facts)) {
            switch (hook) {
                case Hooks.Refused(SliceFacts slice, String why) ->
                    verdicts.add(Verdict.fails(
                            Reason.HOOK_FAILED, subject(slice) + "spec.agreement.hook is not called: " + why));
                case Hooks.Asked(SliceFacts slice, HookQuestion question) -> {
                    @Nullable HookAnswer answer = facts.hooks().answers().get(question);
                    if (answer instanceof HookAnswer.Agreed(var at)) {
                        HookAgreement now =
                                new HookAgreement(question.slice(), question.revision(), question.pod(), at.toString());
                        agreed.add(now);
                        verdicts.add(agreed(now));
                    } else {
                        (answer == null ? before(facts, slice) : Optional.of(waits(slice, question, answer)))
                                .ifPresent(verdicts::add);
                    }
                }
            }
        }
        return new HookReport(
                agreed,
                verdicts.stream()
                        .filter(verdict -> !verdict.holds())
                        .findFirst()
                        .or(() -> verdicts.stream().findFirst()));
    }

    private static Verdict agreed(HookAgreement agreed) {
        return Verdict.because(
                Reason.AGREED.word(),
                subject(agreed.slice(), agreed.revision()) + "pod " + agreed.pod() + " agreed (" + agreed.at() + ")");
    }

    private static Verdict waits(SliceFacts slice, HookQuestion question, HookAnswer answer) {
        String pod = subject(slice) + "pod " + question.pod();
        String again = "; it is asked again until " + until(slice);
        return answer instanceof HookAnswer.Failed(String why)
                ? Verdict.fails(Reason.HOOK_FAILED, pod + " gave no valid answer: " + why + again)
                : Verdict.fails(Reason.HOOK_WAITS, pod + " has heard, and is not ready yet" + again);
    }

    private static String until(SliceFacts slice) {
        return slice.announcement().map(Announcement::until).orElse("");
    }

    /** A process that begins anew says what was said until it knows better. */
    private static Optional<Verdict> before(JobFacts facts, SliceFacts slice) {
        @Nullable TrainingJobStatus status = facts.job().getStatus();
        return status == null
                ? Optional.empty()
                : status.conditions().stream()
                        .filter(condition -> ConditionType.HOOK_ANSWERED.word().equals(condition.getType())
                                && condition.getMessage().startsWith(subject(slice))
                                && !"True".equals(condition.getStatus()))
                        .map(condition -> Verdict.fails(condition.getReason(), condition.getMessage()))
                        .findFirst();
    }

    private static String subject(SliceFacts slice) {
        return subject(
                slice.name(), slice.announcement().map(Announcement::revision).orElse(0L));
    }

    private static String subject(String slice, long revision) {
        return "move of slice " + slice + " to revision " + revision + ": ";
    }
}
