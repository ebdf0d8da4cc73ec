package dev.lightpath.app.job.plan;

import dev.lightpath.app.agreeing.HookQuestion;
import dev.lightpath.app.job.facts.JobFacts;
import dev.lightpath.app.job.facts.PodFacts;
import dev.lightpath.app.job.facts.RankedNode;
import dev.lightpath.app.job.facts.SliceFacts;
import dev.lightpath.app.job.workload.LightFile;
import dev.lightpath.crds.fabric.policy.PortRange;
import dev.lightpath.crds.job.agreement.Agreement;
import dev.lightpath.crds.job.agreement.AgreementHook;
import dev.lightpath.crds.job.agreement.HookAgreement;
import dev.lightpath.crds.slice.Announcement;
import dev.lightpath.reading.AgreementReader;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Whom the hook of a job asks. The pod of rank 0 answers for the whole job, as the annotation does: there the training
 * process knows when a checkpoint is whole, and a job of thousands of pods costs one call.
 */
public final class Hooks {
    private Hooks() {}

    /** What becomes of the hook for one announcement. */
    sealed interface Hook {
        SliceFacts slice();
    }

    record Asked(SliceFacts slice, HookQuestion question) implements Hook {}

    /** @param why nobody is asked */
    record Refused(SliceFacts slice, String why) implements Hook {}

    /** What there is to ask the job: nothing that it agreed to. */
    public static List<HookQuestion> questions(JobFacts facts) {
        return of(facts).stream()
                .filter(Asked.class::isInstance)
                .map(hook -> ((Asked) hook).question())
                .toList();
    }

    /** The slices whose announcements the hook is called for: none for a job without one. */
    public static List<SliceFacts> announced(JobFacts facts) {
        return hook(facts).isEmpty() || facts.deleted()
                ? List.of()
                : facts.current().stream()
                        .filter(slice ->
                                slice.announcement().filter(Announcement::open).isPresent())
                        .filter(slice -> agreed(facts, slice).isEmpty())
                        .toList();
    }

    static List<Hook> of(JobFacts facts) {
        return announced(facts).stream()
                .map(slice -> of(facts, slice, hook(facts).orElseThrow()))
                .toList();
    }

    private static Hook of(JobFacts facts, SliceFacts slice, AgreementHook hook) {
        List<PortRange> ports = facts.hooks().ports().getOrDefault(slice.fabric(), List.of());
        if (ports.isEmpty()) {
            return new Refused(
                    slice, "fabric " + slice.fabric() + " allows no hooks (policy.agreementHooks of the fabric)");
        }
        if (ports.stream().noneMatch(range -> range.contains(hook.port()))) {
            return new Refused(
                    slice,
                    "port " + hook.port() + " is none that fabric " + slice.fabric() + " allows: "
                            + ports.stream().map(PortRange::words).collect(Collectors.joining(", ")));
        }
        List<RankedNode> ranked = RankedNode.of(facts.current());
        Optional<PodFacts> first = facts.workload().workers().stream()
                .filter(pod -> pod.runs()
                        && pod.rank().orElse(-1) == 0
                        && !ranked.isEmpty()
                        && pod.node().equals(ranked.getFirst().node()))
                .findFirst();
        return first.<Hook>map(pod -> new Asked(
                        slice,
                        new HookQuestion(
                                facts.job().getMetadata().getNamespace(),
                                facts.job().getMetadata().getName(),
                                slice.name(),
                                slice.announcement().orElseThrow().revision(),
                                pod.name(),
                                pod.node(),
                                hook.port(),
                                hook.path(),
                                LightFile.of(facts).announcement(slice, ranked.getFirst()))))
                .orElseGet(() -> new Refused(slice, "no pod of rank 0 runs at its node"));
    }

    private static Optional<AgreementHook> hook(JobFacts facts) {
        @Nullable Agreement agreement = facts.job().getSpec().agreement();
        return agreement == null ? Optional.empty() : Optional.ofNullable(agreement.hook());
    }

    /** That a pod agreed to what is announced of a slice, as the status of the job has it. */
    static Optional<HookAgreement> agreed(JobFacts facts, SliceFacts slice) {
        return slice.announcement()
                .flatMap(announced -> AgreementReader.hooked(facts.job()).stream()
                        .filter(agreed ->
                                agreed.slice().equals(slice.name()) && agreed.revision() == announced.revision())
                        .findFirst());
    }
}
