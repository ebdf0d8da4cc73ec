package dev.lightpath.driver.tl1;

import dev.lightpath.driver.session.LostException;
import dev.lightpath.proto.driver.v1alpha1.Port;
import dev.lightpath.proto.driver.v1alpha1.PortAdminState;
import dev.lightpath.proto.driver.v1alpha1.PortSide;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** The ports of a Calient switch, by its own names such as {@code 1.1.1}. Each has a fibre in and a fibre out. */
final class CalientPorts {
    private static final int MOST = 32_767;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,32}");

    private final Set<String> names = new LinkedHashSet<>();

    /**
     * @param told in the order of the device
     * @throws LostException when these are no ports
     */
    CalientPorts(List<String> told) throws LostException {
        for (String name : told) {
            if (!NAME.matcher(name).matches()) {
                throw new LostException("RTRV-PORT names port '" + MessageReader.oneLine(name)
                        + "' where a name such as 1.1.1 is expected");
            }
            names.add(name);
        }
        if (names.isEmpty() || names.size() > MOST) {
            throw new LostException("RTRV-PORT tells " + names.size() + " ports, where 1 to " + MOST + " are expected");
        }
    }

    List<String> names() {
        return List.copyOf(names);
    }

    /** @throws LostException when the device has no such port */
    String known(String said, String where) throws LostException {
        if (!names.contains(said)) {
            throw new LostException(where + " names port '" + MessageReader.oneLine(said) + "', which is none of the "
                    + names.size() + " ports of the device");
        }
        return said;
    }

    List<Port> described() {
        return names.stream()
                .map(name -> Port.newBuilder()
                        .setName(name)
                        .setSide(PortSide.PORT_SIDE_BOTH)
                        .setAdminState(PortAdminState.PORT_ADMIN_STATE_IN_SERVICE)
                        .build())
                .toList();
    }
}
