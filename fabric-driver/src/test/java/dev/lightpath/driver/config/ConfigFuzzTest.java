package dev.lightpath.driver.config;

import dev.lightpath.fuzz.Fuzz;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** What an administrator may write into driver.yaml. */
@Isolated("the heap that it measures is that of the whole process")
class ConfigFuzzTest {
    @TempDir
    private Path directory;

    @Test
    void configurations() throws Exception {
        Files.writeString(directory.resolve("a.pem"), "x");
        Path file = directory.resolve("driver.yaml");
        Fuzz.read(
                "driver-yaml",
                Fuzz.texts(
                        """
                        listen: 127.0.0.1:1
                        http: 127.0.0.1:2
                        stateDirectory: state
                        adapters:
                          - {kind: emulator, endpoint: "localhost:9450"}
                          - {kind: device-api, endpoint: "127.0.0.1:9460", tls: {certificate: a.pem, key: a.pem, ca: a.pem}}
                          - kind: netconf-polatis
                            devices:
                              - {id: a, endpoint: "b:830", user: c, passwordFile: a.pem, hostKey: "SHA256:%s", size: 8x8}
                        tls:
                          certificate: a.pem
                          key: a.pem
                          clientCa: a.pem
                          roles:
                            - {san: operator.lightpath, role: writer, fencingRoles: ["cluster/*"]}
                            - {san: "spiffe://x/admin", role: admin, devices: [n0, n1]}
                        limits: {watchBuffer: 10, maxOperations: 20}
                        """.formatted("A".repeat(43)),
                        "{stateDirectory: /tmp/x, insecure: true}",
                        "stateDirectory: \"a\\0b\\n\"\ninsecure: true\n"),
                ConfigException.class,
                yaml -> DriverConfigReader.read(Files.write(file, yaml)));
    }
}
