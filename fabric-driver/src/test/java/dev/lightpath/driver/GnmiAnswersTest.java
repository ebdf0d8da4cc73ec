package dev.lightpath.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.lightpath.driver.config.AdapterConfig.GnmiDevice;
import dev.lightpath.proto.driver.v1alpha1.Alarm;
import dev.lightpath.proto.driver.v1alpha1.DeviceSnapshot;
import dev.lightpath.proto.driver.v1alpha1.PortAdminState;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import dev.lightpath.proto.driver.v1alpha1.TelemetryServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.WatchRequest;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import io.grpc.ManagedChannel;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The gNMI adapter where a device answers what cannot be used. */
@Order(2)
final class GnmiAnswersTest extends GnmiTrial {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            sonic-ocs-states:sonic-ocs-states/OCS_PORT          | {"OCS_PORT_LIST":[{"simplex_port_id":"1A",        | the device's JSON cannot be read
            sonic-ocs-states:sonic-ocs-states/OCS_PORT          | {"OCS_PORT_LIST":[{"simplex_port_id":"Ethernet0"}]} | the table of ports names port 'Ethernet0', where a name such as 1A or 2-64B is expected
            sonic-ocs-states:sonic-ocs-states/OCS_PORT          | {"OCS_PORT_LIST":[{"simplex_port_id":"1A"}]}      | the device has size 1x0, where ports on both sides are expected
            sonic-ocs-states:sonic-ocs-states/OCS_PORT          | {}                                                | the device's tables of ports are empty or unknown
            """)
    void anAnswerThatCannotBeUsedIsOneLine(String path, String json, String line) throws Exception {
        try (ScriptedGnmi device = new ScriptedGnmi()) {
            device.says(path, json);
            leavesAloneAndSays(GnmiPlant.only(scripted(device)), line);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            sonic-ocs-states:sonic-ocs-states/OCS_CROSS_CONNECT | {"OCS_CROSS_CONNECT_LIST":[{"a_side":"1A","b_side":"7B"}]} | a cross-connect names port '7B', which is none of the 2 ports of the device
            sonic-ocs:sonic-ocs/OCS_CROSS_CONNECT               | {"OCS_CROSS_CONNECT_LIST":[17]}                   | an entry of OCS_CROSS_CONNECT_LIST is no JSON object
            """)
    void aTableOfCircuitsThatCannotBeUsedIsOneLineAndTheDeviceIsSilent(String path, String json, String line)
            throws Exception {
        try (ScriptedGnmi device = new ScriptedGnmi()) {
            device.says(path, json);
            var unused = driver(GnmiPlant.only(scripted(device)));
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> !log("device=ocs-1 " + line).isEmpty());
        }
    }

    private static GnmiDevice scripted(ScriptedGnmi device) {
        return scripted(device, "");
    }

    private static GnmiDevice scripted(ScriptedGnmi device, String yangRevision) {
        return new GnmiDevice(
                ManagedPlant.DEVICE,
                "127.0.0.1:" + device.port(),
                Optional.empty(),
                Optional.empty(),
                "",
                yangRevision,
                OptionalLong.empty(),
                Duration.ofSeconds(1));
    }

    @Test
    void aRevisionThatNobodyKnowsIsOneLineUnlessItIsNamed() throws Exception {
        try (ScriptedGnmi device = new ScriptedGnmi()) {
            for (String module : List.of("sonic-ocs", "sonic-ocs-states")) {
                device.has(module, "2031-01-01");
                leavesAloneAndSays(
                        GnmiPlant.only(scripted(device)),
                        "revision 2031-01-01 of module " + module + " is unknown, so the device is neither read nor"
                                + " changed; allowed are those up to 2024-11-21, and the one that `yangRevision`");
                closeDriver();
                device.has(module, "2024-11-20");
            }
            device.has("openconfig-platform", "2031-01-01");
            awaitPresent(driver(GnmiPlant.only(scripted(device))));
            closeDriver();
            device.has("sonic-ocs", "2031-01-01");
            awaitPresent(driver(GnmiPlant.only(scripted(device, "2031-01-01"))));
        }
    }

    @Test
    void aVersionThatIsNoRevisionIsToldOnceAndTheDeviceIsUsed() throws Exception {
        try (ScriptedGnmi device = new ScriptedGnmi()) {
            device.has("sonic-ocs", "1.0.2");
            awaitPresent(driver(GnmiPlant.only(scripted(device))));
            assertThat(log("module sonic-ocs has version '1.0.2', which is no revision of YANG: it is used like"
                            + " 2024-11-21, the newest known one"))
                    .hasSize(1);
        }
    }

    @Test
    void anAnswerThatIsTooLargeOrTooDeepIsOneLine() throws Exception {
        try (ScriptedGnmi device = new ScriptedGnmi()) {
            device.says(ScriptedGnmi.PORTS, "{\"a\":".repeat(100_000));
            leavesAloneAndSays(GnmiPlant.only(scripted(device)), "the device's JSON cannot be read");
            closeDriver();
            device.says(ScriptedGnmi.PORTS, ByteString.copyFrom(new byte[65 << 20]));
            leavesAloneAndSays(GnmiPlant.only(scripted(device)), "gRPC message exceeds maximum size");
        }
    }

    /** Its database starts again while it answers: that is no loss of every circuit. */
    @Test
    void tablesThatAreEmptyForAWhileAreSilenceAndNotADarkSwitch() throws Exception {
        try (ScriptedGnmi device = new ScriptedGnmi()) {
            device.says(ScriptedGnmi.CIRCUITS, """
                    {"OCS_CROSS_CONNECT_LIST":[{"a_side":"1A","b_side":"1B","a_side_status":"tuned","b_side_status":"tuned"}]}
                    """);
            ManagedChannel driver = driver(GnmiPlant.only(scripted(device)));
            awaitPresent(driver);
            device.says(ScriptedGnmi.PORTS, "{}");
            device.says(ScriptedGnmi.CIRCUITS, "{}");
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> !log("the device's tables of ports are empty").isEmpty());
            assertThat(shown(driver)).isEqualTo(1);
        }
    }

    /** Circuits that the driver shows, whether or not the device answers. */
    private static int shown(ManagedChannel driver) {
        return TelemetryServiceGrpc.newBlockingStub(driver)
                .withDeadlineAfter(30, TimeUnit.SECONDS)
                .watch(WatchRequest.getDefaultInstance())
                .next()
                .getSnapshot()
                .getCircuitsCount();
    }

    @Test
    void aTableWithoutEndIsOneLine() throws Exception {
        try (ScriptedGnmi device = new ScriptedGnmi()) {
            StringBuilder rows = new StringBuilder();
            for (int port = 0; port < 70_000; port++) {
                rows.append(port == 0 ? "" : ",")
                        .append("{\"simplex_port_id\":\"")
                        .append(port)
                        .append("A\"}");
            }
            device.says(ScriptedGnmi.PORTS, "{\"OCS_PORT_LIST\":[" + rows + "]}");
            leavesAloneAndSays(GnmiPlant.only(scripted(device)), "a table of the device has more than 65535 rows");
        }
    }

    @Test
    void aStatusThatNobodyKnowsIsAnAlarm() throws Exception {
        try (ScriptedGnmi device = new ScriptedGnmi()) {
            device.says(ScriptedGnmi.PORTS, """
                    {"OCS_PORT_LIST":[{"simplex_port_id":"1A","status":"melting"},{"simplex_port_id":"1B","status":"failed"}]}
                    """);
            device.says(ScriptedGnmi.CIRCUITS, """
                    {"OCS_CROSS_CONNECT_LIST":[{"a_side":"1A","b_side":"1B","a_side_status":"melting","b_side_status":"tuned"}]}
                    """);
            ManagedChannel driver = driver(GnmiPlant.only(scripted(device)));
            awaitPresent(driver);
            assertThat(alarms(driver))
                    .extracting(alarm -> alarm.getWhere() + " " + alarm.getKind() + " " + alarm.getNativeText())
                    .contains(
                            "1A ALARM_KIND_DEGRADED status 'melting' is unknown",
                            "1B ALARM_KIND_PORT_FAILED status failed");
        }
    }

    /** As the module sonic-ocs of sonic-molex has it: tables of states in the same module, with words of their own. */
    @Test
    void statesInTheTablesOfTheBranchOfMolexAreRead() throws Exception {
        try (ScriptedGnmi device = new ScriptedGnmi()) {
            device.knowsNot(ScriptedGnmi.PORTS);
            device.knowsNot(ScriptedGnmi.CIRCUITS);
            device.says(ScriptedGnmi.CONFIG_PORTS, """
                    {"sonic-ocs:OCS_PORT":{"OCS_PORT_LIST":[
                      {"simplex_port_id":"1A","config_status":"normal"},{"simplex_port_id":"1B","config_status":"normal"},
                      {"simplex_port_id":"2A","config_status":"powered_off"},{"simplex_port_id":"2B"},
                      {"simplex_port_id":"3A"},{"simplex_port_id":"3B"}]}}
                    """);
            device.says(ScriptedGnmi.CONFIG_PORTS + "_TABLE", """
                    {"sonic-ocs:OCS_PORT_TABLE":{"OCS_PORT_LIST":[
                      {"simplex_port_id":"1A","oper_status":"connected"},{"simplex_port_id":"1B","oper_status":"connected"},
                      {"simplex_port_id":"2A","oper_status":"powered_off"},{"simplex_port_id":"2B","oper_status":"blocked"},
                      {"simplex_port_id":"3A","oper_status":"failed"},{"simplex_port_id":"3B","oper_status":"tuning"}]}}
                    """);
            device.says(ScriptedGnmi.CONFIG_CIRCUITS, """
                    {"sonic-ocs:OCS_CROSS_CONNECT":{"OCS_CROSS_CONNECT_LIST":[
                      {"cross_connect_id":"1A-1B","a_side":"1A","b_side":"1B"},
                      {"cross_connect_id":"2A-2B","a_side":"2A","b_side":"2B"},
                      {"cross_connect_id":"3A-3B","a_side":"3A","b_side":"3B"}]}}
                    """);
            device.says(ScriptedGnmi.CONFIG_CIRCUITS + "_TABLE", """
                    {"sonic-ocs:OCS_CROSS_CONNECT_TABLE":{"OCS_CROSS_CONNECT_LIST":[
                      {"cross_connect_id":"1A-1B","status":"enabled","insertion_loss_dB":"1.62"},
                      {"cross_connect_id":"2A-2B","status":"disabled"},
                      {"cross_connect_id":"3A-3B","status":"invalid"}]}}
                    """);
            ManagedChannel driver = driver(GnmiPlant.only(scripted(device)));
            awaitPresent(driver);
            DeviceSnapshot shown = snapshot(driver);
            assertThat(shown.getCircuitsList())
                    .extracting(circuit -> circuit.getKey().getIngress() + " " + circuit.getState() + " "
                            + circuit.getMeasuredLossDb())
                    .containsExactly(
                            "1A CIRCUIT_STATE_CONNECTED 1.62",
                            "2A CIRCUIT_STATE_TUNING 0.0",
                            "3A CIRCUIT_STATE_FAILED 0.0");
            assertThat(shown.getPortsList())
                    .filteredOn(port -> port.getAdminState() == PortAdminState.PORT_ADMIN_STATE_OUT_OF_SERVICE)
                    .extracting(PortStatus::getPort)
                    .containsExactly("2A");
            assertThat(shown.getAlarmsList())
                    .extracting(alarm -> alarm.getWhere() + " " + alarm.getKind())
                    .containsExactly("3A ALARM_KIND_PORT_FAILED");
        }
    }

    private static List<Alarm> alarms(ManagedChannel driver) {
        try (Watching watching =
                Watching.start(TelemetryServiceGrpc.newStub(driver), WatchRequest.getDefaultInstance())) {
            watching.await(WatchResponse.EventCase.SNAPSHOT);
            return watching.messages().stream()
                    .filter(WatchResponse::hasSnapshot)
                    .flatMap(message -> message.getSnapshot().getAlarmsList().stream())
                    .toList();
        }
    }
}
