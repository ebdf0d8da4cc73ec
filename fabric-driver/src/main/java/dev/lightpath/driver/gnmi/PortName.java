package dev.lightpath.driver.gnmi;

import dev.lightpath.driver.session.LostException;
import dev.lightpath.driver.session.OneLine;
import dev.lightpath.proto.driver.v1alpha1.PortSide;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a port: {@code 1A}, {@code 64B}, and with several modules {@code 2-64B}. Light enters at side A and
 * leaves at side B.
 *
 * @param module 0: the name has none
 */
record PortName(int module, int number, char side) implements Comparable<PortName> {
    private static final Pattern FORM = Pattern.compile("(?:([1-9]\\d{0,4})-)?([1-9]\\d{0,4})([AB])");
    private static final Comparator<PortName> ORDER =
            Comparator.comparing(PortName::side).thenComparing(PortName::module).thenComparing(PortName::number);

    /** Empty when it is no name of a port. */
    static Optional<PortName> of(String text) {
        Matcher name = FORM.matcher(text);
        if (!name.matches()) {
            return Optional.empty();
        }
        int module = name.group(1) == null ? 0 : Integer.parseInt(name.group(1));
        return Optional.of(new PortName(
                module, Integer.parseInt(name.group(2)), name.group(3).charAt(0)));
    }

    /**
     * As a device names it.
     *
     * @param where it names it, for people
     * @throws LostException when it is no name of a port
     */
    static PortName read(String text, String where) throws LostException {
        return of(text).orElseThrow(() -> new LostException(
                where + " names port '" + OneLine.of(text) + "', where a name such as 1A or 2-64B is expected"));
    }

    PortSide portSide() {
        return side == 'A' ? PortSide.PORT_SIDE_INGRESS : PortSide.PORT_SIDE_EGRESS;
    }

    /** Side A first, then by module and number. */
    @Override
    public int compareTo(PortName other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return (module == 0 ? "" : module + "-") + number + side;
    }
}
