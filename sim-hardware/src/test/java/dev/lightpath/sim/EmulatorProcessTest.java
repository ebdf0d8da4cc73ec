package dev.lightpath.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The emulator as a program: what it says to somebody who starts it the wrong way. */
class EmulatorProcessTest {
    private static final String SWITCH = "devices: [{id: s, kind: switch, ports: 4, twoSided: true}]\n";
    private static final String ANYWHERE = "listen: 127.0.0.1:0\nhttp: none\n";

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|Missing required option: '--scenario=FILE'; --help tells more",
                "--scenario|Missing required parameter for option '--scenario' (FILE); --help tells more",
                "--scenario ring-64 more|Unmatched argument at index 2: 'more'; --help tells more",
                "--scenario ring-65|ring-65: no such file, and no built-in scenario of that name",
                "--scenario .|.: a directory, a file is needed",
            })
    void wrongArgumentsAreOneLine(String arguments, String complaint) throws Exception {
        assertThat(refusal(arguments.isEmpty() ? List.of() : List.of(arguments.split(" "))))
                .isEqualTo(complaint);
    }

    @Test
    void aFileThatIsNoTextIsOneLine() throws Exception {
        Path file = Files.write(directory.resolve("binary.yaml"), new byte[] {(byte) 0xc3, 0x28, 0x0a});
        assertThat(refusal(List.of("--scenario", file.toString()))).isEqualTo(file + ": no text in UTF-8");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "listen: 'nowhere.invalid:9450'|listen: cannot listen at nowhere.invalid:9450: no such host",
                "http: 'nowhere.invalid:9451'|"
                        + "http: cannot listen at nowhere.invalid:9451: no such host; another port, or 'http: none', is needed",
                "netconf: [{device: s, listen: 'nowhere.invalid:830', user: u, password: p}]|"
                        + "netconf.listen: cannot listen at nowhere.invalid:830: no such host",
                "tl1: [{device: s, listen: 'nowhere.invalid:830', user: u, password: p}]|"
                        + "tl1.listen: cannot listen at nowhere.invalid:830: no such host",
                "gnmi: [{device: s, listen: '127.0.0.1:0', user: u, password: p, certificate: nothing, key: nothing}]|"
                        + "gnmi.listen: cannot listen at 127.0.0.1:0: nothing (No such file or directory)",
                "gnmi: [{device: s, listen: '127.0.0.1:0', user: u, password: p, certificate: FILE, key: FILE}]|"
                        + "gnmi.listen: cannot listen at 127.0.0.1:0: certificate or key are not in PEM",
                "deviceApi: [{devices: [s], listen: '127.0.0.1:0', certificate: FILE, key: FILE, ca: FILE}]|"
                        + "deviceApi.listen: cannot listen at 127.0.0.1:0: certificate, key or ca are not in PEM",
            })
    void whereItCannotListenIsOneLine(String field, String complaint) throws Exception {
        String name = field.substring(0, field.indexOf(':'));
        String usual = ANYWHERE.lines()
                .filter(line -> !line.startsWith(name + ":"))
                .map(line -> line + "\n")
                .reduce("", String::concat);
        assertThat(refusal(usual + SWITCH, field)).isEqualTo(complaint);
    }

    /** The SSH server would say so in lines of its own. */
    @Test
    void aPortThatIsAskedForTwiceIsOneLine() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String at = "127.0.0.1:" + taken.getLocalPort();
            String field = "netconf: [{device: s, listen: '" + at + "', user: u, password: p}]";
            assertThat(refusal(ANYWHERE + SWITCH, field))
                    .isEqualTo("netconf.listen: cannot listen at " + at + ": Address already in use");
        }
    }

    /** Starts it with a scenario; FILE in the last field is a file that is there and no certificate. */
    private String refusal(String scenario, String field) throws Exception {
        Path other = Files.writeString(directory.resolve("other.txt"), "no certificate\n");
        Path file = Files.writeString(
                directory.resolve("own.yaml"), scenario + field.replace("FILE", other.toString()) + "\n");
        return refusal(List.of("--scenario", file.toString()));
    }

    /** All that it says before it ends with 2. */
    private static String refusal(List<String> arguments) throws IOException, InterruptedException {
        Process process = start(arguments);
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(said).isEqualTo(2);
        return said;
    }

    private static Process start(List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Emulator.class.getName()));
        command.addAll(arguments);
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }
}
