package dev.lightpath.planner.torus;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TorusChoiceTest {
    @ParameterizedTest
    @CsvSource({"4x4x4", "4x4x8", "4x4x12", "4x4x16", "4x8x8", "8x4x12", "8x8x8", "4x12x8", "8x8x12", "4x4x24"})
    void theBestOfTheSymmetricTwistsIsTheBestOfAll(String chips) {
        Shape shape = Shape.parse(chips);
        assertThat(TorusChoice.best(shape))
                .isEqualTo(TorusChoice.realisable(shape, TorusObjective.MAX_LINK_LOAD)
                        .getFirst());
    }

    @ParameterizedTest
    @CsvSource({
        "4x4x8, 1.7455",
        "4x8x8, 1.3913",
        "4x4x12, 2.2268",
        "4x4x16, 2.5273",
        "4x8x16, 1.8916",
        "8x8x16, 1.7220",
        "8x16x16, 1.3763"
    })
    void gainsAreThoseOfTheReference(String chips, double gain) {
        assertThat(TorusChoice.best(Shape.parse(chips)).gain())
                .isCloseTo(gain, org.assertj.core.data.Offset.offset(5e-5));
    }

    /** A breadth-first search from one vertex then tells the distances from all. */
    @ParameterizedTest
    @CsvSource({"1x1x1", "1x1x6", "2x3x4", "3x3x3", "1x4x4", "4x2x2"})
    void symmetricTwistsAreThoseWhoseStepsCommute(String sizes) {
        Shape cubes = Shape.parse(sizes);
        List<Twist> commuting = new ArrayList<>();
        for (int xy = 0; xy < cubes.y(); xy++) {
            for (int xz = 0; xz < cubes.z(); xz++) {
                for (int yx = 0; yx < cubes.x(); yx++) {
                    for (int yz = 0; yz < cubes.z(); yz++) {
                        for (int zx = 0; zx < cubes.x(); zx++) {
                            for (int zy = 0; zy < cubes.y(); zy++) {
                                Twist twist = new Twist(xy, xz, yx, yz, zx, zy);
                                if (TorusChoice.commutes(TwistedTorus.plus(cubes, twist))) {
                                    commuting.add(twist);
                                }
                            }
                        }
                    }
                }
            }
        }
        assertThat(TorusChoice.symmetricTwists(cubes)).isEqualTo(commuting);
    }

    @Test
    void looksAtFewTwistsOfManyCubes() {
        assertThat(TorusChoice.symmetricTwists(new Shape(16, 16, 16))).hasSizeLessThan(2000);
    }

    @ParameterizedTest
    @CsvSource({"8x8x9", "1x1x117", "1x512x1", "1x2x92"})
    void seeksNoTwistThatTakesAPassTooLong(String cubes) {
        assertThat(TorusChoice.bestTwist(Shape.parse(cubes))).isEqualTo(Twist.NONE);
    }

    @Test
    void seeksTheTwistOfARow() {
        assertThat(TorusChoice.bestTwist(new Shape(1, 1, 16))).isNotEqualTo(Twist.NONE);
    }

    @Test
    void theTwistOfThousandsOfChipsLooksTheSameFromEveryVertex() {
        assertThat(TorusChoice.best(Shape.parse("16x16x32")).metrics().orbits()).isEqualTo(1);
    }
}
