package dev.lightpath.cli;

import dev.lightpath.console.text.BadInput;
import java.util.function.Supplier;

/** Turns the planner's refusal of a value into a message about the option or field it came from. */
public final class Checked {
    private Checked() {}

    /**
     * The value, if the planner takes it.
     *
     * @param where option, or file and field
     * @throws BadInput with the planner's reason
     */
    public static <T> T input(String where, Supplier<T> value) {
        try {
            return value.get();
        } catch (IllegalArgumentException e) {
            throw new BadInput(where + ": " + e.getMessage(), e);
        }
    }

    /**
     * Reads integers separated by commas.
     *
     * @throws BadInput naming the option
     */
    public static int[] integers(String where, String text) {
        String[] parts = text.split(",", -1);
        int[] numbers = new int[parts.length];
        for (int i = 0; i < parts.length; i++) {
            try {
                numbers[i] = Integer.parseInt(parts[i].strip());
            } catch (NumberFormatException e) {
                throw new BadInput(where + ": \"" + parts[i] + "\" is no integer: integers separated by commas", e);
            }
        }
        return numbers;
    }
}
