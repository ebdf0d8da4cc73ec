package dev.lightpath.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.proto.driver.v1alpha1.Outcome;
import io.grpc.ManagedChannel;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What a server is asked for a change. */
final class NetconfChangeTest extends ManagedTrial {
    private static final Pattern WHAT = Pattern.compile(
            "<rpc [^>]*><(lock|unlock|commit|discard-changes|edit-config)\\b" + "(?:><target><(\\w+)/>)?");

    /** What changes something, in the order in which it was asked. */
    private final List<String> asked = new CopyOnWriteArrayList<>();

    private String answer(String id, String message) {
        Matcher what = WHAT.matcher(message);
        if (what.find()) {
            asked.add(what.group(2) == null ? what.group(1) : what.group(1) + " " + what.group(2));
        }
        String said = message.contains("<commit/>")
                ? "<rpc-error><error-tag>operation-failed</error-tag><error-severity>error</error-severity></rpc-error>"
                : "<data/>";
        return "<rpc-reply message-id=\"" + id + "\">" + said + "</rpc-reply>";
    }

    @Test
    void aCommitThatIsRefusedLeavesNothingInTheCandidateWhenOthersMayLockIt() throws Exception {
        ScriptedNetconf device = new ScriptedNetconf(List.of(), this::answer);
        open.add(device);
        ManagedChannel driver = driver(device.adapter(directory));
        awaitPresent(driver);
        assertThat(apply(
                                driver,
                                request("refused")
                                        .addConnects(Requests.key("1->9"))
                                        .build())
                        .getOutcome())
                .isEqualTo(Outcome.OUTCOME_REJECTED);
        assertThat(asked)
                .containsExactly(
                        "lock candidate",
                        "lock running",
                        "discard-changes",
                        "edit-config candidate",
                        "commit",
                        "discard-changes",
                        "unlock running",
                        "unlock candidate");
    }
}
