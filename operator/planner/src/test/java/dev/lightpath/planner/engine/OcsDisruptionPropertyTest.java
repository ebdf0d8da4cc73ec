package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.FabricPolicy;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.OcsSwitch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Much light has to move. Whatever the engine does, stage by stage, also while stages are under way and when it forgets
 * everything but the ledger, no more links may be dark at an instant than the administrator allows.
 */
class OcsDisruptionPropertyTest {
    private static final int WORLDS = 5;

    @Test
    void linksThatWaitForTheirSuccessorsCountAgainstTheBudget() {
        for (long seed = 1; seed <= WORLDS; seed++) {
            Random random = new Random(seed);
            ToyOcs ocs = ToyOcs.polarFly(5, 2);
            ocs.wishStatic(true).settle();
            int links = ocs.light().size();
            int percent = 10 + random.nextInt(15);
            ocs.policy = disrupting(percent);
            rewire(ocs, random);
            Watch watch = new Watch(ocs);
            ocs.watch = watch;
            ocs.slow = true;
            ocs.settle();
            assertThat(ocs.light().minus(ocs.recorded(ToyOcs.STATIC)).isEmpty())
                    .as("seed %d", seed)
                    .isTrue();
            assertThat(ocs.light()).as("seed %d", seed).isEqualTo(ocs.recorded(ToyOcs.STATIC));
            assertThat(watch.most)
                    .as("seed %d: of %d links, %d percent", seed, links, percent)
                    .isLessThanOrEqualTo(links * percent / 100);
        }
    }

    @Test
    void whatWasTakenDownBeforeARestartIsNotForgotten() {
        for (long seed = 1; seed <= WORLDS; seed++) {
            Random random = new Random(seed);
            ToyOcs ocs = ToyOcs.polarFly(5, 2);
            ocs.wishStatic(true).settle();
            int links = ocs.light().size();
            ocs.policy = disrupting(15);
            rewire(ocs, random);
            Watch watch = new Watch(ocs);
            ocs.watch = watch;
            ocs.slow = true;
            for (int step = 0; step < 60; step++) {
                ocs.step();
                if (random.nextInt(4) == 0) {
                    ocs.restart();
                }
            }
            ocs.settle();
            assertThat(ocs.light()).as("seed %d", seed).isEqualTo(ocs.recorded(ToyOcs.STATIC));
            assertThat(watch.most).as("seed %d: of %d links", seed, links).isLessThanOrEqualTo(links * 15 / 100);
        }
    }

    @Test
    void aCubeIsReplacedWithinTheBudget() {
        for (long seed = 1; seed <= 3; seed++) {
            ToyOcs ocs = ToyOcs.torus("1x2x2", 6, 1);
            ocs.wishStatic(true).settle();
            int links = ocs.light().size();
            ocs.policy = disrupting(5);
            Watch watch = new Watch(ocs);
            ocs.watch = watch;
            ocs.slow = true;
            ocs.nodeFails(new Random(seed).nextInt(4));
            ocs.settleAfter(Duration.ofSeconds(2));
            assertThat(ocs.light()).as("seed %d", seed).isEqualTo(ocs.recorded(ToyOcs.STATIC));
            assertThat(watch.fewest).as("seed %d", seed).isGreaterThanOrEqualTo(links - links * 5 / 100);
        }
    }

    /** The same links, each on another switch and behind other ports: every port has a new use. */
    private static void rewire(ToyOcs ocs, Random random) {
        SwitchedLight before = ocs.recorded(ToyOcs.STATIC);
        List<String> names = new ArrayList<>(ocs.switches.keySet());
        List<String> others = new ArrayList<>(names);
        Collections.shuffle(others, random);
        SwitchedLight.Builder after = new SwitchedLight.Builder();
        for (int index = 0; index < names.size(); index++) {
            String from = names.get(index);
            String to = others.get(index);
            before.on(from).forEach(circuit -> after.add(to, circuit));
        }
        Allocation was = ocs.ledger.get(ToyOcs.STATIC).allocation().orElseThrow();
        SwitchedLight wanted = after.build();
        ocs.ledger.put(
                ToyOcs.STATIC,
                new LedgerEntry(
                        Optional.of(new Allocation(
                                was.revision() + 1,
                                was.groups(),
                                was.releasing(),
                                was.origin(),
                                wanted,
                                before.minus(wanted))),
                        "rewired"));
    }

    private static FabricPolicy disrupting(int percent) {
        return Policies.budget(FabricPolicy.standard(), percent);
    }

    /** Looks at the light whenever a circuit goes or comes. */
    private static final class Watch implements Runnable {
        private final ToyOcs ocs;
        private final Set<Set<String>> wanted;
        private int most;
        private int fewest = Integer.MAX_VALUE;

        Watch(ToyOcs ocs) {
            this.ocs = ocs;
            this.wanted = pairs();
        }

        @Override
        public void run() {
            Set<Set<String>> dark = new HashSet<>(wanted);
            dark.removeAll(pairs());
            most = Math.max(most, dark.size());
            fewest = Math.min(fewest, ocs.light().size());
        }

        private Set<Set<String>> pairs() {
            Set<Set<String>> pairs = new HashSet<>();
            TreeMap<String, OcsSwitch> switches = new TreeMap<>(ocs.switches);
            ocs.light()
                    .forEach((name, circuit) -> pairs.add(new TreeSet<>(
                            List.of(pod(switches.get(name), circuit, true), pod(switches.get(name), circuit, false)))));
            return pairs;
        }

        private static String pod(OcsSwitch of, Circuit circuit, boolean ingress) {
            return of.wiring().stream()
                    .filter(wire -> ingress
                            ? wire.ingress().equals(circuit.ingress())
                            : wire.egress().equals(circuit.egress()))
                    .map(OcsSwitch.Wire::pod)
                    .findFirst()
                    .orElseThrow();
        }
    }
}
