package dev.lightpath.app.whole;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.slice.FabricSlice;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The operator is killed right before or right after a write to the API server, once in each life of a job: the job ends
 * where it would have ended. Device calls lie between writes. {@code -Dlightpath.crash.points=N} tries N of the points
 * (default 3), {@code all} each of them.
 */
@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CrashIT {
    private record Point(int write, boolean after) {}

    private Installation all;

    @BeforeAll
    void install(ApiServer server, @TempDir Path folder) throws IOException {
        all = new Installation(server, folder, 12);
        all.start();
    }

    @AfterAll
    void uninstall() throws IOException {
        all.close();
    }

    @Test
    void whereverItIsKilledTheJobEndsWhereItWouldHave() {
        all.tap.listen(WriteTap.SILENT);
        live("calm");
        int writes = all.tap.writes();
        assertThat(writes).as("writes in the life of a job").isGreaterThan(8);

        long seed = Long.getLong("lightpath.seed", 1);
        List<Point> points = points(writes, seed);
        for (Point point : points) {
            System.err.println("killed " + (point.after() ? "after" : "before") + " write " + point.write() + " of "
                    + writes + " (seed " + seed + ")");
            all.tap.listen(killing(point));
            live("crash-" + point.write() + (point.after() ? "a" : "b"));
        }
    }

    private static List<Point> points(int writes, long seed) {
        List<Point> points = new ArrayList<>();
        for (int write = 1; write <= writes; write++) {
            points.add(new Point(write, false));
            points.add(new Point(write, true));
        }
        Collections.shuffle(points, new Random(seed));
        String wanted = System.getProperty("lightpath.crash.points", "3");
        return wanted.equals("all") ? points : points.subList(0, Math.min(points.size(), Integer.parseInt(wanted)));
    }

    private WriteTap.Listener killing(Point point) {
        AtomicBoolean done = new AtomicBoolean();
        return new WriteTap.Listener() {
            @Override
            public boolean before(int number, String what) {
                return point.after() || !due(number);
            }

            @Override
            public void after(int number, String what) {
                if (point.after()) {
                    due(number);
                }
            }

            private boolean due(int number) {
                if (number < point.write() || !done.compareAndSet(false, true)) {
                    return false;
                }
                all.kill();
                return true;
            }
        };
    }

    /** Placed, lit, hit by a fault, repaired, deleted. */
    private void live(String name) {
        all.apply(name, "{model: {preset: gpt-7b}, parallelism: {tensor: 16}, scaleUp: {fabric: ring-a}}");
        all.eventually(name + " shines", () -> {
            assertThat(all.says(name, "Ready")).isEqualTo("True Satisfied");
            all.assertLightAsRecorded();
        });
        String broken = members().getFirst();
        all.mark(broken, Map.of("lightpath.dev/faulty", "smoke"));
        all.eventually(name + " is repaired", () -> {
            assertThat(members()).hasSize(4).doesNotContain(broken);
            assertThat(all.says(name, "Ready")).isEqualTo("True Satisfied");
            all.assertLightAsRecorded();
        });
        all.delete(name);
        all.awaitNothingLeft();
        all.heal(broken);
        all.mark(
                broken,
                Map.of("lightpath.dev/clear-fault", java.time.Instant.now().toString()));
    }

    private List<String> members() {
        List<FabricSlice> slices = all.slices();
        assertThat(slices).hasSize(1);
        return slices.getFirst().getStatus().allocation().groups().getFirst().nodes();
    }
}
