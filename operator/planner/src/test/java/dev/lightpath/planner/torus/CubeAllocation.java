package dev.lightpath.planner.torus;

import java.util.List;
import java.util.SortedSet;

/** Gives a job of a chip shape its cubes and its twist. */
public sealed interface CubeAllocation {

    /** Cubes and a twist. */
    record Allocated(CubeSlice slice, TorusPattern pattern) implements CubeAllocation {}

    /** Not now: fewer free cubes than the shape has. */
    record TooFewCubes(int wanted, int free) implements CubeAllocation {}

    /**
     * The lowest free cubes in the best realisable twist of a shape; any cubes will do, since every cube reaches every
     * switch.
     *
     * @throws IllegalArgumentException if a size of the shape is no multiple of 4
     */
    static CubeAllocation allocate(Shape chips, SortedSet<Integer> freeCubes, TorusObjective objective) {
        Shape cubes = CubeArrangement.cubesOf(chips);
        if (freeCubes.size() < cubes.volume()) {
            return new TooFewCubes(cubes.volume(), freeCubes.size());
        }
        TorusPattern best = TorusChoice.realisable(chips, objective).getFirst();
        List<Integer> placement = freeCubes.stream().limit(cubes.volume()).toList();
        return new Allocated(
                new CubeSlice(CubeArrangement.box(cubes, best.shifts().inCubes()), placement), best);
    }
}
