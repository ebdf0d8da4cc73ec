package dev.lightpath.driver.config;

import java.util.List;
import java.util.Optional;

/** What a client may do, by the names in its certificate. Nothing is allowed that no rule grants. */
public enum Access {
    /** Reads. */
    READER,
    /** Reads, and changes circuits and overrides. */
    WRITER,
    /** Everything, TransferScope too. */
    ADMIN;

    /** All devices, or all fencing roles. */
    public static final String ALL = "*";

    private static final String DNS = "dns:";
    private static final String URI = "uri:";

    /** A DNS name of a certificate as rules write it. */
    public static String dns(String name) {
        return DNS + name;
    }

    /** A URI of a certificate as rules write it. */
    public static String uri(String name) {
        return URI + name;
    }

    /**
     * @param san subject alternative name of the client's certificate: {@code dns:NAME} or {@code uri:URI}. Without a
     *     kind, a name that contains "://" is a URI and any other a DNS name
     * @param devices device ids, or "*" for all; empty grants nothing
     * @param fencingRoles fencing roles that the client may write under: names, or prefixes that end in "*". Empty
     *     Optional: roles that no rule names and no other client wrote under first
     */
    public record Rule(String san, Access access, List<String> devices, Optional<List<String>> fencingRoles) {
        public Rule {
            san = san.startsWith(DNS) || san.startsWith(URI) ? san : san.contains("://") ? uri(san) : dns(san);
            devices = List.copyOf(devices);
            fencingRoles = fencingRoles.map(List::copyOf);
        }

        /** A rule that names no fencing roles. */
        public Rule(String san, Access access, List<String> devices) {
            this(san, access, devices, Optional.empty());
        }

        public boolean covers(String deviceId) {
            return devices.contains(ALL) || devices.contains(deviceId);
        }

        /** True when the rule itself names this fencing role. */
        public boolean names(String role) {
            return fencingRoles.stream()
                    .flatMap(List::stream)
                    .anyMatch(each -> each.endsWith(ALL)
                            ? role.startsWith(each.substring(0, each.length() - 1))
                            : each.equals(role));
        }
    }
}
