package dev.lightpath.app.job.plan;

import static dev.lightpath.app.job.plan.SampleJob.running;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lightpath.app.conditions.ObjectEvent;
import dev.lightpath.app.job.facts.FabricGeometry;
import dev.lightpath.app.job.facts.PodFacts;
import dev.lightpath.app.job.facts.RankedNode;
import dev.lightpath.app.job.facts.SampleFabric;
import dev.lightpath.app.job.facts.SliceFacts;
import dev.lightpath.app.job.workload.LightFile;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.job.TrainingJobStatus;
import dev.lightpath.crds.job.agreement.Agreement;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.AnnouncedMove;
import dev.lightpath.crds.slice.Announcement;
import dev.lightpath.crds.slice.AnnouncementAnswer;
import dev.lightpath.crds.slice.GroupAllocation;
import dev.lightpath.crds.slice.Releasing;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is announced to a job is told to its pods and in its status, until nothing moves any more. */
class AgreementJobTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Announcement OPEN = open(turned());
    private static final Announcement AGREED =
            new Announcement(2, OPEN.at(), OPEN.until(), AnnouncementAnswer.AGREED, "2026-01-01T00:01:00Z", null);

    private final SampleJob sample = new SampleJob();

    AgreementJobTest() {
        sample.fabric = Optional.of(SampleFabric.ring("ring-a", new FabricGeometry.Fibre(2, 8)));
    }

    /** The groups change places, so the neighbours of each node do. */
    static List<GroupAllocation> turned() {
        List<GroupAllocation> groups = new ArrayList<>();
        for (GroupAllocation group : SampleJob.allocation().groups()) {
            List<String> nodes = new ArrayList<>(group.nodes());
            List<Integer> positions = new ArrayList<>(group.positions());
            Collections.reverse(nodes);
            Collections.reverse(positions);
            groups.add(new GroupAllocation(group.index(), nodes, positions));
        }
        return groups;
    }

    static Announcement open(List<GroupAllocation> then) {
        return new Announcement(
                2,
                "2026-01-01T00:00:00Z",
                "2026-01-01T00:05:00Z",
                null,
                null,
                new AnnouncedMove(then, List.of(), List.of(), null, null, null, null));
    }

    static SliceFacts slice(
            SliceFacts was, long revision, List<GroupAllocation> groups, boolean left, Announcement announcement) {
        return SampleJob.slice(
                1,
                Optional.of(new Allocation(
                        1,
                        revision,
                        null,
                        groups,
                        List.of(),
                        left ? new Releasing(List.of("n9"), List.of()) : null,
                        null,
                        null,
                        announcement)),
                was.conditions().toArray(Condition[]::new));
    }

    private void asked(List<GroupAllocation> then) {
        sample.slices.set(
                0, slice(sample.slices.getFirst(), 1, SampleJob.allocation().groups(), false, open(then)));
    }

    private void moved(boolean left) {
        sample.slices.set(0, slice(sample.slices.getFirst(), 2, turned(), left, AGREED));
    }

    private String told(int rank) {
        RankedNode place = RankedNode.of(sample.facts().current()).get(rank);
        return LightFile.of(sample.facts()).told(place);
    }

    private JsonNode read(String told) throws JsonProcessingException {
        return JSON.readTree(told);
    }

    @Test
    void aPodKeepsTheLightThatItHasAndIsToldOfTheNext() throws JsonProcessingException {
        sample.lit().own(running(0), running(1), running(2), running(3));
        String before = told(0);
        asked(turned());
        String waits = told(0);
        JsonNode darkness = read(waits).at("/darkness/0");
        assertThat(read(waits).path("ring")).isEqualTo(read(before).path("ring"));
        String slice = sample.slices.getFirst().name();
        assertThat(darkness.path("agree").asText()).isEqualTo(slice + "/2");
        assertThat(darkness.path("until").asText()).isEqualTo(OPEN.until());

        moved(true);
        assertThat(read(told(0)).at("/darkness/0/answer").asText()).isEqualTo("Agreed");
        moved(false);
        assertThat(read(told(0)).path("darkness")).isEmpty();
        assertThat(read(told(0)).at("/ring/revision").asInt()).isEqualTo(2);
    }

    @Test
    void everyPodThatRunsAtItsNodeIsToldOnce() {
        sample.lit();
        LightFile light = LightFile.of(sample.facts());
        List<RankedNode> ranked = RankedNode.of(sample.facts().current());
        sample.own(
                knowing(running(0), light.text(ranked.get(0))),
                knowing(running(1), light.text(ranked.get(1))),
                knowing(running(2), ""),
                knowing(running(3, "elsewhere"), light.text(ranked.get(3))));
        asked(turned());
        assertThat(tells()).as("not who has no file").hasSize(3);
        List<JobStep.TellLight> told = tells();
        assertThat(told).allSatisfy(step -> assertThat(step.light()).contains("\"agree\":"));
        sample.own(
                knowing(running(0), told.get(0).light()),
                knowing(running(1), told.get(1).light()),
                running(2),
                running(3));
        assertThat(tells()).as("told once").isEmpty();
    }

    /** It runs on in the light that it has. */
    @Test
    void aJobOfWhichAPodCannotBeToldIsReadyAndSaysSo() {
        sample.lit().own(running(0), running(1), running(2), running(3));
        sample.status = sample.told();
        asked(turned());
        var refusal = new StepsTaken.Refusal(new JobStep.TellLight("p1", "{}"), "pods are as they are", false);
        assertThat(ready(Optional.of(refusal)).getStatus()).isEqualTo("True");
        assertThat(ready(Optional.of(refusal)).getMessage())
                .isEqualTo(ready(Optional.empty()).getMessage()
                        + "; pod p1 cannot be told of its light: pods are as they are; it is tried again");
        sample.own(running(0), running(1));
        assertThat(ready(Optional.of(refusal)).getReason()).isEqualTo("PodsPending");
        assertThat(ready(Optional.of(refusal)).getMessage())
                .contains("2 of 4 pods run", "pod p1 cannot be told of its light");
    }

    private Condition ready(Optional<StepsTaken.Refusal> refusal) {
        return JobReport.of(sample.facts(), sample.steps(), refusal).conditions().stream()
                .filter(condition -> condition.getType().equals(ConditionType.READY.word()))
                .findFirst()
                .orElseThrow();
    }

    private static PodFacts knowing(PodFacts pod, String light) {
        return new PodFacts(
                pod.name(),
                pod.rank(),
                pod.node(),
                pod.gated(),
                pod.phase(),
                pod.deleting(),
                pod.hanging(),
                pod.waiting(),
                light);
    }

    private List<JobStep.TellLight> tells() {
        List<JobStep> steps = new ArrayList<>();
        List<RankedNode> ranked = RankedNode.of(sample.facts().current());
        PodSteps.tellLight(sample.facts(), ranked, LightFile.of(sample.facts()), steps);
        return steps.stream().map(JobStep.TellLight.class::cast).toList();
    }

    @Test
    void statusAndEventsTellWhatIsAskedAndWhatCameOfIt() {
        sample.lit().own(running(0), running(1), running(2), running(3));
        TrainingJobStatus before = sample.told();
        assertThat(before.conditions())
                .extracting(Condition::getType)
                .contains("Ready")
                .doesNotContain(ConditionType.AGREED.word());
        asked(turned());
        assertThat(sample.says(ConditionType.AGREED)).isEqualTo("False AwaitingAgreement");
        assertThat(sample.message(ConditionType.AGREED))
                .contains(
                        "once the job agrees",
                        OPEN.until(),
                        sample.slices.getFirst().name() + "/2");
        assertThat(words(before)).contains("DarknessAnnounced").doesNotContain("DarknessBegins");
        TrainingJobStatus asked = sample.told();
        moved(true);
        assertThat(sample.says(ConditionType.AGREED)).isEqualTo("True Agreed");
        assertThat(words(asked)).contains("DarknessBegins");
        assertThat(words(sample.told())).isEmpty();
    }

    @Test
    void statusEventsAndFileTellThatAMoveIsOff() throws JsonProcessingException {
        sample.lit().own(running(0), running(1), running(2), running(3));
        String before = told(0);
        asked(turned());
        TrainingJobStatus asked = sample.told();
        Announcement off = new Announcement(
                2, OPEN.at(), OPEN.until(), AnnouncementAnswer.NOT_NEEDED, "2026-01-01T00:01:00Z", null);
        sample.slices.set(
                0, slice(sample.slices.getFirst(), 1, SampleJob.allocation().groups(), false, off));
        assertThat(sample.says(ConditionType.AGREED)).isEqualTo("True NotNeeded");
        assertThat(words(asked)).containsExactly("DarknessCancelled");
        assertThat(words(sample.told())).isEmpty();
        assertThat(read(told(0))).isEqualTo(read(before));
    }

    private List<String> words(TrainingJobStatus before) {
        return JobEvents.between(before, sample.told()).stream()
                .map(ObjectEvent::reason)
                .map(Object::toString)
                .toList();
    }

    @Test
    void saysWhatTheAnnotationNamesInPlaceOfTheRevisionThatWasAnnounced() {
        sample.lit().own(running(0), running(1), running(2), running(3));
        asked(turned());
        String slice = sample.slices.getFirst().name();
        assertThat(sample.message(ConditionType.AGREED))
                .endsWith("(annotation lightpath.dev/agreed-revision=" + slice + "/2 of the job)");
        sample.annotations.put("lightpath.dev/agreed-revision", slice + "/99");
        assertThat(sample.message(ConditionType.AGREED))
                .endsWith(slice + "/2 of the job); now it is " + slice + "/99, which is not announced");
        sample.annotations.put("lightpath.dev/agreed-revision", slice + "/99, " + slice + "/2");
        assertThat(sample.message(ConditionType.AGREED)).endsWith(" of the job)");
    }

    /** A mistake would be found only when light is to move, and nobody waits for the answer then. */
    @Test
    void saysThatTheAnnotationNamesWhatWasNotAnnouncedWhileNothingIs() {
        sample.lit().own(running(0), running(1), running(2), running(3));
        String slice = sample.slices.getFirst().name();
        TrainingJobStatus before = sample.told();
        sample.annotations.put("lightpath.dev/agreed-revision", slice + "/1, " + slice + "/99, train/7");
        assertThat(sample.says(ConditionType.AGREED)).isEqualTo("False NotAnnounced");
        assertThat(sample.message(ConditionType.AGREED))
                .isEqualTo(
                        "annotation lightpath.dev/agreed-revision is " + slice + "/99, train/7, which is not announced:"
                                + " the job is not asked before its light moves, as it has no spec.agreement");
        assertThat(words(before)).as("nothing was announced").isEmpty();
        sample.agreement = new Agreement(300, null);
        assertThat(sample.message(ConditionType.AGREED))
                .endsWith(": light.json says what to write once light of the job is to move");
        TrainingJobStatus mistaken = sample.told();
        sample.annotations.put("lightpath.dev/agreed-revision", slice + "/1");
        assertThat(sample.told().conditions())
                .as("an answer to an earlier move may stay")
                .noneMatch(condition -> condition.getType().equals("Agreed"));
        assertThat(words(mistaken)).isEmpty();
    }

    @Test
    void saysSoOnceTheAnnouncementIsAnsweredToo() {
        sample.lit().own(running(0), running(1), running(2), running(3));
        moved(false);
        String slice = sample.slices.getFirst().name();
        TrainingJobStatus before = sample.told();
        String answered = sample.message(ConditionType.AGREED);
        sample.annotations.put("lightpath.dev/agreed-revision", slice + "/2");
        assertThat(sample.message(ConditionType.AGREED)).isEqualTo(answered);
        sample.annotations.put("lightpath.dev/agreed-revision", slice + "/3");
        assertThat(sample.says(ConditionType.AGREED)).isEqualTo("True Agreed");
        assertThat(sample.message(ConditionType.AGREED))
                .isEqualTo(answered + "; now annotation lightpath.dev/agreed-revision is " + slice
                        + "/3, which is not announced");
        assertThat(words(before)).as("no darkness begins by that").isEmpty();
    }

    @Test
    void saysOfLightThatMovedThatItDid() {
        sample.lit().own(running(0), running(1), running(2), running(3));
        moved(true);
        assertThat(sample.message(ConditionType.AGREED)).contains(" moves to revision 2: the job agreed");
        TrainingJobStatus moving = sample.told();
        moved(false);
        assertThat(sample.message(ConditionType.AGREED)).contains(" moved to revision 2: the job agreed");
        assertThat(words(moving)).as("its darkness has begun before").doesNotContain("DarknessBegins");
    }
}
