package dev.lightpath.driver.openflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.adapter.Move;
import dev.lightpath.driver.adapter.PortLayout;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

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
        assertThat(table.byIngress().get(1).way()).contains(new Flow.Way(1, 9));
        assertThat(table.strange()).containsExactly("a flow of priority 2000 and cookie 0x7 in table 5 is no circuit");
    }
}
