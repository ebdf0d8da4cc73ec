package dev.lightpath.app.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.lightpath.app.driver.TestIdentity;
import dev.lightpath.app.workers.WorkersMeter.Ending;
import dev.lightpath.worker.server.WorkerSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Certificates of both sides, and where workers are. */
final class SecuredWorkersTest extends WorkerTrial {
    private void secured(Path folder, String caller) throws IOException {
        var tls = new WorkerSettings.Tls(folder, new TreeSet<>(List.of(caller)), new TreeSet<>());
        worker(FIRST, 1, "-Xmx512m", Optional.of(tls));
    }

    private static void write(Path folder, TestIdentity authority, TestIdentity own) throws IOException {
        Files.writeString(folder.resolve("ca.crt"), authority.certificate());
        Files.writeString(folder.resolve("tls.crt"), own.certificate());
        Files.writeString(folder.resolve("tls.key"), own.privateKey());
    }

    @Test
    void bothSidesShowTheirCertificates(@TempDir Path folder) throws Exception {
        TestIdentity identity = TestIdentity.make(folder, "both");
        write(folder, identity, identity);
        secured(folder, "localhost");
        answersLikeThePlanner(planner(LIMIT, Optional.of(folder), FIRST));
        assertThat(here).hasValue(0);
        answersLikeThePlanner(planner(SOON, FIRST));
        assertThat(here).as("without a certificate").hasValue(1);
    }

    @Test
    void aCallerOfAnotherNameIsRefused(@TempDir Path folder) throws Exception {
        TestIdentity identity = TestIdentity.make(folder, "both");
        write(folder, identity, identity);
        secured(folder, "lightpath-operator");
        answersLikeThePlanner(planner(SOON, Optional.of(folder), FIRST));
        assertThat(here).hasValue(1);
    }

    @Test
    void certificatesThatChangeAreTakenWithTheNextSearch(@TempDir Path folder) throws Exception {
        TestIdentity identity = TestIdentity.make(folder, "both");
        TestIdentity stranger = TestIdentity.make(folder, "stranger");
        Path theirs = Files.createDirectory(folder.resolve("theirs"));
        Path ours = Files.createDirectory(folder.resolve("ours"));
        write(theirs, identity, identity);
        write(ours, identity, stranger);
        secured(theirs, "localhost");
        WorkerPlanner planner = planner(SOON, Optional.of(ours), FIRST);
        answersLikeThePlanner(planner);
        assertThat(here).hasValue(1);
        write(ours, identity, identity);
        await().atMost(LIMIT).until(() -> {
            answersLikeThePlanner(planner);
            return tries(Ending.ANSWERED) > 0;
        });
    }

    @Test
    void anAddressWithoutAPortIsNamed() {
        for (String wrong : List.of("lightpath-solver", ":9460", "host:", "host:70000", "host:-1")) {
            assertThatThrownBy(() -> WorkersAddress.of(wrong, Optional.empty()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("lightpath.search.workers: '" + wrong + "'");
        }
        assertThat(WorkersAddress.of("lightpath-solver.lightpath-system.svc:9460", Optional.empty()))
                .isEqualTo(new WorkersAddress("lightpath-solver.lightpath-system.svc", 9460, Optional.empty()));
    }
}
