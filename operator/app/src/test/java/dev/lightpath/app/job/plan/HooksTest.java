package dev.lightpath.app.job.plan;

import static dev.lightpath.app.job.plan.SampleJob.running;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lightpath.app.agreeing.HookAnswer;
import dev.lightpath.app.agreeing.HookQuestion;
import dev.lightpath.app.conditions.ObjectEvent;
import dev.lightpath.app.job.facts.HookFacts;
import dev.lightpath.app.job.facts.RankedNode;
import dev.lightpath.app.job.workload.LightFile;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.fabric.policy.PortRange;
import dev.lightpath.crds.job.TrainingJobStatus;
import dev.lightpath.crds.job.agreement.Agreement;
import dev.lightpath.crds.job.agreement.AgreementHook;
import dev.lightpath.crds.job.agreement.HookAgreement;
import dev.lightpath.crds.slice.Announcement;
import dev.lightpath.crds.slice.AnnouncementAnswer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whom the hook of a job asks, what is told of it, and what of it lasts. */
class HooksTest {
    private static final Announcement OPEN = AgreementJobTest.open(AgreementJobTest.turned());
    private static final HookAnswer WAITS = new HookAnswer.Waits();
    private static final HookAnswer HANGS = new HookAnswer.Failed("it gave no whole answer within 5 s");
    private static final HookAnswer AGREED = new HookAnswer.Agreed(Instant.parse("2026-01-01T00:01:00Z"));
    private static final PortRange ALLOWED = new PortRange(8400, 8499);

    private final SampleJob sample = new SampleJob();

    @BeforeEach
    void asked() {
        sample.agreement = new Agreement(300, new AgreementHook(8471, "/light"));
        sample.lit().own(running(1), running(0), running(2), running(3));
        announce(OPEN);
        allow(ALLOWED);
    }

    private void announce(Announcement announcement) {
        sample.slices.set(
                0,
                AgreementJobTest.slice(
                        sample.slices.getFirst(), 1, SampleJob.allocation().groups(), false, announcement));
    }

    private void allow(PortRange... ports) {
        sample.hooks = new HookFacts(Map.of("ring-a", List.of(ports)), Map.of());
    }

    private HookQuestion question() {
        List<HookQuestion> questions = Hooks.questions(sample.facts());
        assertThat(questions).hasSize(1);
        return questions.getFirst();
    }

    private void answered(HookAnswer answer) {
        sample.hooks = new HookFacts(sample.hooks.ports(), Map.of(question(), answer));
    }

    private String slice() {
        return sample.slices.getFirst().name();
    }

    @Test
    void theProcessOfRankZeroIsAskedAtThePortAndPathOfTheJob() throws JsonProcessingException {
        HookQuestion asked = question();
        assertThat(asked.namespace() + "/" + asked.job()).isEqualTo("team-a/train");
        assertThat(asked.slice()).isEqualTo(slice());
        assertThat(asked.revision()).isEqualTo(2);
        assertThat(asked.pod()).isEqualTo("p0");
        assertThat(asked.node()).isEqualTo(running(0).node());
        assertThat(asked.port()).isEqualTo(8471);
        assertThat(asked.path()).isEqualTo("/light");
        RankedNode first = RankedNode.of(sample.facts().current()).getFirst();
        ObjectMapper json = new ObjectMapper();
        assertThat(json.readTree(asked.announcement()))
                .as("what its light.json says")
                .isEqualTo(
                        json.readTree(LightFile.of(sample.facts()).told(first)).at("/darkness/0"));
    }

    @Test
    void nobodyIsAskedWithoutAnAnnouncementOrAHook() {
        announce(new Announcement(2, OPEN.at(), OPEN.until(), AnnouncementAnswer.LIMIT_PASSED, OPEN.until(), null));
        assertThat(Hooks.questions(sample.facts())).isEmpty();
        announce(OPEN);
        sample.agreement = new Agreement(300, null);
        assertThat(Hooks.questions(sample.facts())).isEmpty();
        sample.agreement = null;
        assertThat(Hooks.questions(sample.facts())).isEmpty();
        assertThat(says()).isEmpty();
    }

    @Test
    void aPortThatTheFabricDoesNotAllowIsNotCalled() {
        sample.hooks = HookFacts.none();
        assertThat(Hooks.questions(sample.facts())).isEmpty();
        assertThat(says())
                .isEqualTo("False HookFailed move of slice " + slice()
                        + " to revision 2: spec.agreement.hook is not called: fabric ring-a allows no hooks"
                        + " (policy.agreementHooks of the fabric)");
        PortRange before = new PortRange(8400, 8470); // from, to
        allow(before, new PortRange(8472, 8472));
        assertThat(Hooks.questions(sample.facts())).isEmpty();
        assertThat(says()).endsWith("port 8471 is none that fabric ring-a allows: 8400-8470, 8472");
        allow(before, new PortRange(8471, 8471));
        assertThat(question().port()).isEqualTo(8471);
    }

    @Test
    void onlyAPodOfTheJobAtTheNodeOfRankZeroIsAsked() {
        sample.own(running(0, "elsewhere"), running(1), running(2), running(3));
        assertThat(Hooks.questions(sample.facts())).isEmpty();
        assertThat(says()).endsWith("no pod of rank 0 runs at its node");
        sample.own(running(1), running(2), running(3));
        assertThat(Hooks.questions(sample.facts())).isEmpty();
    }

    @Test
    void whatAPodAnswersIsToldOnce() {
        TrainingJobStatus before = sample.told();
        assertThat(says()).as("before the first answer").isEmpty();
        answered(WAITS);
        assertThat(says())
                .isEqualTo("False HookWaits move of slice " + slice()
                        + " to revision 2: pod p0 has heard, and is not ready yet; it is asked again until "
                        + OPEN.until());
        assertThat(events(before)).containsExactly("HookAnswered");
        TrainingJobStatus waits = sample.told();
        assertThat(events(waits)).isEmpty();
        answered(HANGS);
        assertThat(says())
                .startsWith("False HookFailed")
                .contains("pod p0 gave no valid answer: it gave no whole answer within 5 s; it is asked again until ");
        assertThat(events(waits)).containsExactly("HookFailed");
        assertThat(sample.told().agreed()).isEmpty();
        assertThat(sample.says(ConditionType.AGREED)).isEqualTo("False AwaitingAgreement");
    }

    @Test
    void anAgreementIsRecordedWithThePodThatGaveIt() {
        TrainingJobStatus before = sample.told();
        HookQuestion asked = question();
        answered(AGREED);
        assertThat(sample.told().agreed())
                .containsExactly(new HookAgreement(slice(), 2L, "p0", "2026-01-01T00:01:00Z"));
        assertThat(says())
                .isEqualTo("True Agreed move of slice " + slice()
                        + " to revision 2: pod p0 agreed (2026-01-01T00:01:00Z)");
        assertThat(events(before)).containsExactly("HookAnswered");

        TrainingJobStatus told = sample.told();
        sample.status = told;
        assertThat(Hooks.questions(sample.facts())).as("it is asked no more").doesNotContain(asked);
        allow(ALLOWED);
        assertThat(sample.told()).as("another process").isEqualTo(told);
        announce(new Announcement(2, OPEN.at(), OPEN.until(), AnnouncementAnswer.AGREED, "2026-01-01T00:01:01Z", null));
        assertThat(sample.told().agreed()).as("while its light moves").isEqualTo(told.agreed());
    }

    @Test
    void anAgreementCountsForItsRevisionAlone() {
        sample.status = TrainingJobStatus.builder()
                .agreed(List.of(
                        new HookAgreement(slice(), 1L, "p0", "2026-01-01T00:00:00Z"),
                        new HookAgreement("another", 2L, "p0", "2026-01-01T00:00:00Z")))
                .build();
        assertThat(question().revision()).isEqualTo(2);
        assertThat(sample.told().agreed()).isEmpty();
        assertThat(says()).isEmpty();
    }

    @Test
    void aProcessThatBeginsAnewSaysWhatWasSaidOfTheSameMove() {
        answered(HANGS);
        String said = says();
        sample.status = sample.told();
        allow(ALLOWED);
        assertThat(says()).isEqualTo(said);
        assertThat(events(sample.status)).isEmpty();
        announce(new Announcement(3, OPEN.at(), OPEN.until(), null, null, OPEN.then()));
        assertThat(says()).as("of another move nothing is known").isEmpty();
    }

    @Test
    void nothingIsToldOfAHookOnceTheAnnotationAnswered() {
        answered(HANGS);
        sample.status = sample.told();
        announce(new Announcement(2, OPEN.at(), OPEN.until(), AnnouncementAnswer.AGREED, "2026-01-01T00:01:01Z", null));
        assertThat(says()).isEmpty();
        assertThat(sample.told().agreed()).isEmpty();
    }

    /** Status, reason and message; blank without the condition. */
    private String says() {
        return sample.told().conditions().stream()
                .filter(each -> each.getType().equals(ConditionType.HOOK_ANSWERED.word()))
                .map(each -> each.getStatus() + " " + each.getReason() + " " + each.getMessage())
                .findFirst()
                .orElse("");
    }

    private List<String> events(TrainingJobStatus before) {
        return JobEvents.between(before, sample.told()).stream()
                .map(ObjectEvent::reason)
                .map(Object::toString)
                .toList();
    }
}
