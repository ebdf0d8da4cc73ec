package dev.lightpath.driver.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class DriverConfigReaderTest {
    @TempDir
    private Path directory;

    private DriverConfig read(String yaml) throws Exception {
        return DriverConfigReader.read(Files.writeString(directory.resolve("driver.yaml"), yaml));
    }

    @Test
    void readsEverything() throws Exception {
        Files.writeString(directory.resolve("a.pem"), "x");
        DriverConfig config = read("""
                listen: 127.0.0.1:1
                http: 127.0.0.1:2
                stateDirectory: state
                adapters:
                  - {kind: emulator, endpoint: "localhost:9450"}
                tls:
                  certificate: a.pem
                  key: a.pem
                  clientCa: a.pem
                  roles:
                    - {san: operator.lightpath, role: writer}
                    - {san: "spiffe://x/admin", role: admin, devices: [n0, n1]}
                limits: {watchBuffer: 10, maxOperations: 20}
                """);
        assertThat(config.listen()).isEqualTo(new DriverConfig.Address("127.0.0.1", 1));
        assertThat(config.stateDirectory()).isEqualTo(directory.resolve("state"));
        assertThat(config.tls().orElseThrow().roles().getFirst().covers("any")).isTrue();
        assertThat(config.tls().orElseThrow().roles().getLast().covers("n2")).isFalse();
        assertThat(config.tls().orElseThrow().roles().getFirst().fencingRoles()).isEmpty();
        assertThat(config.watchBuffer()).isEqualTo(10);
        assertThat(config.maxOperations()).isEqualTo(20);
    }

    /** Else a driver with a new kind could not be installed with Helm. */
    @Test
    void theChartTakesEveryKindOfAdapter() throws Exception {
        Path schema = Path.of("../deploy/helm/lightpath/values.schema.json");
        List<String> taken = Pattern.compile("\"kind\": \\{\"enum\": \\[([^]]*)]")
                .matcher(Files.readString(schema))
                .results()
                .map(kinds -> kinds.group(1).replace("\"", "").replace(", ", " or "))
                .toList();
        assertThat(taken).as("of drivers, and of agents").hasSize(2);
        assertThatThrownBy(() -> read("""
                        stateDirectory: state
                        insecure: true
                        adapters: [{kind: none of them}]
                        """))
                .isInstanceOf(ConfigException.class)
                .hasMessageEndingWith("; allowed is " + taken.getFirst());
    }

    @Test
    void readsProgramsOfDevices() throws Exception {
        Files.writeString(directory.resolve("a.pem"), "x");
        Path pem = directory.resolve("a.pem");
        assertThat(read("""
                        stateDirectory: state
                        insecure: true
                        adapters:
                          - {kind: device-api, endpoint: "127.0.0.1:9460"}
                          - kind: device-api
                            endpoint: ocs-3.example:9460
                            tls: {certificate: a.pem, key: a.pem, ca: a.pem, serverName: ocs-3}
                          - {kind: device-api, endpoint: "ocs-4.example:9460", insecure: true}
                        """).adapters())
                .containsExactly(
                        new AdapterConfig.DeviceApi("127.0.0.1:9460", Optional.empty()),
                        new AdapterConfig.DeviceApi(
                                "ocs-3.example:9460",
                                Optional.of(new AdapterConfig.ClientTls(pem, pem, pem, Optional.of("ocs-3")))),
                        new AdapterConfig.DeviceApi("ocs-4.example:9460", Optional.empty()));
    }

    @Test
    void hasDefaults() throws Exception {
        DriverConfig config = read("{stateDirectory: /tmp/x, insecure: true}");
        assertThat(config.listen()).isEqualTo(new DriverConfig.Address("0.0.0.0", 9440));
        assertThat(config.http().port()).isEqualTo(9441);
        assertThat(config.adapters()).isEmpty();
        assertThat(config.tls()).isEmpty();
    }

    @Test
    void anEmptyListOfDevicesGrantsNone() throws Exception {
        Files.writeString(directory.resolve("a.pem"), "x");
        DriverConfig config = read("""
                stateDirectory: state
                tls:
                  certificate: a.pem
                  key: a.pem
                  clientCa: a.pem
                  roles:
                    - {san: a, role: writer, devices: []}
                    - {san: b, role: writer, devices: ["*"], fencingRoles: ["cluster/*", other]}
                """);
        assertThat(config.tls().orElseThrow().roles().getFirst().covers("any")).isFalse();
        Access.Rule last = config.tls().orElseThrow().roles().getLast();
        assertThat(last.covers("any")).isTrue();
        assertThat(last.names("cluster/ring-a")).isTrue();
        assertThat(last.names("other")).isTrue();
        assertThat(last.names("others")).isFalse();
    }

    @Test
    void tellsKindsOfNamesApart() {
        assertThat(new Access.Rule("operator.lightpath", Access.READER, List.of()).san())
                .isEqualTo("dns:operator.lightpath");
        assertThat(new Access.Rule("spiffe://x/y", Access.READER, List.of()).san())
                .isEqualTo("uri:spiffe://x/y");
        assertThat(new Access.Rule("uri:urn-of-mine", Access.READER, List.of()).san())
                .isEqualTo("uri:urn-of-mine");
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:0", "localhost:1", "127.0.0.53:1"})
    void takesPlaintextOnLoopback(String listen) throws Exception {
        assertThat(read("{stateDirectory: x, listen: \"" + listen + "\"}").tls())
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {stateDirectory: x}                                        | driver.yaml:1: tls: is missing: without it everybody who reaches 0.0.0.0:9440 may do everything
                    {stateDirectory: x, listen: "10.1.2.3:1", insecure: false} | tls: is missing: without it everybody who reaches 10.1.2.3:1
                    {stateDirectory: x, insecure: perhaps}                     | insecure: 'perhaps' is not allowed; allowed is true or false
                    {insecure: true, listen: "1.2.3.4:1"}                      | driver.yaml:1: stateDirectory: is missing
                    stateDirectry: x                                           | driver.yaml:1: stateDirectry: no such field; allowed are listen, http, stateDirectory
                    {stateDirectory: x, listen: nonsense}                      | driver.yaml:1: listen: 'nonsense' is not allowed; allowed is host:port
                    {stateDirectory: x, listen: "h:70000"}                     | listen: 'h:70000' is not allowed
                    {stateDirectory: x, insecure: true, adapters: 5}                           | adapters: allowed is a list
                    {stateDirectory: x, insecure: true, adapters: [{kind: robot, endpoint: "a:1"}]}   | adapters[0].kind: 'robot' is not allowed; allowed is emulator or device-api or netconf-polatis or openflow or tl1 or gnmi-sonic-ocs
                    {stateDirectory: x, insecure: true, adapters: [{kind: emulator, endpoint: "a:1", tls: {}}]} | adapters[0].tls: no such field of kind emulator; allowed are kind, endpoint
                    {stateDirectory: x, insecure: true, adapters: [{kind: device-api, endpoint: "a.invalid:1"}]} | adapters[0].tls: is missing: without it everybody between here and a.invalid:1 may move light
                    {stateDirectory: x, insecure: true, adapters: [{kind: device-api, endpoint: "a"}]} | adapters[0].endpoint: 'a' is not allowed; allowed is host:port
                    {stateDirectory: x, insecure: true, adapters: [{kind: device-api, endpoint: "a:1", tls: {key: k, ca: c}}]} | adapters[0].tls.certificate: is missing
                    {stateDirectory: x, insecure: true, adapters: [{kind: emulator}]}          | adapters[0].endpoint: is missing
                    {stateDirectory: x, insecure: true, adapters: [{kind: netconf-polatis, endpoint: "a:1"}]} | adapters[0].endpoint: no such field of kind netconf-polatis; allowed are kind, devices
                    {stateDirectory: x, insecure: true, adapters: [{kind: netconf-polatis, devices: [{endpoint: "a:1"}]}]} | adapters[0].devices[0].id: is missing
                    {stateDirectory: x, insecure: true, adapters: [{kind: netconf-polatis, devices: [{id: a, endpoint: "a:1", user: u}]}]} | adapters[0].devices[0].passwordFile: is missing: write it, or keyFile
                    {stateDirectory: x, insecure: true, adapters: [{kind: netconf-polatis, devices: [{id: a, endpoint: "a:1", user: u, passwordFile: none}]}]} | passwordFile: 'none' is not allowed; allowed is a file with the password that can be read
                    {stateDirectory: x, insecure: true, adapters: [{kind: netconf-polatis, devices: [{id: a, endpoint: "a:1", user: u, passwordFile: driver.yaml}]}]} | devices[0].hostKey: is missing: it is SHA256:
                    {stateDirectory: x, insecure: true, adapters: [{kind: netconf-polatis, devices: [{id: a, endpoint: "a:1", user: u, passwordFile: driver.yaml, hostKey: "MD5:00"}]}]} | hostKey: 'MD5:00' is not allowed; allowed is SHA256:
                    {stateDirectory: x, insecure: true, adapters: [{kind: openflow, devices: [{id: a, datapath: "00000000000000a1", size: 8x8}]}]} | adapters[0].tls: is missing: without it everybody who reaches 0.0.0.0:6653 may pass for a device
                    {stateDirectory: x, insecure: true, adapters: [{kind: openflow, listen: "127.0.0.1:0", devices: [{datapath: "00000000000000a1", size: 8x8}]}]} | adapters[0].devices[0].id: is missing
                    {stateDirectory: x, insecure: true, adapters: [{kind: openflow, listen: "127.0.0.1:0", devices: [{id: a, size: 8x8}]}]} | devices[0].datapath: is missing: it is the number of the device, 16 hexadecimal digits
                    {stateDirectory: x, insecure: true, adapters: [{kind: openflow, listen: "127.0.0.1:0", devices: [{id: a, datapath: a1, size: 8x8}]}]} | datapath: 'a1' is not allowed; allowed is 16 hexadecimal digits
                    {stateDirectory: x, insecure: true, adapters: [{kind: openflow, listen: "127.0.0.1:0", devices: [{id: a, datapath: "00000000000000a1"}]}]} | devices[0].size: is missing: it is such as 48x48
                    {stateDirectory: x, insecure: true, adapters: [{kind: openflow, listen: "127.0.0.1:0", devices: [{id: a, datapath: "00000000000000a1", size: 8xCC}]}]} | size: '8xCC' is not allowed; allowed is such as 48x48
                    {stateDirectory: x, insecure: true, adapters: [{kind: openflow, listen: "127.0.0.1:0", devices: [{id: a, datapath: "00000000000000a1", size: 40000x40000}]}]} | size: '40000x40000' is not allowed; allowed is such as 48x48, at most 65535 ports together
                    {stateDirectory: x, insecure: true, adapters: [{kind: openflow, listen: "127.0.0.1:0", devices: [{id: a, datapath: "00000000000000a1", size: 8x8}, {id: b, datapath: "00000000000000A1", size: 8x8}]}]} | datapath: '00000000000000A1' is not allowed; allowed is a number that no other device here has
                    {stateDirectory: x, insecure: true, adapters: [{kind: openflow, listen: "127.0.0.1:x", devices: []}]} | adapters[0].listen: '127.0.0.1:x' is not allowed; allowed is host:port
                    {stateDirectory: x, insecure: true, adapters: [{kind: tl1, devices: [{id: a, endpoint: "a.invalid:3082", user: u, passwordFile: driver.yaml}]}]} | adapters[0].insecure: is missing: TL1 sends the password in the clear
                    {stateDirectory: x, insecure: true, adapters: [{kind: tl1, insecure: true, devices: [{id: a, endpoint: "a.invalid:3082", user: "u;x", passwordFile: driver.yaml}]}]} | devices[0].user: 'u;x' is not allowed; allowed is letters, digits, - and _
                    {stateDirectory: x, insecure: true, adapters: [{kind: tl1, devices: [{id: a, endpoint: "127.0.0.1:3082", user: u}]}]} | devices[0].passwordFile: is missing: it is a file with the password
                    {stateDirectory: x, insecure: true, adapters: [{kind: tl1, devices: [{id: a, endpoint: "127.0.0.1:3082", user: u, passwordFile: driver.yaml, size: 8by8}]}]} | size: '8by8' is not allowed; allowed is such as 48x48
                    {stateDirectory: x, insecure: true, adapters: [{kind: gnmi-sonic-ocs, devices: [{id: a, endpoint: "a.invalid:8080"}]}]} | adapters[0].tls: is missing: without it the password is sent in the clear
                    {stateDirectory: x, insecure: true, adapters: [{kind: gnmi-sonic-ocs, tls: {ca: driver.yaml, key: driver.yaml}, devices: []}]} | adapters[0].tls.certificate: is missing: certificate and key belong together
                    {stateDirectory: x, insecure: true, adapters: [{kind: device-api, endpoint: "127.0.0.1:1"}, {kind: device-api, endpoint: "127.0.0.1:1"}]} | adapters[1].endpoint: '127.0.0.1:1' is not allowed; allowed is an endpoint that no other adapter of this kind has
                    {stateDirectory: x, insecure: true, adapters: [{kind: gnmi-sonic-ocs, tls: {ca: nowhere.pem}, devices: []}]} | adapters[0].tls.ca: 'nowhere.pem' is not allowed; allowed is a PEM file that can be read
                    {stateDirectory: x, insecure: true, adapters: [{kind: gnmi-sonic-ocs, devices: [{id: a, endpoint: "127.0.0.1:8080", user: u}]}]} | devices[0].passwordFile: is missing: user and passwordFile belong together
                    {stateDirectory: x, insecure: true, adapters: [{kind: gnmi-sonic-ocs, devices: [{id: a, endpoint: "127.0.0.1:8080", size: 8xCC}]}]} | size: '8xCC' is not allowed; allowed is such as 64x64
                    {stateDirectory: x, insecure: true, adapters: [{kind: gnmi-sonic-ocs, devices: [{id: a, endpoint: "127.0.0.1:8080", yangRevision: latest}]}]} | yangRevision: 'latest' is not allowed; allowed is a date such as 2024-11-21
                    {stateDirectory: x, insecure: true, adapters: [{kind: gnmi-sonic-ocs, devices: [{id: a, endpoint: "127.0.0.1:8080", electionId: 0}]}]} | electionId: '0' is not allowed; allowed is a number from 1 to 2147483647
                    {stateDirectory: x, insecure: true, adapters: [{kind: gnmi-sonic-ocs, devices: [{id: a, endpoint: "127.0.0.1:8080"}, {id: a, endpoint: "127.0.0.1:8081"}]}]} | devices[1].id: 'a' is not allowed; allowed is a name that no other device here has
                    {stateDirectory: x, insecure: true, adapters: [{kind: gnmi-sonic-ocs, devices: [{id: a, endpoint: "127.0.0.1:8080"}]}, {kind: gnmi-sonic-ocs, devices: [{id: a, endpoint: "127.0.0.1:8081"}]}]} | adapters[1].devices[0].id: 'a' is not allowed; allowed is a name that no other device here has
                    {stateDirectory: x, tls: {certificate: none.pem}}          | tls.certificate: 'none.pem' is not allowed; allowed is a PEM file
                    {stateDirectory: x, insecure: true, limits: {watchBuffer: 0}}              | limits.watchBuffer: '0' is not allowed; allowed is a number from 1
                    {stateDirectory: x, stateDirectory: y}                     | stateDirectory: is there twice
                    {stateDirectory: "a\\0b", insecure: true}                   | stateDirectory: 'a b' is not allowed; allowed is a directory
                    {stateDirectory: [                                         | driver.yaml:1: not YAML
                    """)
    void saysWhatIsWrongWhereAndWhatIsAllowed(String yaml, String message) {
        assertThatThrownBy(() -> read(yaml)).isInstanceOf(ConfigException.class).hasMessageContaining(message);
    }

    @Test
    void saysThatAFileIsMissing() {
        assertThatThrownBy(() -> DriverConfigReader.read(directory.resolve("none.yaml")))
                .hasMessageContaining("none.yaml: cannot be read");
    }
}
