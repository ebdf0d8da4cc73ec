package dev.lightpath.crds.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.apiserver.ControlPlaneBinaries;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code deploy/local/up --real-nodes} refuses, in one line and before anything starts. */
class RealNodesIT {
    @TempDir
    Path folder;

    @Test
    void refusesMoreThanSix() throws IOException, InterruptedException {
        assertThat(refusal("--real-nodes", "7"))
                .isEqualTo("up: --real-nodes 7: allowed is a whole number from 0 to 6\n");
    }

    @Test
    void refusesKubeletsWhereNodesArePlainObjects() throws IOException, InterruptedException {
        assertThat(refusal("--real-nodes", "1", "--bare"))
                .isEqualTo("up: --real-nodes 1: not with --bare, which has no kubelets\n");
    }

    @Test
    void saysThatItNeedsRoot() throws IOException, InterruptedException {
        standIn("id", "echo 1000");
        assertThat(refusal("--real-nodes", "1")).isEqualTo("up: --real-nodes: needs root, for namespaces and mounts\n");
    }

    private String refusal(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(ControlPlaneBinaries.checkout().resolve("deploy/local/up").toString());
        command.addAll(Arrays.asList(arguments));
        var builder = new ProcessBuilder(command);
        builder.environment().put("XDG_STATE_HOME", folder.resolve("state").toString());
        builder.environment().merge("PATH", folder.toString(), (before, ours) -> ours + ":" + before);
        Process process = builder.redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor()).as(text).isEqualTo(1);
        assertThat(folder.resolve("state")).doesNotExist();
        return text;
    }

    private void standIn(String name, String body) throws IOException {
        Path program = Files.writeString(folder.resolve(name), "#!/bin/sh\n" + body + "\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    }
}
