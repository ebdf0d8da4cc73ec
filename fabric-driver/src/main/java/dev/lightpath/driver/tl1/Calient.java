package dev.lightpath.driver.tl1;

import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.adapter.NativeCircuit;
import dev.lightpath.driver.adapter.PortLayout;
import dev.lightpath.driver.session.LostException;
import dev.lightpath.driver.session.Product;
import dev.lightpath.driver.session.RefusedException;
import dev.lightpath.proto.driver.v1alpha1.Port;
import dev.lightpath.proto.driver.v1alpha1.PortAdminState;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** A switch of Calient: a connection is entered, and then put into service. */
final class Calient implements Maker {
    /** Word by which a device says that it names them all. */
    private static final String ALL = "0";

    private static final Pattern POWER = Pattern.compile("[-+]?\\d{1,3}(?:\\.\\d{1,9})?");

    private final Product product;
    private final CalientPorts ports;
    private final PortLayout layout;
    private final boolean meters;

    private Calient(Product product, CalientPorts ports, boolean meters) {
        this.product = product;
        this.ports = ports;
        this.layout = new PortLayout(ports.names().size(), ports.names().size());
        this.meters = meters;
    }

    /** @param size as {@code driver.yaml} names it, or empty */
    static Calient greet(Tl1Session session, String size) throws LostException, RefusedException {
        Map<String, String> element = new TreeMap<>();
        for (String line : session.command("RTRV-NE", "", "", CALL)) {
            element.putAll(Fields.of(line).values());
        }
        List<String> names = new ArrayList<>();
        for (String line : session.command("RTRV-PORT", ALL, "", CALL)) {
            names.add(Fields.of(line).title());
        }
        Calient device = new Calient(product(element), new CalientPorts(names), meters(session));
        if (!size.isEmpty() && !size.equals(device.layout.size())) {
            throw new LostException(
                    "the device has size " + device.layout.size() + ", but driver.yaml names size " + size);
        }
        return device;
    }

    private static Product product(Map<String, String> element) {
        return new Product(
                "Calient",
                MessageReader.oneLine(element.getOrDefault("CHASSISTYPE", "")),
                MessageReader.oneLine(element.getOrDefault("SERIALNUMBER", "")),
                MessageReader.oneLine(element.getOrDefault("SWPACKAGE", "")));
    }

    private static boolean meters(Tl1Session session) throws LostException {
        try {
            var unused = session.command("RTRV-PORT-SUM", ALL, "", CALL);
            return true;
        } catch (RefusedException none) {
            return false;
        }
    }

    @Override
    public Product product() {
        return product;
    }

    @Override
    public PortLayout layout() {
        return layout;
    }

    @Override
    public List<Port> ports() {
        return ports.described();
    }

    @Override
    public boolean meters() {
        return meters;
    }

    @Override
    public List<PortStatus> states(Tl1Session by) throws LostException, RefusedException {
        Map<String, Double> power = new TreeMap<>();
        if (meters) {
            for (String line : by.command("RTRV-PORT-SUM", ALL, "", CALL)) {
                Fields port = Fields.of(line);
                String entering = port.values().getOrDefault("INPWR", "");
                if (POWER.matcher(entering).matches()) {
                    power.put(ports.known(port.title(), "the power of a port"), Double.valueOf(entering));
                }
            }
        }
        List<PortStatus> all = new ArrayList<>();
        for (String name : ports.names()) {
            PortStatus.Builder port =
                    PortStatus.newBuilder().setPort(name).setAdminState(PortAdminState.PORT_ADMIN_STATE_IN_SERVICE);
            Double entering = power.get(name);
            if (entering != null) {
                port.setReceivePowerDbm(entering);
            }
            all.add(port.build());
        }
        return all;
    }

    private List<Connection> connections(Tl1Session by) throws LostException, RefusedException {
        List<Connection> all = new ArrayList<>();
        for (String line : by.command("RTRV-CRS", "", "", CALL)) {
            all.add(Connection.read(Fields.of(line).values(), ports));
        }
        return all;
    }

    @Override
    public List<NativeCircuit> circuits(Tl1Session by) throws LostException, RefusedException {
        List<NativeCircuit> all = new ArrayList<>();
        for (Connection each : connections(by)) {
            if (each.active()) {
                for (CircuitPair way : each.ways()) {
                    all.add(new NativeCircuit(way, each.state(), OptionalDouble.empty()));
                }
            }
        }
        return all;
    }

    @Override
    public Standing standing(Tl1Session by) throws LostException, RefusedException {
        return new Connections(connections(by));
    }
}
