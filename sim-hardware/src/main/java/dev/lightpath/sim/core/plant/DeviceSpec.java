package dev.lightpath.sim.core.plant;

/**
 * The static description of a device of the plant.
 *
 * @param id name in the plant
 * @param kind kind of device
 * @param size number of ports, of modules for {@link DeviceKind#TRANSCEIVERS}
 * @param ingressPorts for a switch of two sides: so many of the lowest ports are ingress, the others egress, and light
 *     goes one way; 0 where any port may be connected to any other and light goes both ways
 * @param preset its behaviour
 * @param firmware version on the nameplate
 * @param domains what it shares with other devices
 */
public record DeviceSpec(
        String id, DeviceKind kind, int size, int ingressPorts, Preset preset, String firmware, Domains domains) {
    /** Ports of one transceiver module: common, loop, path1, path2. */
    public static final int PORTS_PER_MODULE = 4;

    /** Checks the size. */
    public DeviceSpec {
        if (size < 1) {
            throw new IllegalArgumentException("device " + id + ": size " + size + ", at least 1 is needed");
        }
        if (ingressPorts < 0 || (ingressPorts > 0 && (kind != DeviceKind.SWITCH || ingressPorts >= size))) {
            throw new IllegalArgumentException(
                    "device " + id + ": only a switch is two-sided, and has ports of either side");
        }
    }

    /** Whether the ports of a switch are ingress or egress. */
    public boolean twoSided() {
        return ingressPorts > 0;
    }

    /** Number of ports. */
    public int ports() {
        return kind == DeviceKind.TRANSCEIVERS ? size * PORTS_PER_MODULE : size;
    }

    /** Name of a port by its place in the device. */
    public String portName(int local) {
        if (kind != DeviceKind.TRANSCEIVERS) {
            return Integer.toString(local + 1);
        }
        String module = "b" + local / PORTS_PER_MODULE;
        return switch (local % PORTS_PER_MODULE) {
            case 0 -> module + ".common";
            case 1 -> module + ".loop";
            case 2 -> module + ".path1";
            default -> module + ".path2";
        };
    }

    /** Place of a port in the device by its name, -1 when there is none. */
    public int portPlace(String name) {
        if (kind != DeviceKind.TRANSCEIVERS) {
            int number = number(name);
            return number >= 1 && number <= size ? number - 1 : -1;
        }
        int dot = name.indexOf('.');
        int module = dot < 0 ? -1 : modulePlace(name.substring(0, dot));
        if (module < 0) {
            return -1;
        }
        int selector = switch (name.substring(dot + 1)) {
            case "common" -> 0;
            case "loop" -> 1;
            case "path1" -> 2;
            case "path2" -> 3;
            default -> -1;
        };
        return selector < 0 ? -1 : module * PORTS_PER_MODULE + selector;
    }

    /** Place of a module by its name, -1 when there is none. */
    public int modulePlace(String name) {
        if (kind != DeviceKind.TRANSCEIVERS || !name.startsWith("b")) {
            return -1;
        }
        int number = number(name.substring(1));
        return number >= 0 && number < size ? number : -1;
    }

    /** Side of a port by its place in the device. */
    public PortSide side(int local) {
        return switch (kind) {
            case ENDPOINTS -> PortSide.LINE;
            case SWITCH -> !twoSided() ? PortSide.BOTH : local < ingressPorts ? PortSide.INGRESS : PortSide.EGRESS;
            case TRANSCEIVERS ->
                switch (local % PORTS_PER_MODULE) {
                    case 0 -> PortSide.COMMON;
                    case 1 -> PortSide.LOOP;
                    default -> PortSide.LINE;
                };
        };
    }

    /** Decimal without sign or leading zeros, -1 for anything else. */
    private static int number(String text) {
        if (text.isEmpty() || text.length() > 6 || (text.length() > 1 && text.charAt(0) == '0')) {
            return -1;
        }
        int value = 0;
        for (int i = 0; i < text.length(); i++) {
            char digit = text.charAt(i);
            if (digit < '0' || digit > '9') {
                return -1;
            }
            value = value * 10 + digit - '0';
        }
        return value;
    }

    /**
     * What a device shares with others; empty when nothing is known.
     *
     * @param power power feed
     * @param control control plane
     * @param rack rack
     */
    public record Domains(String power, String control, String rack) {
        /** Nothing known. */
        public static final Domains NONE = new Domains("", "", "");
    }
}
