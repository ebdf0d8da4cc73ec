package dev.lightpath.driver.tl1;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.driver.session.Deadline;
import dev.lightpath.driver.tl1.Tl1Session.Command;
import dev.lightpath.sim.Emulator;
import dev.lightpath.sim.scenario.Scenario;
import java.net.Socket;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
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
}
