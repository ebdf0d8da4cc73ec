package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.Seeds;
import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.world.World;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Plays {@link RandomWorlds}. Each pass is decided twice: with what earlier passes remember, and by looking at
 * everything anew. Both must decide alike: the whole recomputation is the oracle of the memory.
 *
 * <p>The same worlds compare two versions of the engine, before and after a change that keeps behaviour:
 * <pre>
 * mvnw -pl operator/planner -am test -Dtest=RandomWorldsTest -Dlightpath.worlds=10000 -Dlightpath.worlds.record=FILE
 * mvnw -pl operator/planner -am test -Dtest=RandomWorldsTest -Dlightpath.worlds=10000 -Dlightpath.worlds.compare=FILE
 * </pre>
 * FILE is absolute. It has a line for each seed: the number of its passes and a digest of all their deliberations as
 * {@link CanonicalText}, so names may differ; each pass is then decided once. To see a difference, play its seed on
 * both versions with {@code -Dlightpath.worlds.show=SEED}, which writes the text to {@code target/world-SEED.txt}, and
 * compare the two files.
 */
class RandomWorldsTest {
    private static final int WORLDS = Integer.getInteger("lightpath.worlds", Seeds.of(100));
    private static final int HISTORIES = Integer.getInteger("lightpath.histories", Seeds.of(9));
    private static final int EVENTS = Integer.getInteger("lightpath.histories.events", 300);
    private static final long FIRST = Long.getLong("lightpath.histories.first", 1);

    @Test
    void passesThatRememberDecideLikePassesThatDoNot() throws IOException {
        String show = System.getProperty("lightpath.worlds.show", "");
        if (!show.isEmpty()) {
            StringBuilder text = new StringBuilder();
            play(Long.parseLong(show), text, true);
            Files.writeString(Path.of("target/world-" + show + ".txt"), text);
            return;
        }
        String record = System.getProperty("lightpath.worlds.record", "");
        String compare = System.getProperty("lightpath.worlds.compare", "");
        boolean oracle = record.isEmpty() && compare.isEmpty();
        List<String> lines = new ArrayList<>();
        for (long seed = 1; seed <= WORLDS; seed++) {
            StringBuilder text = new StringBuilder();
            int passes = play(seed, text, oracle);
            lines.add(seed + " " + passes + " " + digest(text));
        }
        long passes = lines.stream()
                .mapToLong(line -> Long.parseLong(line.split(" ")[1]))
                .sum();
        assertThat(passes).isGreaterThan(10L * WORLDS);
        if (!record.isEmpty()) {
            Files.write(Path.of(record), lines);
        }
        if (!compare.isEmpty()) {
            List<String> before = Files.readAllLines(Path.of(compare));
            assertThat(before).as("worlds in %s", compare).hasSizeGreaterThanOrEqualTo(WORLDS);
            List<String> other = new ArrayList<>(lines);
            other.removeAll(before);
            System.out.println("compared " + WORLDS + " worlds, " + passes + " passes: " + other.size() + " differ");
            assertThat(other)
                    .as("worlds that differ, of %d with %d passes", WORLDS, passes)
                    .isEmpty();
        }
    }

    /** Thousands of events on one ring, with wake-ups between them: what a pass takes over never goes stale. */
    @Test
    void longHistoriesAreDecidedLikeFromNothing() {
        Happenings happenings = new Happenings();
        for (long seed = FIRST; seed < FIRST + HISTORIES; seed++) {
            int before = happenings.passes();
            long played = seed;
            happenings.begin();
            RandomWorlds.history(seed, EVENTS, (world, deliberation) -> {
                happenings.hear(world, deliberation);
                assertThat(conclusion(deliberation))
                        .as(
                                "seed %d, pass %d: -Dlightpath.histories.first=%d",
                                played, happenings.passes() - before, played)
                        .isEqualTo(conclusion(FabricEngine.deliberate(forgetful(world))));
            });
        }
        System.out.println("compared " + HISTORIES + " histories of " + EVENTS + " events from seed " + FIRST + " on: "
                + happenings);
        if (HISTORIES * EVENTS >= 900) {
            happenings.assertThatAllHappened();
        }
    }

    /**
     * Plays a world, and tells how many passes that took.
     *
     * @param oracle whether each pass is decided anew as well
     */
    private static int play(long seed, StringBuilder text, boolean oracle) {
        int[] passes = new int[1];
        RandomWorlds.play(seed, (world, deliberation) -> {
            String concluded = conclusion(deliberation);
            passes[0]++;
            if (oracle) {
                assertThat(conclusion(FabricEngine.deliberate(forgetful(world))))
                        .as("seed %d, pass %d", seed, passes[0])
                        .isEqualTo(concluded);
            }
            text.append("pass ")
                    .append(passes[0])
                    .append('\n')
                    .append(concluded)
                    .append('\n');
        });
        return passes[0];
    }

    /** The same world, of which only the faults are known; no answer has an iteration that is built already. */
    private static World forgetful(World world) {
        TreeMap<String, TopologyAnswer> answers = new TreeMap<>(world.answers());
        answers.replaceAll((digest, answer) -> answer.bare());
        return world.with(world.faults(), answers, new TreeMap<>());
    }

    private static String conclusion(Deliberation of) {
        TreeMap<String, Object> faults = new TreeMap<>();
        of.faults().forEach((fabric, tracker) -> faults.put(fabric, tracker.faults()));
        return CanonicalText.of(List.of(
                of.decision(),
                of.slices(),
                of.fabrics(),
                faults,
                of.agenda(),
                of.planner(),
                of.ocsFabrics(),
                of.questions()));
    }

    private static String digest(CharSequence text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256")
                            .digest(text.toString().getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
