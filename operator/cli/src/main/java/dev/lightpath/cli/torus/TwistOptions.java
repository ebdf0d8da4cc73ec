package dev.lightpath.cli.torus;

import dev.lightpath.cli.BadInput;
import dev.lightpath.cli.Checked;
import dev.lightpath.planner.torus.Shape;
import dev.lightpath.planner.torus.Twist;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The two ways to write a twist. */
final class TwistOptions {
    private static final String ORDER = "x|y,x|z,y|x,y|z,z|x,z|y";

    @Option(names = "--twist", paramLabel = ORDER, description = "0 or 1 each: shifts of half a dimension")
    private @Nullable String twist;

    @Option(names = "--shift", paramLabel = ORDER, description = "shifts in chips")
    private @Nullable String shift;

    /** The shifts in chips; none if neither option is given. */
    Twist shifts(Shape chips) {
        String inHalves = twist;
        String inChips = shift;
        if (inHalves != null && inChips != null) {
            throw new BadInput("--twist and --shift say the same thing: give one of them");
        }
        if (inHalves != null) {
            int pattern = 0;
            for (int bit : six("--twist", inHalves)) {
                if (bit != 0 && bit != 1) {
                    throw new BadInput("--twist " + inHalves + ": " + bit
                            + " is not allowed, 0 or 1 each (shifts in chips: --shift)");
                }
                pattern = 2 * pattern + bit;
            }
            return Twist.half(chips, pattern);
        }
        return inChips == null ? Twist.NONE : reduced(chips, six("--shift", inChips));
    }

    private static Twist reduced(Shape chips, int[] s) {
        return new Twist(
                Math.floorMod(s[0], chips.y()),
                Math.floorMod(s[1], chips.z()),
                Math.floorMod(s[2], chips.x()),
                Math.floorMod(s[3], chips.z()),
                Math.floorMod(s[4], chips.x()),
                Math.floorMod(s[5], chips.y()));
    }

    private static int[] six(String option, String text) {
        int[] numbers = Checked.integers(option, text);
        if (numbers.length != 6) {
            throw new BadInput(option + " " + text + ": " + numbers.length + " numbers, six are wanted: " + ORDER);
        }
        return numbers;
    }
}
