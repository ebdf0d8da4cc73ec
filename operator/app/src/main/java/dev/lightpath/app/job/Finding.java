package dev.lightpath.app.job;

import dev.lightpath.crds.Reason;

/** What a condition says. */
record Finding(String status, String reason, String message) {
    static Finding yes(String message) {
        return new Finding("True", Reason.SATISFIED.word(), message);
    }

    static Finding no(String reason, String message) {
        return new Finding("False", reason, message);
    }

    static Finding no(Reason reason, String message) {
        return no(reason.word(), message);
    }

    static Finding unknown(String message) {
        return new Finding("Unknown", Reason.PENDING.word(), message);
    }

    boolean holds() {
        return status.equals("True");
    }
}
