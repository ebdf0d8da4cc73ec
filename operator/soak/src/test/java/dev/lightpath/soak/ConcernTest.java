package dev.lightpath.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.soak.oracle.Beam;
import dev.lightpath.soak.oracle.LightHistory;
import dev.lightpath.soak.oracle.Records;
import dev.lightpath.soak.oracle.RingOracle;
import dev.lightpath.soak.oracle.RingScheme;
import dev.lightpath.soak.script.Change;
import dev.lightpath.soak.script.JobWish;
import dev.lightpath.soak.script.Moment;
import dev.lightpath.soak.script.NodeFault;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ConcernTest {
    private static final RingScheme RING = new RingScheme(
            "ring-a",
            true,
            2,
            4,
            IntStream.range(0, 12).mapToObj(node -> "n" + node).toList());
    private static final JobWish WAITING = wish("waiting");
    private static final JobWish SEATED = wish("seated");
    private static final JobWish OTHER = wish("other");

    private final Site site = new Site(RING, Optional.empty(), Map.of());
    private final Scene scene = new Scene(site);
    private final Inspection inspection = new Inspection(site, scene);
    private final Records before = records(slice("seated", 0, 1, 2));
    private final Records between = records(slice("seated", 6, 7, 8));

    private static JobWish wish(String name) {
        return new JobWish(name, 12, 1, 1, Optional.of("ring-a"), Optional.empty());
    }

    private static FabricSlice slice(String job, Integer... positions) {
        return Serialization.unmarshal("""
                metadata: {name: %s, namespace: default, uid: %s}
                spec: {fabric: ring-a, attempt: 1, job: {name: %s, uid: u}, demand: {scaleUp: {groups: 1, gpusPerGroup: 12}}}
                status: {allocation: {revision: 1, groups: [{index: 0, positions: %s}]}}
                """.formatted(job, job, job, Arrays.toString(positions)), FabricSlice.class);
    }

    private static Records records(FabricSlice... slices) {
        return new Records(new TreeMap<>(), List.of(slices), new TreeMap<>());
    }

    private Concern concern(Change... changes) {
        return new Concern(site, scene, new Moment(0, List.of(changes)));
    }

    private List<String> idle(Concern concern, List<String> crowdedOut, Records... passed) {
        return concern.movers(List.of(passed), crowdedOut).idle();
    }

    private static LightHistory.Entry entry(Beam beam, boolean lit) {
        return new LightHistory.Entry(beam, lit);
    }

    @Test
    void lightThatARecordInBetweenTookAwayWasNotToStay() {
        Records after = records();
        Beam loop = new Beam("n7", "b0.common", "b0.loop");
        SortedSet<Beam> light = new TreeSet<>(new RingOracle(RING).wanted(before.seats(RING)));
        assertThat(light).contains(loop);
        LightHistory history = LightHistory.of(light, List.of(entry(loop, false), entry(loop, true)));
        Concern concern = concern(new Change.JobLeaves(SEATED));

        assertThat(concern.blinked(inspection.kept(List.of(before, after)), history))
                .as("nobody asked for n7")
                .containsExactly("light moved without need: n7/b0.common->b0.loop was to stay and went dark");
        assertThat(concern.blinked(inspection.kept(List.of(before, between, after)), history))
                .as("a record asked for n7")
                .isEmpty();
    }

    @Test
    void lightThatEveryRecordAsksForIsToStay() {
        Records both = records(slice("seated", 0, 1, 2), slice("other", 9, 10, 11));
        Records moved = records(slice("seated", 6, 7, 8), slice("other", 9, 10, 11));
        Records gone = records(slice("other", 9, 10, 11));
        for (List<Records> passed : List.of(
                List.of(both), List.of(both, both), List.of(both, moved, both), List.of(both, both, gone, moved))) {
            SortedSet<Beam> all = new TreeSet<>(new RingOracle(RING).wanted(both.seats(RING)));
            passed.forEach(records -> all.retainAll(new RingOracle(RING).wanted(records.seats(RING))));
            assertThat(inspection.kept(passed)).isEqualTo(all);
        }
    }

    @Test
    void aJobThatMovedAndMovedBackMoved() {
        assertThat(idle(concern(new Change.JobLeaves(OTHER)), List.of(), before, between, before))
                .containsExactly(
                        "light moved without need: job seated on ring-a moved, was not concerned and made room for nobody");
        assertThat(idle(concern(new Change.JobLeaves(OTHER)), List.of(), before, before))
                .isEmpty();
    }

    @Test
    void whoMakesRoomForOneThatLeavesMovedWithNeed() {
        assertThat(idle(concern(new Change.JobLeaves(WAITING)), List.of("waiting"), before, between))
                .isEmpty();
        assertThat(idle(concern(new Change.JobLeaves(WAITING)), List.of(), before, between))
                .as("it waited for more than others could give")
                .hasSize(1);
    }

    @Test
    void whoMakesRoomThatAFaultOrAnArrivalMayTakeMovedWithNeed() {
        Change fault = new Change.NodeFails(3, NodeFault.POWER_LOSS);
        Change arrival = new Change.JobArrives(OTHER);
        for (Change change : List.of(fault, arrival)) {
            assertThat(idle(concern(change), List.of("waiting"), before, between))
                    .as("%s", change)
                    .isEmpty();
            assertThat(idle(concern(change), List.of(), before, between))
                    .as("%s, and nobody waited", change)
                    .hasSize(1);
        }
        assertThat(idle(concern(new Change.JobLeaves(OTHER)), List.of("waiting"), before, between))
                .as("a job that leaves takes no room")
                .hasSize(1);
    }

    @Test
    void whoMakesRoomForOneThatIsSeatedMovedWithNeed() {
        List<FabricSlice> both = new ArrayList<>(between.slices());
        both.add(slice("waiting", 0, 1, 2));
        Concern.Movers movers =
                concern(new Change.JobArrives(WAITING)).movers(List.of(before, between, between.with(both)), List.of());
        assertThat(movers.idle()).isEmpty();
        assertThat(movers.forOthers()).containsExactly("seated on ring-a");
    }
}
