package dev.lightpath.sim.gnmi;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Names of ports: {@code 1A}, {@code 2A} of the ingress side, {@code 1B}, {@code 2B} of the egress side. The emulation
 * counts them through.
 *
 * @param side ports of each side
 */
record Names(int side) {
    private static final Pattern FORM = Pattern.compile("([1-9]\\d{0,4})([AB])");

    /** What the emulation calls a port; null: there is no such port. */
    @Nullable
    String inside(String name) {
        Matcher form = FORM.matcher(name);
        if (!form.matches() || Integer.parseInt(form.group(1)) > side) {
            return null;
        }
        int number = Integer.parseInt(form.group(1));
        return Integer.toString(form.group(2).equals("A") ? number : side + number);
    }

    /** What the device calls a port of the emulation. */
    String outside(String port) {
        int number = Integer.parseInt(port);
        return number <= side ? number + "A" : number - side + "B";
    }
}
