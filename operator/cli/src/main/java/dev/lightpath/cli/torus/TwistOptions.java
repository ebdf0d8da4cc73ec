package dev.lightpath.cli.torus;

import dev.lightpath.cli.Checked;
import dev.lightpath.console.text.BadInput;
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
        return inChips == null ? Twist.NONE : within(chips, six("--shift", inChips));
    }

    private static Twist within(Shape chips, int[] shifts) {
        String[] names = ORDER.split(",");
        for (int at = 0; at < shifts.length; at++) {
            int size = chips.size(names[at].charAt(2) - 'x');
            if (shifts[at] < 0 || shifts[at] >= size) {
                throw new BadInput(
                        "--shift: " + names[at] + " is " + shifts[at] + " chips, allowed 0 to " + (size - 1));
            }
        }
        return new Twist(shifts[0], shifts[1], shifts[2], shifts[3], shifts[4], shifts[5]);
    }

    private static int[] six(String option, String text) {
        int[] numbers = Checked.integers(option, text);
        if (numbers.length != 6) {
            throw new BadInput(option + " " + text + ": " + numbers.length + " numbers, six are wanted: " + ORDER);
        }
        return numbers;
    }
}
