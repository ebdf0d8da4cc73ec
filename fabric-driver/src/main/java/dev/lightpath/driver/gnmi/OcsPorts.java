package dev.lightpath.driver.gnmi;

import dev.lightpath.driver.adapter.PortLayout;
import dev.lightpath.driver.session.FarEnd;
import dev.lightpath.driver.session.LostException;
import dev.lightpath.proto.driver.v1alpha1.Port;
import dev.lightpath.proto.driver.v1alpha1.PortAdminState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The ports of a switch by their names, in their order. */
final class OcsPorts {
    private static final int MOST = 65_535;

    private final Set<PortName> all;
    private final PortLayout layout;

    private OcsPorts(Set<PortName> all, PortLayout layout) {
        this.all = all;
        this.layout = layout;
    }

    /**
     * As the device tells them.
     *
     * @param size that it must have, as {@code 64x64}; empty: any
     * @throws LostException when these are not the ports of such a switch
     */
    static OcsPorts of(Collection<String> told, String size) throws LostException {
        Set<PortName> all = new TreeSet<>();
        for (String name : told) {
            all.add(PortName.read(name, "the table of ports"));
        }
        if (all.size() > MOST) {
            throw new LostException("the device tells " + all.size() + " ports, more than " + MOST);
        }
        int ingress = (int) all.stream().filter(port -> port.side() == 'A').count();
        String has = ingress + "x" + (all.size() - ingress);
        if (!size.isEmpty() && !size.equals(has)) {
            throw new LostException("the device has size " + has + ", but driver.yaml names size " + size);
        }
        Optional<PortLayout> layout = PortLayout.of(has);
        if (layout.isEmpty()) {
            throw new LostException("the device has size " + has + ", where ports on both sides are expected");
        }
        return new OcsPorts(all, layout.get());
    }

    PortLayout layout() {
        return layout;
    }

    /**
     * A port that a device names.
     *
     * @param where it names it, for people
     * @throws LostException when it has no such port
     */
    String known(String said, String where) throws LostException {
        PortName name = PortName.read(said, where);
        if (!all.contains(name)) {
            throw new LostException(
                    where + " names port '" + name + "', which is none of the " + all.size() + " ports of the device");
        }
        return name.toString();
    }

    List<String> names() {
        return all.stream().map(PortName::toString).toList();
    }

    /** @param labels of ports; one such as {@code n3/b0.path1} names a far end */
    List<Port> described(Map<String, String> labels) {
        List<Port> ports = new ArrayList<>();
        for (PortName each : all) {
            Port.Builder port = Port.newBuilder()
                    .setName(each.toString())
                    .setSide(each.portSide())
                    .setAdminState(PortAdminState.PORT_ADMIN_STATE_IN_SERVICE);
            FarEnd.of(labels.getOrDefault(each.toString(), "")).ifPresent(port::setPeerHint);
            ports.add(port.build());
        }
        return ports;
    }
}
