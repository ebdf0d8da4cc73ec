package dev.lightpath.sim.core.plant;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;

/**
 * The devices and their ports as dense numbers: devices 0.. in the order of their names, ports 0.. in the order of
 * devices and of places within them. Immutable.
 */
public final class Plant {
    private final DeviceSpec[] devices;
    private final int[] firstPort;
    private final int[] deviceOfPort;

    /** @throws IllegalArgumentException when two devices share a name */
    public Plant(Collection<DeviceSpec> specs) {
        devices = specs.stream().sorted(Comparator.comparing(DeviceSpec::id)).toArray(DeviceSpec[]::new);
        firstPort = new int[devices.length + 1];
        for (int d = 0; d < devices.length; d++) {
            if (d > 0 && devices[d].id().equals(devices[d - 1].id())) {
                throw new IllegalArgumentException("two devices named " + devices[d].id());
            }
            firstPort[d + 1] = firstPort[d] + devices[d].ports();
        }
        deviceOfPort = new int[firstPort[devices.length]];
        for (int d = 0; d < devices.length; d++) {
            Arrays.fill(deviceOfPort, firstPort[d], firstPort[d + 1], d);
        }
    }

    /** Number of devices. */
    public int deviceCount() {
        return devices.length;
    }

    /** Number of ports of all devices. */
    public int portCount() {
        return deviceOfPort.length;
    }

    /** A device. */
    public DeviceSpec device(int device) {
        return devices[device];
    }

    /** Number of the device of that name, -1 when there is none; O(log devices). */
    public int findDevice(String id) {
        int found = search(id);
        return found >= 0 ? found : -1;
    }

    /** Number of the first device whose name comes after the given one; O(log devices). */
    public int deviceAfter(String id) {
        int found = search(id);
        return found >= 0 ? found + 1 : -(found + 1);
    }

    /** First port of a device; its ports are this one up to the first of the next device. */
    public int firstPort(int device) {
        return firstPort[device];
    }

    /** One after the last port of a device. */
    public int endPort(int device) {
        return firstPort[device + 1];
    }

    /** Device of a port. */
    public int deviceOf(int port) {
        return deviceOfPort[port];
    }

    /** What the device of a port is. */
    public DeviceKind kindOf(int port) {
        return devices[deviceOfPort[port]].kind();
    }

    /** Number of a port by its name, -1 when the device has none of that name. */
    public int findPort(int device, String name) {
        int local = devices[device].portPlace(name);
        return local < 0 ? -1 : firstPort[device] + local;
    }

    /** Name of a port within its device. */
    public String portName(int port) {
        int device = deviceOfPort[port];
        return devices[device].portName(port - firstPort[device]);
    }

    /** Name of a port as {@code device/port}. */
    public String fullName(int port) {
        return devices[deviceOfPort[port]].id() + "/" + portName(port);
    }

    /** Side of a port. */
    public PortSide side(int port) {
        int device = deviceOfPort[port];
        return devices[device].side(port - firstPort[device]);
    }

    /** The common port of the module that a transceiver's port belongs to. */
    public int commonOf(int port) {
        int first = firstPort[deviceOfPort[port]];
        return first + (port - first) / DeviceSpec.PORTS_PER_MODULE * DeviceSpec.PORTS_PER_MODULE;
    }

    /** Whether a device could send light from one of its ports to another of its ports. */
    public boolean canMeet(int ingress, int egress) {
        if (ingress == egress) {
            return false;
        }
        return switch (side(ingress)) {
            case BOTH -> true;
            case INGRESS -> side(egress) == PortSide.EGRESS;
            case COMMON -> commonOf(egress) == ingress;
            case EGRESS, LOOP, LINE -> false;
        };
    }

    /** Whether light goes both ways through the circuits of a device. */
    public boolean duplex(int device) {
        return !devices[device].twoSided();
    }

    private int search(String id) {
        int low = 0;
        int high = devices.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = devices[middle].id().compareTo(id);
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -(low + 1);
    }
}
