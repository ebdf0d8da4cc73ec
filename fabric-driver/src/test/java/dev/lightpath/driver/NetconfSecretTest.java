package dev.lightpath.driver;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A NETCONF server that says the password which it was shown. */
final class NetconfSecretTest extends ManagedTrial {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "<rpc-reply message-id=\"ID\"><rpc-error><error-tag>access-denied</error-tag><error-message>"
                        + "admin/WORD may not</error-message></rpc-error></rpc-reply> | admin/*** may not",
                "<rpc-reply message-id=\"WORD\"/> | answered message '***' where '1' was asked",
                "<WORD/> | the device sent <***>",
                "<rpc-reply message-id=\"ID\"><data><product-information><model-name>WORD 48x48</model-name>"
                        + "</product-information></data></rpc-reply> | the device is a *** 48x48, but",
                "<rpc-reply message-id=\"ID\"><data><port-config><port><port-id>WORD</port-id></port>"
                        + "</port-config></data></rpc-reply> | the state of a port names port '***'"
            })
    void noLogHasIt(String answer, String line) throws Exception {
        ScriptedNetconf device = new ScriptedNetconf(
                List.of(), (id, asked) -> answer.replace("ID", id).replace("WORD", ScriptedNetconf.PASSWORD));
        open.add(device);
        leavesAloneAndSays(device.adapter(directory), line);
    }
}
