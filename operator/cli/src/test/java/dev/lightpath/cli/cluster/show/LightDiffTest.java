package dev.lightpath.cli.cluster.show;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.cli.cluster.access.OperatorAnswer;
import dev.lightpath.cli.cluster.access.OperatorCall;
import dev.lightpath.cli.cluster.access.OperatorView;
import dev.lightpath.console.text.BadInput;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

public class LightDiffTest {
    public static final String VIEW = """
            {"at":"2026-11-21T08:00:00Z","epoch":3,"decision":"rest","remaining":0,"inFlight":[],
             "fabrics":[{"name":"ring-a","shape":"Ring","driver":{"endpoint":"h:1","connected":true},
               "circuits":{"planned":24,"lit":22,"foreign":1,"missing":1},
               "foreign":["n3/b0.common->b0.path1"],
               "devices":[
                {"device":"n0","position":0,"presence":"present","wanted":["a->b"],"observed":["a->b"],"missing":[],"surplus":[]},
                {"device":"n3","position":3,"presence":"present","wanted":["b0.common->b0.loop"],"observed":["b0.common->b0.path1"],
                 "missing":["b0.common->b0.loop"],"surplus":["b0.common->b0.path1"]},
                {"device":"n7","position":7,"presence":"silent","wanted":["b0.common->b0.loop"],"observed":["b0.common->b0.loop"],"missing":[],"surplus":[]}]}],
             "slices":[{"namespace":"default","name":"llm-ring-a-1-abcde","job":"llm","fabric":"ring-a","revision":1}]}
            """;

    @Test
    void showsOnlyDevicesThatDiffer() {
        LightDiff diff = diff("ring-a");
        assertThat(diff.inSync()).isFalse();
        assertThat(diff.devices()).extracting(OperatorView.DeviceView::device).containsExactly("n3", "n7");
        assertThat(diff.answer().table().render())
                .contains("24 circuits meant, 22 of them read back")
                .contains("n3      3         present   b0.common->b0.loop    b0.common->b0.path1")
                .contains("n3/b0.common->b0.path1");
    }

    @Test
    void tellsThatTheLedgerIsAheadOfWhatTheOperatorLookedAt() {
        assertThat(diff("ring-a").outdated())
                .containsExactly("default/llm-ring-a-1-abcde: recorded is revision 2, the operator looked at 1");
    }

    /** The operator shows a record as one, whatever objects hold it. */
    @Test
    void aPartOfARecordIsNothingThatIsDecided() {
        LightDiff diff = LightDiff.of(
                "ring-a",
                new OperatorAnswer("it", VIEW).as(OperatorView.class, "view"),
                List.of(Shown.slice("u"), Shown.part("u")));
        assertThat(diff.outdated())
                .containsExactly("default/llm-ring-a-1-abcde: recorded is revision 2, the operator looked at 1");
    }

    @Test
    void saysWhenTheOperatorDoesNotShowAFabric() {
        assertThatThrownBy(() -> diff("spine"))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("does not show the light of fabric spine");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://h:1", "http://h:1/", "http://h:1/q/metrics", "http://h:1/view"})
    void findsTheViewBesideAnyPageOfTheOperator(String url) {
        assertThat(OperatorCall.address(url, "/view")).hasToString("http://h:1/view");
    }

    @ParameterizedTest
    @ValueSource(strings = {"h:1", "ftp://h:1", "", "http://", "%"})
    void refusesAnAddressThatIsNone(String url) {
        assertThatThrownBy(() -> OperatorCall.address(url, "/view"))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("allowed is http://HOST:PORT");
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "127.0.0.1", "127.1.2.3", "[::1]"})
    void knowsThisMachine(String host) {
        assertThat(OperatorCall.isLoopback(host)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1.example.org", "10.0.0.1", "localhost.example.org", "operator", "[::]", "127.1"})
    void takesNoOtherForThisMachine(String host) {
        assertThat(OperatorCall.isLoopback(host)).isFalse();
    }

    private static LightDiff diff(String fabric) {
        return LightDiff.of(
                fabric, new OperatorAnswer("it", VIEW).as(OperatorView.class, "view"), List.of(Shown.slice("u")));
    }
}
