package dev.lightpath.driver;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** NETCONF servers that refuse streams of notifications. */
final class NetconfStreamsTest extends ManagedTrial {
    private static final String OK = "<ok/>";
    private static final String EMPTY = "<data/>";

    /** Why it refuses is said with the stream. */
    private static String answer(String asked, Set<String> refused) {
        if (!asked.contains("create-subscription")) {
            return EMPTY;
        }
        return refused.stream()
                .filter(stream -> asked.contains("<stream>" + stream + "</stream>"))
                .findFirst()
                .map(stream -> "<rpc-error><error-tag>access-denied</error-tag><error-severity>error</error-severity>"
                        + "<error-message>no right to " + stream + "</error-message></rpc-error>")
                .orElse(OK);
    }

    private void saysOnce(Set<String> refused, String line) throws Exception {
        ScriptedNetconf device = new ScriptedNetconf(
                List.of("urn:ietf:params:netconf:capability:notification:1.0"),
                (id, asked) -> "<rpc-reply message-id=\"" + id + "\">" + answer(asked, refused) + "</rpc-reply>");
        open.add(device);
        awaitPresent(driver(device.adapter(directory)));
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> log(line).size() == 1);
    }

    @Test
    void aSwitchThatTellsOnlyChangesSaysWhyOnce() throws Exception {
        saysOnce(Set.of("Polatis"), "only changes of configuration are heard: stream Polatis: no right to Polatis");
    }

    @Test
    void aSwitchThatTellsNothingSaysBothReasons() throws Exception {
        saysOnce(
                Set.of("Polatis", "NETCONF"),
                "no notifications, asking every 1000 ms: stream Polatis: no right to Polatis; stream NETCONF: no right to"
                        + " NETCONF");
    }
}
