package dev.lightpath.driver.tl1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.lightpath.driver.session.Deadline;
import dev.lightpath.driver.session.LostException;
import dev.lightpath.driver.tl1.Tl1Session.Command;
import dev.lightpath.sim.Emulator;
import dev.lightpath.sim.scenario.Scenario;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Scanner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class Tl1SessionTest {
    private static final Duration WITHIN = Duration.ofSeconds(30);

    /** A tag has at most six characters, and a session may last for years. */
    @Test
    void afterTheHighestTagTheFirstOneIsGivenAgain() throws Exception {
        try (Emulator emulator = Emulator.start(Scenario.parse("tl1.yaml", """
            listen: 127.0.0.1:0
            devices:
              - {id: ocs-1, kind: switch, preset: mems, ports: 4}
            tl1:
              - {device: ocs-1, listen: "127.0.0.1:0", user: admin, password: "pass-1"}
            """));
                Socket socket = new Socket("127.0.0.1", emulator.tl1("ocs-1").port());
                Tl1Session session = new Tl1Session(
                        socket.getInputStream(), socket.getOutputStream(), socket, report -> {}, 999_990)) {
            session.login("admin", "pass-1", WITHIN);
            List<Message.Answer> answers =
                    session.commands(Collections.nCopies(20, new Command("RTRV-EQPT", "", "")), Deadline.in(WITHIN));
            assertThat(answers)
                    .extracting(Message.Answer::tag)
                    .contains("999999", "1")
                    .doesNotHaveDuplicates();
            assertThat(answers)
                    .hasSize(20)
                    .allMatch(answer -> answer.lines().getFirst().contains("SIZE=4xCC"));
        }
    }

    /** Where a switch takes one session, it is read by the one that changes it. */
    @Test
    void aCommandHasItsTimeFromWhenItIsItsTurn() throws Exception {
        Duration time = Duration.ofSeconds(3);
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answers = new CountDownLatch(1);
        CompletableFuture<Boolean> read = new CompletableFuture<>();
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket socket = new Socket(listening.getInetAddress(), listening.getLocalPort());
                Socket device = listening.accept();
                Tl1Session session =
                        new Tl1Session(socket.getInputStream(), socket.getOutputStream(), socket, report -> {})) {
            Thread.startVirtualThread(() -> answer(device, asked, answers));
            Thread.startVirtualThread(() -> {
                try {
                    var unused = session.commands(
                            List.of(new Command("ENT-PATCH", "1&2", "")), Deadline.in(Duration.ofMinutes(5)));
                } catch (Exception told) {
                    // the session is over then
                }
            });
            assertThat(asked.await(60, TimeUnit.SECONDS)).isTrue();
            Thread reading = Thread.ofPlatform().daemon(true).start(() -> {
                try {
                    read.complete(session.command("RTRV-PATCH", "", "", time).isEmpty());
                } catch (Exception refused) {
                    read.completeExceptionally(refused);
                }
            });
            await().atMost(60, TimeUnit.SECONDS).until(() -> reading.getState() == Thread.State.BLOCKED);

            Thread.sleep(time.plusMillis(100));
            answers.countDown();

            assertThat(read.get(60, TimeUnit.SECONDS)).isTrue();
            assertThat(session.whyOver()).isEmpty();
        }
    }

    /** As devices do whose user gave no command for a while: they keep the connection, and refuse all from then on. */
    @Test
    void aUserWhoWasLoggedOutLogsInAgainByAnotherSession() throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket socket = new Socket(listening.getInetAddress(), listening.getLocalPort());
                Socket device = listening.accept();
                Tl1Session session =
                        new Tl1Session(socket.getInputStream(), socket.getOutputStream(), socket, report -> {})) {
            Thread.startVirtualThread(() -> answer(device, List.of("COMPLD", "DENY\r\n   PLNA")));
            session.login("admin", "pass-1", WITHIN);
            assertThatThrownBy(() -> session.command("ENT-PATCH", "1&2", "", WITHIN))
                    .isInstanceOf(LostException.class)
                    .hasMessage("the device has logged the user out");
            assertThat(session.whyOver()).isEqualTo("the device has logged the user out");
        }
    }

    /** Answers one command after the other, and then waits for more. */
    private static void answer(Socket device, List<String> codes) {
        try (Scanner commands = new Scanner(device.getInputStream(), StandardCharsets.US_ASCII).useDelimiter(";")) {
            for (String code : codes) {
                write(device, commands.next().split(":", -1)[3], code);
            }
            var unused = commands.hasNext();
        } catch (IOException over) {
            // the test has ended
        }
    }

    private static void write(Socket device, String tag, String code) throws IOException {
        device.getOutputStream()
                .write(("\r\n\n   OCS 26-11-30 12:00:00\r\nM  " + tag + " " + code + "\r\n;\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
    }

    /** Answers every command, once it is let. */
    private static void answer(Socket device, CountDownLatch asked, CountDownLatch answers) {
        try (Scanner commands = new Scanner(device.getInputStream(), StandardCharsets.US_ASCII).useDelimiter(";")) {
            while (commands.hasNext()) {
                String tag = commands.next().split(":", -1)[3];
                asked.countDown();
                answers.await();
                write(device, tag, "COMPLD");
            }
        } catch (IOException | InterruptedException over) {
            // the test has ended
        }
    }
}
