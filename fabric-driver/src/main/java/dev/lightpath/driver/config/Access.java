package dev.lightpath.driver.config;

import java.util.List;

/** What a client may do, by the names in its certificate. Nothing is allowed that no rule grants. */
public enum Access {
    /** Reads. */
    READER,
    /** Reads, and changes circuits and overrides. */
    WRITER,
    /** Everything, TransferScope too. */
    ADMIN;

    /**
     * @param san subject alternative name of the client's certificate: a DNS name or a URI
     * @param devices device ids, or "*" for all
     */
    public record Rule(String san, Access access, List<String> devices) {
        public Rule {
            devices = List.copyOf(devices);
        }

        public boolean covers(String deviceId) {
            return devices.contains("*") || devices.contains(deviceId);
        }
    }
}
