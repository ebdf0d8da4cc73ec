package dev.lightpath.planner.torus;

import static org.assertj.core.api.Assertions.assertThat;

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

    @Test
    void theTwistOfThousandsOfChipsLooksTheSameFromEveryVertex() {
        assertThat(TorusChoice.best(Shape.parse("16x16x32")).metrics().orbits()).isEqualTo(1);
    }
}
