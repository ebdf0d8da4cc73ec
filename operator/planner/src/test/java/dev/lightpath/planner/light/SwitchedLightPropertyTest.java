package dev.lightpath.planner.light;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SwitchedLightPropertyTest {
    private static Set<String> named(SwitchedLight light) {
        Set<String> named = new HashSet<>();
        light.forEach((name, circuit) -> named.add(name + "/" + circuit));
        return named;
    }

    @Test
    void theLightOfAllHoldsWhatAnyHoldsAndChangesNone() {
        for (long seed = 1; seed <= 200; seed++) {
            Random chance = new Random(seed);
            List<SwitchedLight> lights = new ArrayList<>();
            Set<String> union = new HashSet<>();
            for (int number = chance.nextInt(5); number > 0; number--) {
                SwitchedLight.Builder light = new SwitchedLight.Builder();
                for (int circuits = chance.nextInt(6); circuits > 0; circuits--) {
                    light.add(
                            "ocs-" + chance.nextInt(3),
                            new Circuit(Integer.toString(chance.nextInt(4)), Integer.toString(chance.nextInt(4))));
                }
                lights.add(light.build());
                union.addAll(named(lights.getLast()));
            }
            List<Set<String>> before =
                    lights.stream().map(SwitchedLightPropertyTest::named).toList();
            SwitchedLight all = SwitchedLight.all(lights);
            assertThat(named(all)).as("seed %d", seed).isEqualTo(union);
            assertThat(all.size()).as("seed %d", seed).isEqualTo(union.size());
            assertThat(lights.stream().map(SwitchedLightPropertyTest::named).toList())
                    .as("seed %d", seed)
                    .isEqualTo(before);
        }
    }
}
