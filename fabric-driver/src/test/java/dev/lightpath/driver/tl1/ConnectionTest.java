package dev.lightpath.driver.tl1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.adapter.Move;
import dev.lightpath.driver.adapter.MoveAnswer;
import dev.lightpath.driver.session.LostException;
import dev.lightpath.driver.tl1.Tl1Session.Command;
import dev.lightpath.proto.driver.v1alpha1.CircuitState;
import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ConnectionTest {
    static final String ONE_WAY =
            "1.1.1>1.1.2:SRCPORT=1.1.1,DSTPORT=1.1.2,GRPNAME=Quali,CONNNAME=1.1.1>1.1.2,CONNTYPE=1WAY,"
                    + "AS=IS,OS=IS,OC=OK,PS=UPR,AL=CL";
    private static final String BOTH_WAYS =
            ONE_WAY.replace("1WAY", "2WAY").replace("CONNNAME=1.1.1>1.1.2", "CONNNAME=ring");

    private static Connection read(String line) throws LostException {
        return Connection.read(Fields.of(line).values(), new CalientPorts(List.of("1.1.1", "1.1.2", "1.1.3")));
    }

    private static void isRefused(String line, String why) {
        assertThatThrownBy(() -> read(line)).isInstanceOf(LostException.class).hasMessageContaining(why);
    }

    @Test
    void lightPassesWhenTheDeviceSaysSo() throws Exception {
        assertThat(read(ONE_WAY).state()).isEqualTo(CircuitState.CIRCUIT_STATE_CONNECTED);
        assertThat(read(ONE_WAY.replace("OS=IS", "OS=RDY")).state()).isEqualTo(CircuitState.CIRCUIT_STATE_TUNING);
        assertThat(read(ONE_WAY.replace("OC=OK", "OC=FAIL")).state()).isEqualTo(CircuitState.CIRCUIT_STATE_FAILED);
        assertThat(read(ONE_WAY.replace("AS=IS", "AS=UMA")).active()).isFalse();
    }

    @Test
    void aConnectionThatCannotBeNamedInACommandIsOneLine() {
        isRefused(ONE_WAY.replace("Quali", "a;b"), "a connection whose GRPNAME is 'a;b'");
        isRefused(ONE_WAY.replace("GRPNAME=Quali,", ""), "a connection whose GRPNAME is ''");
        isRefused(ONE_WAY.replace("1WAY", "3WAY"), "connection type '3WAY' where 1WAY or 2WAY is expected");
        isRefused(
                ONE_WAY.replace("SRCPORT=1.1.1", "SRCPORT=9.9.9"), "names port '9.9.9', which is none of the 3 ports");
    }

    @Test
    void oneWayOfAConnectionThatGoesBothWaysIsNotBrokenAlone() throws Exception {
        Move one = new Move.Break(new CircuitPair("1.1.1", "1.1.2"));
        Move other = new Move.Break(new CircuitPair("1.1.2", "1.1.1"));
        Connections alone = new Connections(List.of(read(BOTH_WAYS)));
        assertThat(alone.step(one, List.of(one)))
                .isEqualTo(new Standing.Step.Settled(new MoveAnswer.Refused(
                        ItemReason.ITEM_REASON_DEVICE_REFUSED,
                        "RTRV-CRS shows connection ring of group Quali, which goes both ways: "
                                + "break [1.1.1->1.1.2, 1.1.2->1.1.1] in one request")));
        Connections together = new Connections(List.of(read(BOTH_WAYS)));
        assertThat(together.step(one, List.of(one, other)))
                .isEqualTo(new Standing.Step.Ask(List.of(
                        new Command("CANC-CRS", "1.1.1,1.1.2", ":,Quali,ring"),
                        new Command("DLT-CRS", "1.1.1,1.1.2", ":,Quali,ring"))));
        assertThat(together.step(other, List.of(one, other)))
                .isEqualTo(new Standing.Step.Settled(new MoveAnswer.Accepted()));
    }
}
