package dev.lightpath.app.job.plan;

import static dev.lightpath.app.job.plan.SampleJob.running;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lightpath.app.conditions.ObjectEvent;
import dev.lightpath.app.job.facts.FabricFacts;
import dev.lightpath.app.job.facts.FabricGeometry;
import dev.lightpath.app.job.facts.RankedNode;
import dev.lightpath.app.job.facts.SliceFacts;
import dev.lightpath.app.job.workload.LightFile;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.job.TrainingJobStatus;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.Announcement;
import dev.lightpath.crds.slice.AnnouncementAnswer;
import dev.lightpath.crds.slice.GroupAllocation;
import dev.lightpath.crds.slice.Releasing;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What is announced to a job is told to its pods and in its status, until nothing moves any more. */
class AgreementJobTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Announcement OPEN =
            new Announcement("2026-01-01T00:00:00Z", "2026-01-01T00:05:00Z", null, null);
    private static final Announcement AGREED =
            new Announcement(OPEN.at(), OPEN.until(), AnnouncementAnswer.AGREED, "2026-01-01T00:01:00Z");

    private final SampleJob sample = new SampleJob();

    AgreementJobTest() {
        sample.fabric = Optional.of(new FabricFacts(
                "ring-a",
                true,
                4,
                Optional.empty(),
                new TreeSet<>(),
                false,
                SampleJob.GPU_RESOURCE,
                false,
                false,
                new FabricGeometry.Fibre(2, 8)));
    }

    /** The groups change places, so the neighbours of each node do. */
    private SliceFacts moved(Announcement announcement, boolean left) {
        SliceFacts was = sample.slices.getFirst();
        Allocation old = SampleJob.allocation();
        List<GroupAllocation> groups = new ArrayList<>();
        for (GroupAllocation group : old.groups()) {
            List<String> nodes = new ArrayList<>(group.nodes());
            List<Integer> positions = new ArrayList<>(group.positions());
            Collections.reverse(nodes);
            Collections.reverse(positions);
            groups.add(new GroupAllocation(group.index(), nodes, positions));
        }
        return SampleJob.slice(
                1,
                Optional.of(new Allocation(
                        1,
                        2,
                        null,
                        groups,
                        List.of(),
                        left ? new Releasing(List.of("n9"), List.of()) : null,
                        null,
                        null,
                        announcement)),
                was.conditions().toArray(Condition[]::new));
    }

    private String told(String known) {
        RankedNode place = RankedNode.of(sample.facts().current()).getFirst();
        return LightFile.of(sample.facts()).text(place, known);
    }

    private JsonNode read(String told) throws JsonProcessingException {
        return JSON.readTree(told);
    }

    @Test
    void aPodKeepsTheLightThatItHasAndIsToldOfTheNext() throws JsonProcessingException {
        sample.lit().own(running(0), running(1), running(2), running(3));
        String before = told("");
        sample.slices.set(0, moved(OPEN, true));
        String asked = told(before);
        JsonNode darkness = read(asked).at("/darkness/0");
        assertThat(read(asked).path("ring")).isEqualTo(read(before).path("ring"));
        String slice = sample.slices.getFirst().name();
        assertThat(darkness.path("agree").asText()).isEqualTo(slice + "/2");
        assertThat(darkness.path("until").asText()).isEqualTo(OPEN.until());
        assertThat(told(asked)).as("told once").isEqualTo(asked);

        sample.slices.set(0, moved(AGREED, true));
        String moving = told(asked);
        assertThat(read(moving).at("/darkness/0/answer").asText()).isEqualTo("Agreed");
        sample.slices.set(0, moved(AGREED, false));
        assertThat(read(told(moving)).path("darkness")).isEmpty();
        assertThat(read(told(moving)).at("/ring/revision").asInt()).isEqualTo(2);
    }

    @Test
    void aPodWhoseRankGoesElsewhereIsToldThatItDoes() throws JsonProcessingException {
        sample.lit().own(running(0), running(1), running(2), running(3));
        String before = told("");
        sample.slices.set(0, moved(OPEN, true));
        JsonNode leaving = read(LightFile.of(sample.facts()).leaving(before));
        assertThat(leaving.path("ring")).isEqualTo(read(before).path("ring"));
        assertThat(leaving.path("darkness")).hasSize(1);
        assertThat(LightFile.of(sample.facts()).leaving("no JSON")).contains("\"darkness\"");
    }

    @Test
    void statusAndEventsTellWhatIsAskedAndWhatCameOfIt() {
        sample.lit().own(running(0), running(1), running(2), running(3));
        TrainingJobStatus before = sample.told();
        assertThat(before.conditions())
                .extracting(Condition::getType)
                .contains("Ready")
                .doesNotContain(ConditionType.AGREED.word());
        sample.slices.set(0, moved(OPEN, true));
        assertThat(sample.says(ConditionType.AGREED)).isEqualTo("False AwaitingAgreement");
        assertThat(sample.message(ConditionType.AGREED))
                .contains(
                        "once the job agrees",
                        OPEN.until(),
                        sample.slices.getFirst().name() + "/2");
        assertThat(words(before)).contains("DarknessAnnounced").doesNotContain("DarknessBegins");
        TrainingJobStatus asked = sample.told();
        sample.slices.set(0, moved(AGREED, true));
        assertThat(sample.says(ConditionType.AGREED)).isEqualTo("True Agreed");
        assertThat(words(asked)).containsExactly("DarknessBegins");
        assertThat(words(sample.told())).isEmpty();
    }

    private List<String> words(TrainingJobStatus before) {
        return JobEvents.between(before, sample.told()).stream()
                .map(ObjectEvent::reason)
                .map(Object::toString)
                .toList();
    }
}
