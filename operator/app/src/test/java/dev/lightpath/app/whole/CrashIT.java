package dev.lightpath.app.whole;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.proto.emulator.v1alpha1.ClearFaultsRequest;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
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
 * A job lives beside another one, first undisturbed, then with one thing going wrong in each act of its life: every act
 * ends in the state in which it ended undisturbed, no port is used twice at any instant, and the other job's light
 * never moves. {@code -Dlightpath.crash.points=N} tries N things, chosen by {@code -Dlightpath.seed} (default 8);
 * {@code all} every one, which is {@code kills}, {@code losses}, {@code outages} and {@code long}.
 * {@code -Dlightpath.crash.only=REGEX} leaves those whose printed name matches.
 */
@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CrashIT {
    private static final String POINTS = System.getProperty("lightpath.crash.points", "8");
    private static final String ONLY = System.getProperty("lightpath.crash.only", ".*");
    private static final Duration LONG_PATIENCE = Duration.ofMinutes(6);
    private static final int MOST_LOOKS = 240;
    /** Longer than an operator stands still among several that start on the same processors. */
    private static final Duration STEADY = Duration.ofSeconds(3);

    /** An act as it goes when nothing goes wrong. */
    private record Known(SortedSet<String> end, Moments moments) {}

    private final Map<String, Known> calm = new LinkedHashMap<>();
    private final List<String> unmet = new ArrayList<>();
    private Installation all;
    private WorkloadControllers controllers;
    private TwoFabrics scene;
    private LightLog light;
    private int tried;
    /** Watches that run when nothing is wrong. */
    private int watching = Integer.MAX_VALUE;

    @BeforeAll
    void install(ApiServer server, @TempDir Path folder) throws IOException {
        all = new Installation(
                server, folder, TwoFabrics.NODES, TwoFabrics.scenario(), List.of("-Dlightpath.watch.trusted-for=PT0S"));
        controllers = new WorkloadControllers(all.client);
        controllers.install();
        scene = new TwoFabrics(all);
        scene.describe();
        light = new LightLog(all.chaos);
        all.start();
        all.apply("beside", "{model: {preset: gpt-7b}, parallelism: {tensor: 8}, scaleUp: {fabric: ring-a}}");
        all.awaitReady("beside");
        // no policies are installed here; when that is noticed is no part of any act
        all.eventually(
                "admission policies are looked at",
                () -> assertThat(EndState.of(all))
                        .filteredOn(line -> line.contains(" Unguarded True "))
                        .hasSize(2));
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
        try (Installation ending = all;
                Closeable before = this::undescribe) {
            light.keepStill(Set.of());
            all.chaos.clearFaults(ClearFaultsRequest.getDefaultInstance());
            for (String job : List.of("beside", RingStory.JOB, JobSetStory.JOB, SpineStory.JOB, SpineStory.GUEST)) {
                all.delete(job);
            }
            all.eventually("nothing is left", () -> {
                controllers.work();
                all.assertNothingLeft();
            });
        }
    }

    private void undescribe() {
        all.kill();
        scene.remove();
        controllers.uninstall();
    }

    @Test
    void whateverGoesWrongTheJobEndsWhereItWouldHave() throws Exception {
        long seed = Long.getLong("lightpath.seed", 1);
        Random random = new Random(seed);
        System.err.println("seed " + seed + ", " + POINTS + " points");
        RingStory ring = new RingStory(all);
        List<List<Act>> lives = new ArrayList<>(List.of(
                ring.ofLight(),
                ring.withPods(),
                new JobSetStory(all, controllers).acts(),
                new SpineStory(all, scene).acts()));
        if (!POINTS.matches("\\d+")) {
            lives.add(ring.ofReplacedDevice());
        }
        for (List<Act> life : lives) {
            for (Act act : life) {
                rehearse(act);
            }
        }
        for (List<Act> life : lives) {
            Map<String, Deque<Disturbance>> ahead = new LinkedHashMap<>();
            life.forEach(act -> ahead.put(act.name(), new ArrayDeque<>(disturbances(act, random))));
            if (POINTS.matches("\\d+")) {
                sample(ahead, (Integer.parseInt(POINTS) + 1) / lives.size(), random);
            }
            do {
                for (Act act : life) {
                    Disturbance next = ahead.get(act.name()).poll();
                    play(act, next == null ? Disturbance.NONE : next);
                }
            } while (ahead.values().stream().anyMatch(left -> !left.isEmpty()));
        }
        assertThat(tried - unmet.size()).as("points that came").isPositive();
        System.err.println(tried + " points were tried, " + unmet.size() + " of them never came: " + unmet);
    }

    /** Leaves one thing each to some of the acts, and none to the others. */
    private static void sample(Map<String, Deque<Disturbance>> ahead, int acts, Random random) {
        List<String> names = new ArrayList<>(ahead.keySet());
        names.removeIf(name -> ahead.get(name).isEmpty());
        Collections.shuffle(names, random);
        names.stream().skip(acts).forEach(name -> ahead.get(name).clear());
        ahead.values().forEach(left -> {
            while (left.size() > 1) {
                left.removeLast();
            }
        });
    }

    /** What may go wrong in this act, in any order; the kinds of it mixed evenly as long as there are of each. */
    private List<Disturbance> disturbances(Act act, Random random) {
        Moments moments = calm.get(act.name()).moments();
        Map<String, List<Disturbance>> kinds = new LinkedHashMap<>();
        kinds.put("kills", kills(moments));
        kinds.put("losses", losses(moments));
        boolean calls = moments.writes().stream().anyMatch(CrashIT::isCall);
        kinds.put("outages", calls ? new ArrayList<>(AtFirstCall.each()) : new ArrayList<>());
        kinds.put("long", POINTS.matches("\\d+") || !calls ? new ArrayList<>() : longOnes());
        kinds.keySet().removeIf(kind -> !POINTS.matches("\\d+|all|" + kind));
        kinds.values().forEach(list -> list.removeIf(one -> !(act.name() + ", " + one.name()).matches(ONLY)));
        List<Disturbance> mixed = new ArrayList<>();
        kinds.values().forEach(list -> Collections.shuffle(list, random));
        while (kinds.values().stream().anyMatch(list -> !list.isEmpty())) {
            List<List<Disturbance>> some = new ArrayList<>(kinds.values());
            some.removeIf(List::isEmpty);
            mixed.add(some.get(random.nextInt(some.size())).removeLast());
        }
        return mixed;
    }

    /**
     * What is outside of the operator is the same right before a write to the API server and right after the write
     * before it, so only the latter is tried. Calls of drivers fly side by side and are tried both ways. Events are
     * read by nobody.
     */
    private static List<Disturbance> kills(Moments moments) {
        List<Disturbance> kills = new ArrayList<>();
        moments.writes().stream().limit(1).forEach(write -> {
            kills.add(new Kill(write, false, false));
            kills.add(new Kill(write, true, true));
        });
        moments.writes().stream()
                .filter(CrashIT::isCall)
                .limit(1)
                .forEach(call -> kills.add(new Kill(call, true, true)));
        for (String write : moments.writes()) {
            if (isCall(write)) {
                kills.add(new Kill(write, false, false));
            }
            if (!write.contains(" events")) {
                kills.add(new Kill(write, true, false));
            }
        }
        return kills;
    }

    private static boolean isCall(String write) {
        return write.startsWith("ApplyCircuits ");
    }

    private static List<Disturbance> losses(Moments moments) {
        List<Disturbance> losses = new ArrayList<>();
        moments.events().forEach((resource, count) -> {
            for (int number = 1; number <= count; number++) {
                losses.add(new Loss(Optional.of(resource), number));
            }
        });
        for (int number = 1; number <= moments.messages(); number++) {
            losses.add(new Loss(Optional.empty(), number));
        }
        return losses;
    }

    private static List<Disturbance> longOnes() {
        Duration slow = Duration.ofSeconds(30);
        return new ArrayList<>(List.of(
                new TwoLeaders(),
                Outage.ofApiServer(Duration.ofMinutes(2)),
                Outage.halfOpen(Duration.ofSeconds(45)),
                Outage.slow(new DeviceTap.Delay(slow, Duration.ZERO)),
                Outage.slow(new DeviceTap.Delay(Duration.ZERO, slow))));
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
        light.keepAllStill(act.still());
        act.happens().run();
        all.eventually(act.name(), act.over());
        SortedSet<String> end = EndState.of(all);
        for (int same = 0, looks = 0; same < 3; looks++) {
            assertThat(looks).as("%s comes to rest: %s", act.name(), end).isLessThan(MOST_LOOKS);
            TimeUnit.NANOSECONDS.sleep(STEADY.toNanos() / 3);
            // whoever plays the other controllers goes on
            all.eventually(act.name(), act.over());
            SortedSet<String> now = EndState.of(all);
            same = now.equals(end) && now.stream().noneMatch(act::isUnderWay) ? same + 1 : 0;
            end = now;
        }
        all.tap.listen(WriteTap.SILENT);
        all.deviceTap.listen(WriteTap.SILENT);
        all.tap.watch(WriteTap.ALL);
        all.deviceTap.watch(message -> true);
        light.assertSound();
        watching = Math.min(watching, all.tap.watching());
        calm.put(act.name(), new Known(end, moments));
        System.err.println(act.name() + ": " + moments.writes() + ", events " + moments.events() + ", "
                + moments.messages() + " messages");
    }

    private void play(Act act, Disturbance disturbance) throws Exception {
        long began = System.nanoTime();
        String what = act.name() + ", " + disturbance.name();
        // the act before may have ended while some were still away: what happens next would be news to some and not to
        // others
        all.eventually("every watch runs", () -> assertThat(all.tap.watching()).isGreaterThanOrEqualTo(watching));
        disturbance.begin(all);
        light.keepAllStill(act.still());
        act.happens().run();
        disturbance.meanwhile(all, light);
        awaitEnd(what, act, disturbance);
        disturbance.end(all, light);
        // it may have come in the very last moment
        awaitEnd(what + ", when it was over", act, disturbance);
        if (disturbance != Disturbance.NONE) {
            tried++;
        }
        if (!disturbance.met()) {
            unmet.add(what);
        }
        System.err.println(what + ": " + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began) + " ms"
                + (disturbance.met() ? "" : ", it never came"));
    }

    private void awaitEnd(String what, Act act, Disturbance disturbance) {
        all.eventually(what, LONG_PATIENCE, () -> {
            disturbance.still(all);
            act.over().run();
            assertThat(EndState.of(all))
                    .containsExactlyElementsOf(calm.get(act.name()).end());
        });
        light.assertSound();
    }
}
