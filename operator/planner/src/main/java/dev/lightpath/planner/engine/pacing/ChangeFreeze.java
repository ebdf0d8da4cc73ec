package dev.lightpath.planner.engine.pacing;

import dev.lightpath.planner.light.Stage.Cause;
import java.util.function.BooleanSupplier;

/** Why a fabric makes no automatic changes now, or only some. */
public enum ChangeFreeze {
    NONE("", ""),
    ILLEGIBLE(
            "NewerFormat",
            "a record of the ledger is of a format that this version does not know: nothing is written until it does"),
    PAUSED("FabricPaused", "the fabric is paused: set spec.paused to false to go on"),
    MASS_FAILURE(
            "MassFailure",
            "too much of the fabric failed at once, as its condition Ready says: annotate it"
                    + " lightpath.dev/resume-after-mass-failure to go on"),
    AWAITING_ADOPTION(
            "AwaitingAdoption", "light was found that no record explains: set spec.adopt to Keep or Reset to go on"),
    RETIRING("FabricNotFound", "the fabric is being deleted"),
    DRIVER_AWAY("DriverUnreachable", "the driver is not in contact: nothing is changed until it is");

    private final String reason;
    private final String message;

    ChangeFreeze(String reason, String message) {
        this.reason = reason;
        this.message = message;
    }

    public String reason() {
        return reason;
    }

    public String message() {
        return message;
    }

    /** Whether light of placed slices is made and repaired. A fabric that is being deleted only takes no new slices. */
    public boolean repairs() {
        return this == NONE || this == RETIRING;
    }

    /** Whether light that was given up is taken down. */
    public boolean releases() {
        return this == NONE || this == MASS_FAILURE || this == RETIRING;
    }

    /**
     * Whether a due change may be made all the same. A mass failure leaves what it interrupts as it is: a move that is half made would
     * otherwise only lose its old light.
     */
    public boolean allows(Due due) {
        return switch (this) {
            case NONE -> true;
            case MASS_FAILURE -> due.cause() == Cause.RELEASE && !due.remainder();
            case RETIRING -> due.cause() != Cause.CORRECT;
            case ILLEGIBLE, PAUSED, AWAITING_ADOPTION, DRIVER_AWAY -> false;
        };
    }

    /** The first that applies. */
    public static ChangeFreeze of(
            boolean illegible,
            boolean paused,
            boolean synced,
            boolean awaitingAdoption,
            BooleanSupplier massFailure,
            boolean retiring) {
        if (illegible) {
            return ILLEGIBLE;
        }
        if (paused) {
            return PAUSED;
        }
        if (!synced) {
            return DRIVER_AWAY;
        }
        if (awaitingAdoption) {
            return AWAITING_ADOPTION;
        }
        if (massFailure.getAsBoolean()) {
            return MASS_FAILURE;
        }
        return retiring ? RETIRING : NONE;
    }
}
