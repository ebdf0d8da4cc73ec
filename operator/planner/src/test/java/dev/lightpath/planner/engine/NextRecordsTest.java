package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.decision.Decision.Adopt.Entry;
import dev.lightpath.planner.light.Backoff;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.light.StageId;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.World;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class NextRecordsTest {
    private static final SliceId A = new SliceId("team", "a");
    private static final SliceId B = new SliceId("team", "b");
    private static final SliceId C = new SliceId("team", "c");

    private final SortedMap<SliceId, LedgerEntry> ledger = new TreeMap<>();
    private final SortedMap<SliceId, Allocation> writing = new TreeMap<>();
    private final SortedMap<SliceId, Backoff> refused = new TreeMap<>();
    private final List<Entry> decided = new ArrayList<>();
    private Instant now = Instant.EPOCH;

    /** Not none: a repair whose record is always refused must not keep all nodes from being free. */
    @Test
    void fewerAreStruckOffBesideRepairs() {
        for (int slice = 0; slice < NextRecords.STRUCK_AT_A_TIME; slice++) {
            SliceId id = new SliceId("team", "s" + slice);
            recorded(id, seats(2, "n1" + slice).releasing("n2" + slice));
            decide(id, seats(2, "n1" + slice));
        }
        recorded(B, seats(1, "n5", "n6"));
        decide(B, seats(2, "n5", "n7").releasing("n6"));
        assertThat(next()).hasSize(1 + NextRecords.STRUCK_BESIDE_REPAIRS).contains(B);
        write(B, seats(2, "n5", "n7").releasing("n6"));
        assertThat(next()).as("beside one that is being written").hasSize(NextRecords.STRUCK_BESIDE_REPAIRS);
        SliceId first = next().getFirst();
        write(first, seats(2, "n1" + first.name().substring(1)));
        assertThat(next()).hasSize(NextRecords.STRUCK_BESIDE_REPAIRS - 1).doesNotContain(first);
    }

    /** A record that is refused is decided again in each pass. */
    @Test
    void whatIsRefusedKeepsNoOtherFromBeingStruckOff() {
        for (int slice = 0; slice < 2 * NextRecords.STRUCK_AT_A_TIME; slice++) {
            SliceId id = new SliceId("team", "s" + slice);
            recorded(id, seats(2, "n1" + slice).releasing("n2" + slice));
            decide(id, seats(2, "n1" + slice));
        }
        List<SliceId> first = next();
        first.forEach(slice -> refuse(slice, 1));
        assertThat(next()).hasSize(NextRecords.STRUCK_AT_A_TIME).doesNotContainAnyElementsOf(first);
        now = now.plusSeconds(1);
        assertThat(next()).as("its time has come").isEqualTo(first);
    }

    /** One who is to get a node waits for the record that gives it up, and all others go on. */
    @Test
    void whatIsRefusedWaitsWithThoseThatNeedIt() {
        recorded(A, seats(1, "n1", "n2"));
        recorded(B, seats(1, "n5", "n6"));
        recorded(C, seats(1, "n8", "n9"));
        decide(A, seats(2, "n1", "n3").releasing("n2"));
        decide(B, seats(2, "n5", "n2").releasing("n6"));
        decide(C, seats(2, "n8", "n10").releasing("n9"));
        refuse(A, 30);
        assertThat(next()).containsExactly(C);
        assertThat(NextRecords.waitsUntil(world(), decided)).contains(now.plusSeconds(30));
        now = now.plusSeconds(30);
        assertThat(next()).containsExactly(A, B, C);
    }

    @Test
    void onSwitchesOnlyWhatSharesAPortWaitsForWhatIsRefused() {
        light(A, "1", "2");
        light(B, "2", "3");
        light(C, "4", "5");
        refuse(A, 30);
        assertThat(next()).containsExactly(C);
        now = now.plusSeconds(30);
        assertThat(next()).containsExactlyInAnyOrder(A, B, C);
    }

    /** One that fails again ends the writing of those after it, and so do many that are refused in turn. */
    @Test
    void onSwitchesWhatWasRefusedIsTriedAfterWhatSharesNothingWithIt() {
        light(A, "1", "2");
        light(B, "2", "3");
        light(C, "4", "5");
        refuse(A, 0);
        assertThat(next()).containsExactly(C, A, B);
        refused.clear();
        assertThat(next()).containsExactly(A, B, C);
    }

    private void light(SliceId slice, String ingress, String egress) {
        SwitchedLight light =
                new SwitchedLight(new TreeMap<>(Map.of("ocs-1", new TreeSet<>(List.of(new Circuit(ingress, egress))))));
        decided.add(new Entry(
                slice,
                "v1",
                new Allocation(2, List.of(), new TreeSet<>(), Optional.empty(), light, SwitchedLight.none())));
    }

    /** A record of a slice that gave all up may be lost, and is then written again. */
    @Test
    void whatIsBeingWrittenIsNotWrittenTwiceThoughItNamesNoNode() {
        Allocation none = new Allocation(2, List.of(), new TreeSet<>());
        ledger.put(A, new LedgerEntry(Optional.of(none), "v1", true, true));
        decided.add(new Entry(A, "v1", none));
        recorded(B, seats(1, "n5", "n6"));
        decide(B, seats(2, "n5", "n7").releasing("n6"));
        assertThat(next()).containsExactly(A, B);
        writing.put(A, none);
        assertThat(next()).containsExactly(B);
    }

    /** Else the one that gives would move, and the one that takes would wait for another node. */
    @Test
    void whoGivesANodeWaitsWithTheOneThatTakesIt() {
        recorded(A, seats(2, "n1").releasing("n2"));
        recorded(B, seats(1, "n5", "n6"));
        recorded(C, seats(1, "n8", "n9"));
        write(A, seats(2, "n1"));
        decide(A, seats(2, "n1"));
        decide(B, seats(2, "n5", "n7").releasing("n6"));
        decide(C, seats(2, "n2", "n6").releasing("n8", "n9"));
        assertThat(next()).isEmpty();
    }

    /** Its node would be of two records after a crash. */
    @Test
    void whatIsStruckOffComesBeforeTheRepairThatTakesIt() {
        recorded(A, seats(2, "n1", "n2").releasing("n3"));
        recorded(B, seats(1, "n5", "n6"));
        decide(A, seats(2, "n1", "n2"));
        decide(B, seats(2, "n5", "n3").releasing("n6"));
        assertThat(next()).containsExactly(A, B);
    }

    @Test
    void fewAreStruckOffAtATime() {
        for (int slice = 0; slice < 3 * NextRecords.STRUCK_AT_A_TIME; slice++) {
            SliceId id = new SliceId("team", "s" + slice);
            recorded(id, seats(2, "n" + slice).releasing("m" + slice));
            decide(id, seats(2, "n" + slice));
        }
        assertThat(next()).hasSize(NextRecords.STRUCK_AT_A_TIME);
    }

    @Test
    void aRecordThatIsLostIsNoneThatStrikesOff() {
        for (int slice = 0; slice < NextRecords.STRUCK_AT_A_TIME; slice++) {
            SliceId id = new SliceId("team", "s" + slice);
            recorded(id, seats(2, "n" + slice).releasing("m" + slice));
            decide(id, seats(2, "n" + slice));
        }
        SliceId lost = new SliceId("team", "t");
        ledger.put(lost, new LedgerEntry(Optional.of(seats(1, "n50").made()), "v1", true, true));
        decide(lost, seats(1, "n50"));
        assertThat(next()).hasSize(NextRecords.STRUCK_AT_A_TIME + 1).contains(lost);
    }

    @Test
    void aRepairIsRecordedBesideOneThatIsBeingWritten() {
        recorded(A, seats(1, "n1", "n2"));
        recorded(B, seats(1, "n5", "n6"));
        decide(A, seats(2, "n1", "n3").releasing("n2"));
        decide(B, seats(2, "n5", "n7").releasing("n6"));
        write(A, seats(2, "n1", "n3").releasing("n2"));
        assertThat(next()).containsExactly(B);
    }

    /** The picture in which B was decided is not the one that is being written. */
    @Test
    void nothingIsRecordedBesideWhatIsDecidedOtherwiseNow() {
        recorded(A, seats(1, "n1", "n2"));
        recorded(B, seats(1, "n5", "n6"));
        decide(A, seats(2, "n1", "n4").releasing("n2"));
        decide(B, seats(2, "n5", "n7").releasing("n6"));
        write(A, seats(2, "n1", "n3").releasing("n2"));
        assertThat(next()).isEmpty();
        decided.removeFirst();
        assertThat(next()).as("not decided at all").isEmpty();
    }

    @Test
    void whatIsWrittenAlreadyNeedsNoDecision() {
        recorded(A, seats(2, "n1", "n3").releasing("n2"));
        recorded(B, seats(1, "n5", "n6"));
        decide(B, seats(2, "n5", "n7").releasing("n6"));
        write(A, seats(2, "n1", "n3").releasing("n2"));
        assertThat(next()).containsExactly(B);
    }

    @Test
    void recordsWithANodeInCommonAreWrittenInOrder() {
        recorded(A, seats(1, "n1", "n2"));
        recorded(B, seats(1, "n2", "n6"));
        recorded(C, seats(1, "n7", "n8"));
        decide(A, seats(2, "n1", "n3").releasing("n2"));
        decide(B, seats(2, "n2", "n7").releasing("n6"));
        decide(C, seats(2, "n7", "n9").releasing("n8"));
        write(A, seats(2, "n1", "n3").releasing("n2"));
        assertThat(next()).as("B shares n2 with A, and C shares n7 with B").isEmpty();
    }

    /** Jobs that come one after the other for minutes must not keep one that ends from ending. */
    @Test
    void whatIsStruckOffWaitsForNoNewPlace() {
        ledger.put(A, new LedgerEntry(Optional.empty(), "v1"));
        recorded(B, seats(2, "n5", "n6").releasing("n7"));
        decide(A, seats(1, "n1", "n3"));
        decide(B, seats(2, "n5", "n6"));
        assertThat(next()).containsExactly(A, B);
        write(A, seats(1, "n1", "n3"));
        assertThat(next()).containsExactly(B);
    }

    @Test
    void nothingIsRecordedBesideCircuitsOnSwitches() {
        recorded(A, seats(1, "n1", "n2"));
        recorded(B, seats(1, "n5", "n6"));
        decide(A, seats(2, "n1", "n3").releasing("n2"));
        write(A, seats(2, "n1", "n3").releasing("n2"));
        light(B, "1", "2");
        assertThat(next()).isEmpty();
        writing.clear();
        assertThat(next()).containsExactly(A, B);
    }

    private List<SliceId> next() {
        return NextRecords.of(world(), decided).stream().map(Entry::slice).toList();
    }

    private World world() {
        return Scene.at(now, new StageId(1, 1))
                .slices(new TreeMap<>(), ledger)
                .underWay(List.of(), writing, new TreeSet<>(), new TreeMap<>())
                .refused(refused)
                .world();
    }

    private void refuse(SliceId slice, int seconds) {
        refused.put(slice, new Backoff(Reason.REJECTED, "policy", now.plusSeconds(seconds), 4));
    }

    private void recorded(SliceId slice, Record record) {
        ledger.put(slice, new LedgerEntry(Optional.of(record.made()), "v1"));
    }

    private void decide(SliceId slice, Record record) {
        decided.add(new Entry(slice, "v1", record.made()));
    }

    private void write(SliceId slice, Record record) {
        writing.put(slice, record.made());
    }

    private static Record seats(long revision, String... nodes) {
        return new Record(revision, List.of(nodes), List.of());
    }

    private record Record(long revision, List<String> nodes, List<String> left) {
        Record releasing(String... released) {
            return new Record(revision, nodes, List.of(released));
        }

        Allocation made() {
            return new Allocation(
                    revision,
                    List.of(new Allocation.Group(nodes.stream()
                            .map(node -> new Allocation.Member(node, Integer.parseInt(node.substring(1))))
                            .toList())),
                    new TreeSet<>(left));
        }
    }
}
