package dev.lightpath.app.whole;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * A job lives beside another one, first undisturbed, then with one thing going wrong in each act of its life: every act ends in
 * the state in which it ended undisturbed, no port is used twice at any instant, and the other job's light never moves.
 * {@code -Dlightpath.crash.points=N} tries N things, chosen by {@code -Dlightpath.seed} (default 4), {@code all} every one.
 */
@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CrashIT {
    private static final String POINTS = System.getProperty("lightpath.crash.points", "4");
    private static final Duration LONG_PATIENCE = Duration.ofMinutes(6);
    private static final Duration STEADY = Duration.ofMillis(1500);

    /** An act as it goes when nothing goes wrong. */
    private record Known(SortedSet<String> end, Moments moments) {}

    private final Map<String, Known> calm = new LinkedHashMap<>();
    private final List<String> unmet = new ArrayList<>();
    private Installation all;
    private LightLog light;
    private int tried;

    @BeforeAll
    void install(ApiServer server, @TempDir Path folder) throws IOException {
        all = new Installation(server, folder, 12, "", List.of("-Dlightpath.watch.trusted-for=PT0S"));
        light = new LightLog(all.chaos);
        all.start();
        all.apply("beside", "{model: {preset: gpt-7b}, parallelism: {tensor: 8}, scaleUp: {fabric: ring-a}}");
        all.awaitReady("beside");
        light.keepStill(Set.copyOf(all.slices()
                .getFirst()
                .getStatus()
                .allocation()
                .groups()
                .getFirst()
                .nodes()));
    }

    @AfterAll
    void uninstall() throws IOException {
        light.keepStill(Set.of());
        all.delete("beside");
        all.awaitNothingLeft();
        all.close();
    }

    @Test
    void whateverGoesWrongTheJobEndsWhereItWouldHave() throws Exception {
        long seed = Long.getLong("lightpath.seed", 1);
        Random random = new Random(seed);
        System.err.println("seed " + seed + ", " + POINTS + " points");
        RingStory story = new RingStory(all);
        List<List<Act>> lives = List.of(story.ofLight(), story.withPods());
        for (List<Act> life : lives) {
            for (Act act : life) {
                rehearse(act);
            }
        }
        for (List<Act> life : lives) {
            Map<String, List<Disturbance>> ahead = new LinkedHashMap<>();
            for (Act act : life) {
                List<Disturbance> those = new ArrayList<>(disturbances(act));
                Collections.shuffle(those, random);
                ahead.put(act.name(), those);
            }
            int budget = POINTS.equals("all") ? Integer.MAX_VALUE : (Integer.parseInt(POINTS) + 1) / lives.size();
            List<String> names = new ArrayList<>(ahead.keySet());
            Collections.shuffle(names, random);
            Set<String> chosen = new HashSet<>(names.subList(0, Math.min(budget, names.size())));
            do {
                for (Act act : life) {
                    List<Disturbance> left = ahead.get(act.name());
                    boolean due = chosen.contains(act.name()) && !left.isEmpty();
                    play(act, due ? Optional.of(left.removeLast()) : Optional.empty());
                }
            } while (POINTS.equals("all") && ahead.values().stream().anyMatch(left -> !left.isEmpty()));
        }
        System.err.println(tried + " points were tried, " + unmet.size() + " of them never came: " + unmet);
    }

    /** Everything that may go wrong in this act in seconds. */
    private List<Disturbance> disturbances(Act act) {
        List<Disturbance> list = new ArrayList<>();
        Moments moments = calm.get(act.name()).moments();
        for (String write : moments.writes()) {
            list.add(new Kill(write, false, false));
            list.add(new Kill(write, true, false));
        }
        moments.writes().stream().findFirst().ifPresent(write -> list.add(new Kill(write, true, true)));
        moments.events().forEach((resource, count) -> {
            for (int number = 1; number <= count; number++) {
                list.add(new Loss(Optional.of(resource), number));
            }
        });
        for (int number = 1; number <= moments.messages(); number++) {
            list.add(new Loss(Optional.empty(), number));
        }
        return list;
    }

    private void rehearse(Act act) throws InterruptedException {
        Moments moments = new Moments();
        all.tap.listen(moments);
        all.deviceTap.listen(moments);
        all.tap.watch((resource, event) -> {
            var unused = moments.event(resource, event);
            return true;
        });
        all.deviceTap.watch(message -> {
            if (Loss.isNews(message)) {
                var unused = moments.message();
            }
            return true;
        });
        act.happens().run();
        all.eventually(act.name(), act.over());
        SortedSet<String> end = EndState.of(all);
        for (int same = 0; same < 3; ) {
            TimeUnit.NANOSECONDS.sleep(STEADY.toNanos() / 3);
            SortedSet<String> now = EndState.of(all);
            same = now.equals(end) ? same + 1 : 0;
            end = now;
        }
        all.tap.listen(WriteTap.SILENT);
        all.deviceTap.listen(WriteTap.SILENT);
        all.tap.watch(WriteTap.ALL);
        all.deviceTap.watch(message -> true);
        light.assertSound();
        calm.put(act.name(), new Known(end, moments));
        System.err.println(act.name() + ": " + moments.writes() + ", events " + moments.events() + ", "
                + moments.messages() + " messages");
    }

    private void play(Act act, Optional<Disturbance> disturbance) throws Exception {
        long began = System.nanoTime();
        if (disturbance.isPresent()) {
            disturbance.orElseThrow().begin(all);
        }
        act.happens().run();
        if (disturbance.isPresent()) {
            disturbance.orElseThrow().meanwhile(all, light);
        }
        String what = act.name() + ", " + disturbance.map(Disturbance::name).orElse("undisturbed");
        all.eventually(what, LONG_PATIENCE, () -> {
            if (disturbance.isPresent()) {
                disturbance.orElseThrow().still(all);
            }
            act.over().run();
            assertThat(EndState.of(all))
                    .containsExactlyElementsOf(calm.get(act.name()).end());
        });
        light.assertSound();
        if (disturbance.isPresent()) {
            disturbance.orElseThrow().end(all);
            tried++;
            if (!disturbance.orElseThrow().met()) {
                unmet.add(what);
            }
        }
        System.err.println(what + ": " + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began) + " ms"
                + (disturbance.map(Disturbance::met).orElse(true) ? "" : ", it never came"));
    }
}
