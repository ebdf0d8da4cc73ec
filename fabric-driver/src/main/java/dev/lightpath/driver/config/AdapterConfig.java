package dev.lightpath.driver.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** One entry of {@code adapters}: a kind and what that kind must know. */
public sealed interface AdapterConfig {
    /** Devices of an emulator process at {@code endpoint}, host:port. */
    record Emulator(String endpoint) implements AdapterConfig {
        public static final String KIND = "emulator";
    }

    /** Devices of a program that speaks lightpath.device.v1alpha1 at {@code endpoint}, host:port. */
    record DeviceApi(String endpoint, Optional<ClientTls> tls) implements AdapterConfig {
        public static final String KIND = "device-api";
    }

    /** Switches with the YANG module optical-switch, over NETCONF. */
    record NetconfPolatis(List<NetconfDevice> devices) implements AdapterConfig {
        public static final String KIND = "netconf-polatis";

        public NetconfPolatis {
            devices = List.copyOf(devices);
        }
    }

    /**
     * One switch and the way to it. A password or a key, or both.
     *
     * @param hostKey fingerprint of the device's host key, as {@code ssh-keygen -l} prints it: {@code SHA256:...}
     * @param size such as {@code 48x48} or {@code 48xCC}; empty: as the model name says
     * @param yangRevision revision of optical-switch to take for the newest known one; empty: none
     * @param poll time after which the device is asked again, if it told of nothing
     */
    record NetconfDevice(
            String id,
            String host,
            int port,
            String user,
            Optional<Path> passwordFile,
            Optional<Path> keyFile,
            String hostKey,
            String size,
            String yangRevision,
            Duration poll) {}

    /**
     * Switches that speak OpenFlow and connect to the driver.
     *
     * @param host where the driver listens for them
     * @param port likewise; 0 for any free one
     * @param tls empty: plaintext
     */
    record OpenFlow(String host, int port, Optional<DeviceTls> tls, List<OpenFlowSwitchConfig> devices)
            implements AdapterConfig {
        public static final String KIND = "openflow";

        public OpenFlow {
            devices = List.copyOf(devices);
        }
    }

    /**
     * One switch.
     *
     * @param datapath its number, by which it says who it is
     * @param size such as {@code 48x48}: ports 1 to 48 are ingress, 49 to 96 egress
     * @param certificateName a DNS name that its certificate has
     * @param poll time after which the device is asked again, if it told of nothing
     */
    record OpenFlowSwitchConfig(String id, long datapath, String size, String certificateName, Duration poll) {}

    /** Switches that speak TL1. */
    record Tl1(List<Tl1Device> devices) implements AdapterConfig {
        public static final String KIND = "tl1";

        public Tl1 {
            devices = List.copyOf(devices);
        }
    }

    /**
     * One switch and the way to it.
     *
     * @param size such as {@code 48x48} or {@code 48xCC}; empty: as the device says
     * @param poll time after which the device is asked again, if it told of nothing
     */
    record Tl1Device(
            String id,
            String host,
            int port,
            String user,
            Path passwordFile,
            Tl1Dialect dialect,
            String size,
            Duration poll) {}

    /** Whose commands a switch takes. */
    enum Tl1Dialect {
        POLATIS,
        CALIENT;

        /** As in {@code driver.yaml}. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Switches with the YANG modules sonic-ocs and sonic-ocs-states, over gNMI.
     *
     * @param tls empty: plaintext
     */
    record GnmiSonicOcs(Optional<GnmiTls> tls, List<GnmiDevice> devices) implements AdapterConfig {
        public static final String KIND = "gnmi-sonic-ocs";

        public GnmiSonicOcs {
            devices = List.copyOf(devices);
        }
    }

    /**
     * One switch and the way to it.
     *
     * @param endpoint host:port
     * @param login empty: it takes the driver by its certificate, or anybody
     * @param serverName name that its certificate must have; empty: the host of the endpoint
     * @param size such as {@code 64x64}; empty: as the device says
     * @param yangRevision revision of the modules to take for the newest known one; empty: none
     * @param electionId number by which the driver claims to be the device's one master; empty: it claims nothing
     * @param poll time after which the device is asked again, if it told of nothing
     */
    record GnmiDevice(
            String id,
            String endpoint,
            Optional<GnmiLogin> login,
            Optional<String> serverName,
            String size,
            String yangRevision,
            OptionalLong electionId,
            Duration poll) {}

    /** A user of a device. */
    record GnmiLogin(String user, Path passwordFile) {}

    /**
     * Which devices the driver trusts, and how it shows itself to them. PEM files, read again when they change.
     *
     * @param certificate empty, as key: it shows none
     */
    record GnmiTls(Path ca, Optional<Path> certificate, Optional<Path> key) {}

    /** Transceivers of nodes, by CMIS. */
    record Cmis(List<CmisNode> nodes) implements AdapterConfig {
        public static final String KIND = "cmis";

        public Cmis {
            nodes = List.copyOf(nodes);
        }
    }

    /**
     * The transceivers of one node.
     *
     * @param id name of the node
     * @param modules in the order of bundles
     * @param poll time after which they are read again
     */
    record CmisNode(String id, List<CmisModuleConfig> modules, Duration poll) {
        public CmisNode {
            modules = List.copyOf(modules);
        }
    }

    /** A module: bundle {@code b0} and so on. */
    record CmisModuleConfig(String name, CmisBus bus, ModuleType type) {}

    /** The way to a module. */
    sealed interface CmisBus {
        /** An I2C bus of Linux, such as {@code /dev/i2c-5}. */
        record I2c(Path device) implements CmisBus {}

        /** A file in which a driver of the kernel shows the module's pages in a row. */
        record Eeprom(Path file) implements CmisBus {}

        /** The bus of an emulated node. */
        record Socket(String host, int port, int module) implements CmisBus {}
    }

    /**
     * How the driver shows itself to devices that connect, and which it trusts. PEM files, read again when they change.
     */
    record DeviceTls(Path certificate, Path key, Path ca) {}

    /**
     * How the driver shows itself to a device's program, and which program it trusts. PEM files, read again when they
     * change.
     *
     * @param serverName name that the program's certificate must have; empty: the host of the endpoint
     */
    record ClientTls(Path certificate, Path key, Path ca, Optional<String> serverName) {}
}
