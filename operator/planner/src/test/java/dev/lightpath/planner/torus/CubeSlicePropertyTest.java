package dev.lightpath.planner.torus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.planner.stripe.Circuit;
import dev.lightpath.planner.stripe.SwitchCircuits;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class CubeSlicePropertyTest {

    @Test
    void circuitsOfRandomSlicesRebuildTheTwistedTorus() {
        for (long seed = 0; seed < 40; seed++) {
            Random random = new Random(seed);
            Shape cubes = new Shape(1 + random.nextInt(3), 1 + random.nextInt(3), 1 + random.nextInt(3));
            Twist shifts = randomTwist(cubes, random);
            CubeSlice slice = new CubeSlice(CubeArrangement.box(cubes, shifts), placement(cubes.volume(), random));
            List<SwitchCircuits> circuits = slice.circuits();
            assertThat(CubeCheck.violations(circuits, new HashSet<>(slice.placement())))
                    .as("seed %s", seed)
                    .isEmpty();

            Shape chips = new Shape(4 * cubes.x(), 4 * cubes.y(), 4 * cubes.z());
            int[][] plus = TwistedTorus.plus(chips, shifts.times(4));
            for (int axis = 0; axis < 3; axis++) {
                for (int v = 0; v < chips.volume(); v++) {
                    assertThat(plus[axis][v])
                            .as("seed %s", seed)
                            .isEqualTo(follow(circuits, slice, cubes, chips, axis, v));
                }
            }
        }
    }

    @Test
    void aReplacedCubeChangesOnlyItsOwnPorts() {
        for (long seed = 0; seed < 20; seed++) {
            Random random = new Random(seed);
            Shape cubes = new Shape(1, 2, 2);
            CubeSlice slice =
                    new CubeSlice(CubeArrangement.box(cubes, randomTwist(cubes, random)), List.of(5, 9, 2, 7));
            CubeSlice repaired = new CubeSlice(slice.arrangement(), List.of(5, 30, 2, 7));
            assertThat(CubeCheck.violations(repaired.circuits(), Set.of(5, 30, 2, 7)))
                    .isEmpty();
            for (int s = 0; s < 48; s++) {
                Set<Circuit> gone = new HashSet<>(slice.circuits().get(s).circuits());
                gone.removeAll(repaired.circuits().get(s).circuits());
                assertThat(gone).as("seed %s", seed).allMatch(c -> c.from() == 9 || c.to() == 9);
                assertThat(gone.size()).isLessThanOrEqualTo(2);
            }
        }
    }

    @Test
    void slicesOfDifferentCubesShareNoPort() {
        TreeSet<Integer> free = new TreeSet<>();
        for (int cube = 0; cube < 8; cube++) {
            free.add(cube);
        }
        Shape chips = new Shape(4, 4, 8);
        CubeAllocation.Allocated first =
                (CubeAllocation.Allocated) CubeAllocation.allocate(chips, free, TorusObjective.MAX_LINK_LOAD);
        free.removeAll(first.slice().placement());
        CubeAllocation.Allocated second =
                (CubeAllocation.Allocated) CubeAllocation.allocate(chips, free, TorusObjective.MAX_LINK_LOAD);
        assertThat(first.slice().placement()).containsExactly(0, 1);
        assertThat(second.slice().placement()).containsExactly(2, 3);
        assertThat(first.pattern().shifts()).isEqualTo(new Twist(0, 4, 0, 4, 0, 0));
        assertThat(CubeAllocation.allocate(new Shape(8, 8, 8), free, TorusObjective.MAX_LINK_LOAD))
                .isEqualTo(new CubeAllocation.TooFewCubes(8, 6));
    }

    @Test
    void refusesWhatSwitchesCannotMakeByName() {
        assertThatThrownBy(() -> CubeArrangement.cubesOf(new Shape(4, 6, 8)))
                .hasMessage("shape 4x6x8: y is 6 chips, slices are made of whole cubes, so a multiple of 4");
        assertThatThrownBy(() -> new Twist(0, 2, 0, 0, 0, 0).inCubes())
                .hasMessage("shift x|z is 2 chips: switches join whole cubes, so a multiple of 4");
        assertThatThrownBy(() -> new CubeSlice(CubeArrangement.box(new Shape(1, 1, 2), Twist.NONE), List.of(3, 3)))
                .hasMessageContaining("names a cube twice");
        assertThatThrownBy(() -> Shape.parse("4x4")).hasMessage("shape \"4x4\": write three sizes like 4x4x8");
    }

    private static int follow(
            List<SwitchCircuits> circuits, CubeSlice slice, Shape cubes, Shape chips, int axis, int v) {
        int[] c = new int[3];
        int[] inCube = new int[3];
        int[] ofCube = new int[3];
        for (int b = 0; b < 3; b++) {
            c[b] = chips.coordinate(v, b);
            inCube[b] = c[b] % 4;
            ofCube[b] = c[b] / 4;
        }
        int part = cubes.index(ofCube[0], ofCube[1], ofCube[2]);
        if (++inCube[axis] == 4) {
            int r = inCube[axis == 0 ? 1 : 0];
            int s = inCube[axis == 2 ? 1 : 2];
            int ingress = slice.placement().get(part);
            int egress = circuits.get(16 * axis + 4 * r + s).circuits().stream()
                    .filter(circuit -> circuit.from() == ingress)
                    .findFirst()
                    .orElseThrow()
                    .to();
            part = slice.placement().indexOf(egress);
            inCube[axis] = 0;
        }
        return chips.index(
                4 * cubes.coordinate(part, 0) + inCube[0],
                4 * cubes.coordinate(part, 1) + inCube[1],
                4 * cubes.coordinate(part, 2) + inCube[2]);
    }

    private static Twist randomTwist(Shape cubes, Random random) {
        return new Twist(
                random.nextInt(cubes.y()),
                random.nextInt(cubes.z()),
                random.nextInt(cubes.x()),
                random.nextInt(cubes.z()),
                random.nextInt(cubes.x()),
                random.nextInt(cubes.y()));
    }

    private static List<Integer> placement(int cubes, Random random) {
        List<Integer> all = new ArrayList<>();
        for (int cube = 0; cube < 64; cube++) {
            all.add(cube);
        }
        Collections.shuffle(all, random);
        return all.subList(0, cubes);
    }
}
