package dev.lightpath.crds.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.apiserver.ControlPlaneBinaries;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code deploy/local/up} where nothing is built yet. A stand-in for Go takes the programs from this user's own cache;
 * that the build took longer than every limit is said by the shell's clock, {@code SECONDS}, which starts at an hour.
 */
class FreshMachineIT {

    private static final int AN_HOUR = 3600;
    private static final int NODES = 2;
    /** As {@code port_span} of deploy/local/environment.bash. */
    private static final int SPAN = 26;

    @TempDir
    Path folder;

    private Path checkout;
    private int portBase;

    @BeforeEach
    void prepare() throws IOException {
        checkout = ControlPlaneBinaries.checkout();
        portBase = freePorts();
        Path bin = Files.createDirectories(folder.resolve("stand-in"));
        standIn(
                bin.resolve("go"),
                goThatCopies(ControlPlaneBinaries.ofCheckout().home()));
        standIn(bin.resolve("curl"), "exit 7");
    }

    @AfterEach
    void stop() throws IOException, InterruptedException {
        run("deploy/local/down", List.of("--port-base", String.valueOf(portBase)));
    }

    /** Progress is told every fifteenth second, and seconds are long on a busy machine. */
    @Test
    void startsAfterABuildThatTookLongerThanEveryLimitAndSaidHowFarItWas() throws IOException, InterruptedException {
        before("kube-apiserver", "sleep 32");
        busyAtTheFirstApply();
        Run up = up();
        assertThat(up.code()).as(up.text()).isZero();
        assertThat(up.text())
                .contains("7 of 7: jobset", "applying resources.yaml once more", "KUBECONFIG=")
                .containsPattern("control plane: kube-apiserver: \\d+ of 3 packages compiled, since [123]\\d s");
    }

    @Test
    void keepsTheLogsThatAFailureNames() throws IOException, InterruptedException {
        before(
                "kube-apiserver",
                "while [ \"$1\" != -o ]; do shift; done\n"
                        + "printf '#!/bin/sh\\necho no room on device >&2; exit 1\\n' > \"$2\"; chmod +x \"$2\"; exit 0");

        Run up = up();
        assertThat(up.code()).as(up.text()).isEqualTo(1);
        assertThat(up.text()).contains("kube-apiserver ended while starting");
        Matcher named = Pattern.compile("its logs are kept in (\\S+)").matcher(up.text());
        assertThat(named.find()).as(up.text()).isTrue();
        assertThat(Path.of(named.group(1), "kube-apiserver.log")).content().contains("no room on device");
    }

    /** Where nothing is built, {@code up} builds it. */
    @Test
    void showsTheEndOfABuildThatFailed() throws IOException, InterruptedException {
        Path bare = bareCheckout("echo the compiler is missing; exit 3");
        Run up = run(bare.resolve("deploy/local/up"), List.of("--nodes", "8", "--port-base", "" + portBase));
        assertThat(up.code()).as(up.text()).isEqualTo(1);
        assertThat(up.text())
                .contains(
                        "is not there: building with ./mvnw", "the compiler is missing", "the build failed, above is");
        assertThat(bare.resolve("target/package.log")).content().contains("the compiler is missing");
    }

    @Test
    void saysWhatABuildDidNotMake() throws IOException, InterruptedException {
        Path bare = bareCheckout("exit 0");
        Run up = run(bare.resolve("deploy/local/up"), List.of("--nodes", "8", "--port-base", "" + portBase));
        assertThat(up.code()).as(up.text()).isEqualTo(1);
        assertThat(up.text()).contains("the build left no ");
    }

    /** With the scripts, and a stand-in for Maven. */
    private Path bareCheckout(String maven) throws IOException {
        Path bare = Files.createDirectories(folder.resolve("checkout"));
        Files.createDirectories(bare.resolve("deploy"));
        Files.createSymbolicLink(bare.resolve("deploy/local"), checkout.resolve("deploy/local"));
        Files.createSymbolicLink(bare.resolve(".mvn"), checkout.resolve(".mvn"));
        Files.copy(checkout.resolve("pom.xml"), bare.resolve("pom.xml"));
        standIn(bare.resolve("mvnw"), maven);
        return bare;
    }

    @Test
    @Timeout(60)
    void passesEachLineOnAtOnceAlsoWhereTheOutputIsNoTerminal() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        "bash", "-c", ". deploy/local/environment.bash; { echo begun; read -r || true; } | indent")
                .directory(checkout.toFile())
                .start();
        try (var output = process.inputReader();
                var held = process.getOutputStream()) {
            assertThat(output.readLine()).isEqualTo("   begun");
            held.close();
            assertThat(output.readLine()).isNull();
        }
        assertThat(process.waitFor()).isZero();
    }

    private Run up() throws IOException, InterruptedException {
        return run(
                "deploy/local/up",
                List.of(
                        "--control-plane-only",
                        "--nodes",
                        "" + NODES,
                        "--shape",
                        "line",
                        "--port-base",
                        "" + portBase));
    }

    private record Run(int code, String text) {}

    private Run run(String script, List<String> arguments) throws IOException, InterruptedException {
        return run(checkout.resolve(script), arguments);
    }

    private Run run(Path script, List<String> arguments) throws IOException, InterruptedException {
        Path output = Files.createTempFile(folder, "output", ".txt");
        var command = new ProcessBuilder(
                Stream.concat(Stream.of(script.toString()), arguments.stream()).toList());
        command.environment().put("XDG_CACHE_HOME", folder.resolve("cache").toString());
        command.environment().put("XDG_STATE_HOME", folder.resolve("state").toString());
        command.environment().put("SECONDS", String.valueOf(AN_HOUR));
        command.environment()
                .merge("PATH", folder.resolve("stand-in").toString(), (before, ours) -> ours + ":" + before);
        Process process = command.redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).as(script + " ends").isTrue();
        return new Run(process.exitValue(), Files.readString(output));
    }

    /** Has the stand-in for Go do something else first where it builds that program. */
    private void before(String program, String body) throws IOException {
        Path go = folder.resolve("stand-in/go");
        standIn(go, "case \" $* \" in *' -o '*'/" + program + " '*) " + body + " ;; esac\n" + Files.readString(go));
    }

    /** The API server says so when it has no time. */
    private void busyAtTheFirstApply() throws IOException {
        Path told = folder.resolve("told");
        Path real = ControlPlaneBinaries.ofCheckout().home().resolve("bin/kubectl");
        Path busy = folder.resolve("stand-in/busy");
        standIn(busy, """
                case " $* " in
                  *' apply '*)
                    if mkdir %s 2> /dev/null; then
                      echo 'Error from server (Timeout): Timeout: request did not complete within requested timeout' >&2
                      exit 1
                    fi ;;
                esac
                exec %s "$@"\
                """.formatted(told, real));
        before("kubectl", "while [ \"$1\" != -o ]; do shift; done; cp " + busy + " \"$2\"; exit 0");
    }

    /** Answers what the script asks of Go: the packages, a module's folder, and a program, which it copies. */
    private static String goThatCopies(Path real) {
        return """
            home=%s
                        case " $* " in
              *' -deps '*) printf 'a/one\\na/two\\na/three\\n' ;;
              *' -m '*sigs.k8s.io/kwok*)
                modules=$(mktemp -d)
                for stage in node/fast/node-initialize node/heartbeat-with-lease/node-heartbeat-with-lease \\
                  node/chaos/node-not-ready pod/fast/pod-ready pod/fast/pod-delete; do
                  mkdir -p "$modules/kustomize/stage/${stage%%/*}"
                  cp "$home/manifests/kwok/${stage##*/}.yaml" "$modules/kustomize/stage/$stage.yaml"
                done
                echo "$modules" ;;
              *' -m '*)
                modules=$(mktemp -d)
                cp -r "$home/manifests/jobset" "$modules/config"
                echo "$modules" ;;
              *)
                while [ "$1" != -o ]; do shift; done
                echo a/one >&2
                cp "$home/bin/${2##*/}" "$2" ;;
            esac
            """.formatted(real);
    }

    private static void standIn(Path program, String body) throws IOException {
        Files.writeString(program, "#!/usr/bin/env bash\nset -e\nexport TMPDIR=$(dirname \"$0\")\n" + body + "\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    }

    /**
     * A port base whose 26 ports nobody listens on now. Other tests take ports below 32000, and outgoing connections
     * those from 32768.
     */
    private static int freePorts() throws IOException {
        for (int base = 32000; base + SPAN <= 32768; base += SPAN) {
            if (IntStream.range(base, base + SPAN).allMatch(FreshMachineIT::isFree)) {
                return base;
            }
        }
        throw new IOException("no 26 free ports from 32000 to 32768");
    }

    private static boolean isFree(int port) {
        try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}
