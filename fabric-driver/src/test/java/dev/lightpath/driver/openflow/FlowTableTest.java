package dev.lightpath.driver.openflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.adapter.Move;
import dev.lightpath.driver.adapter.PortLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What others made at a device stays, whatever their flows look like. */
final class FlowTableTest {
    private static final PortLayout LAYOUT = new PortLayout(8, 8);

    private static Flow flow(int table, int priority, int from, int to) {
        return new Flow(table, priority, 7, Flow.matchOf(from), Optional.of(new Flow.Way(from, to)));
    }

    private static FlowTable table(Flow... flows) {
        return new FlowTable(List.of(flows), LAYOUT);
    }

    private static Move make(String ingress, String egress) {
        return new Move.Make(new CircuitPair(ingress, egress));
    }

    private static Move cut(String ingress, String egress) {
        return new Move.Break(new CircuitPair(ingress, egress));
    }

    @Test
    void lightThatIsThereIsNotTaken() {
        FlowTable table = table(flow(0, 500, 1, 12));
        assertThat(table.steps(List.of(make("1", "9"), make("2", "12"), make("3", "10"))))
                .containsExactly(
                        new FlowTable.Step.InTheWay(new Flow.Way(1, 12)),
                        new FlowTable.Step.InTheWay(new Flow.Way(1, 12)),
                        new FlowTable.Step.Add(new Flow.Way(3, 10)));
    }

    @Test
    void whatTheSameRequestBreaksIsNotInTheWay() {
        Flow there = flow(0, 500, 1, 12);
        assertThat(table(there).steps(List.of(cut("1", "12"), make("2", "12"))))
                .containsExactly(new FlowTable.Step.Delete(there), new FlowTable.Step.Add(new Flow.Way(2, 12)));
    }

    @Test
    void onlyTheFlowThatLightFollowsIsDeleted() {
        Flow ours = flow(0, 1000, 1, 9);
        FlowTable table = table(flow(0, 7, 1, 9), ours);
        assertThat(table.steps(List.of(cut("1", "9")))).containsExactly(new FlowTable.Step.Delete(ours));
        assertThat(table.strange()).containsExactly("port 1 has a second flow, to port 9");
    }

    @Test
    void aFlowThatIsHiddenIsNotBroken() {
        FlowTable table = table(flow(0, 1000, 1, 10), flow(0, 7, 1, 9));
        assertThat(table.steps(List.of(cut("1", "9")))).containsExactly(new FlowTable.Step.Nothing());
    }

    @Test
    void aFlowOfALaterTableHidesNoCircuit() {
        FlowTable table = table(flow(5, 2000, 1, 12), flow(0, 1000, 1, 9));
        assertThat(table.lit()).extracting(flow -> flow.way().orElseThrow()).containsExactly(new Flow.Way(1, 9));
        assertThat(table.strange()).containsExactly("a flow of priority 2000 and cookie 0x7 in table 5 is no circuit");
    }

    /** Drops frames of TCP, of one port or of all (0). */
    private static Flow drop(int table, int priority, int from) {
        ByteBuffer match = ByteBuffer.allocate(32).putShort((short) 1).putShort((short) (from == 0 ? 15 : 23));
        match.putInt(0x8000_0a02).putShort((short) 0x0800).putInt(0x8000_1401).put((byte) 6);
        if (from != 0) {
            match.putInt(0x8000_0004).putInt(from);
        }
        return new Flow(table, priority, 0xa5, Arrays.copyOf(match.array(), from == 0 ? 16 : 24), Optional.empty());
    }

    @ParameterizedTest
    @CsvSource({"1, 2000", "1, 1000", "0, 2000", "1, 9"})
    void noCircuitIsMadeWhereAFlowOfOthersTakesTheLight(int from, int priority) {
        Flow drop = drop(0, priority, from);
        assertThat(table(drop).steps(List.of(make("1", "9"), make("2", "10"))))
                .containsExactly(
                        new FlowTable.Step.Taken(1, drop),
                        from == 0 ? new FlowTable.Step.Taken(2, drop) : new FlowTable.Step.Add(new Flow.Way(2, 10)));
    }

    @Test
    void aFlowThatOursHidesTakesNoLight() {
        for (Flow harmless : List.of(drop(0, 999, 2), drop(0, 999, 0), drop(5, 2000, 1))) {
            assertThat(table(harmless).steps(List.of(make("1", "9"))))
                    .containsExactly(new FlowTable.Step.Add(new Flow.Way(1, 9)));
            assertThat(table(harmless, flow(0, 1000, 1, 9)).lit()).hasSize(1);
        }
    }

    /** It came after ours. */
    @Test
    void aLowerFlowOfAPortTakesNothingFromACircuitThatIsThere() {
        FlowTable table = table(drop(0, 999, 1), flow(0, 1000, 1, 9));
        assertThat(table.lit()).hasSize(1);
        assertThat(table.steps(List.of(make("1", "9")))).containsExactly(new FlowTable.Step.Nothing());
    }

    /** It can be broken, and what it leads to is not given to another. */
    @Test
    void aCircuitWhoseLightIsTakenIsNotShownAndIsStillThere() {
        Flow ours = flow(0, 1000, 1, 9);
        Flow drop = drop(0, 2000, 1);
        FlowTable table = table(ours, flow(0, 1000, 2, 10), drop);
        assertThat(table.lit()).extracting(flow -> flow.way().orElseThrow()).containsExactly(new Flow.Way(2, 10));
        assertThat(table.steps(List.of(make("1", "9")))).containsExactly(new FlowTable.Step.Taken(1, drop));
        assertThat(table.steps(List.of(make("3", "9"))))
                .containsExactly(new FlowTable.Step.InTheWay(new Flow.Way(1, 9)));
        assertThat(table.steps(List.of(cut("1", "9")))).containsExactly(new FlowTable.Step.Delete(ours));
    }
}
