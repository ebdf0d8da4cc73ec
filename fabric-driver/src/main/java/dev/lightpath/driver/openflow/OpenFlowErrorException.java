package dev.lightpath.driver.openflow;

import dev.lightpath.driver.session.RefusedException;

/** The device answered with an error message (OpenFlow 1.4, 7.5.4). */
final class OpenFlowErrorException extends RefusedException {
    private static final long serialVersionUID = 1L;

    /** For requests of a kind that the device does not take. */
    private static final int BAD_REQUEST = 1;

    private static final int FLOW_MOD_FAILED = 5;
    private static final int BUNDLE_FAILED = 17;
    private static final int ROLE_REQUEST_FAILED = 11;
    private static final int OVERLAP = 3;
    private static final int BAD_TYPE = 1;
    private static final int BAD_EXPERIMENTER = 3;
    private static final int IS_SLAVE = 10;
    private static final int STALE = 0;

    private final int type;
    private final int number;

    OpenFlowErrorException(int type, int code) {
        super(type + "/" + code, words(type, code));
        this.type = type;
        this.number = code;
    }

    private static String words(int type, int code) {
        if (type == BAD_REQUEST && code == IS_SLAVE) {
            return "another controller is the master of the device, which takes no changes of this driver";
        }
        if (type == ROLE_REQUEST_FAILED && code == STALE) {
            return "another controller became the master of the device at the same time";
        }
        String what = switch (type) {
            case BAD_REQUEST -> "bad request";
            case 2 -> "bad action";
            case 3 -> "bad instruction";
            case 4 -> "bad match";
            case FLOW_MOD_FAILED -> "flow mod failed";
            case ROLE_REQUEST_FAILED -> "role request failed";
            case BUNDLE_FAILED -> "bundle failed";
            default -> "error";
        };
        return what + " (type " + type + ", code " + code + ")";
    }

    /** Another flow of the same priority matches the same light. */
    boolean isOverlap() {
        return type == FLOW_MOD_FAILED && number == OVERLAP;
    }

    /** The device does not know this kind of request. */
    boolean isUnknownRequest() {
        return type == BAD_REQUEST && number >= BAD_TYPE && number <= BAD_EXPERIMENTER;
    }

    /** Another controller claimed the device with the same or a later generation. */
    boolean isStale() {
        return type == ROLE_REQUEST_FAILED && number == STALE;
    }
}
