package dev.lightpath.driver.adapter;

import dev.lightpath.proto.driver.v1alpha1.PortSide;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How many ports a switch has, and which may meet. Ports are numbered from 1; of two sides the ingress ports come
 * first.
 *
 * @param egress number of egress ports; 0: any port may meet any other
 */
public record PortLayout(int ingress, int egress) {
    /** As in model names: {@code 48x48} has two sides, {@code 48xCC} lets any port meet any other. */
    public static final Pattern FORM = Pattern.compile("(\\d{1,5})x(\\d{1,5}|CC)");

    private static final int MOST_PORTS = 65_535;

    /** The size that a text names, such as a model name; empty where it names none. */
    public static Optional<PortLayout> of(String text) {
        Matcher size = FORM.matcher(text);
        if (size.find()) {
            int ingress = Integer.parseInt(size.group(1));
            int egress = size.group(2).equals("CC") ? 0 : Integer.parseInt(size.group(2));
            if (ingress > 0
                    && ingress + egress <= MOST_PORTS
                    && (egress > 0 || size.group(2).equals("CC"))) {
                return Optional.of(new PortLayout(ingress, egress));
            }
        }
        return Optional.empty();
    }

    /** As {@link #of} reads it. */
    public String size() {
        return ingress + "x" + (twoSided() ? egress : "CC");
    }

    public boolean twoSided() {
        return egress > 0;
    }

    public List<String> names() {
        List<String> names = new ArrayList<>();
        for (int port = 1; port <= ingress + egress; port++) {
            names.add(Integer.toString(port));
        }
        return names;
    }

    public PortSide side(String port) {
        if (!twoSided()) {
            return PortSide.PORT_SIDE_BOTH;
        }
        return Integer.parseInt(port) <= ingress ? PortSide.PORT_SIDE_INGRESS : PortSide.PORT_SIDE_EGRESS;
    }
}
