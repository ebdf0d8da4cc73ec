package dev.lightpath.planner.engine.pacing;

import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.light.Stage.Cause;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Why a fabric makes no automatic changes now, or only some. */
public enum ChangeFreeze {
    NONE(null, ""),
    UNREADABLE_RECORD(
            Reason.NEWER_FORMAT,
            "a record of the ledger is of a format that this version does not know: nothing is written until it does"),
    PAUSED(Reason.FABRIC_PAUSED, "the fabric is paused: set spec.paused to false to go on"),
    MASS_FAILURE(
            Reason.MASS_FAILURE,
            "too much of the fabric failed at once, as its condition Ready says: annotate it"
                    + " lightpath.dev/resume-after-mass-failure to go on"),
    AWAITING_ADOPTION(
            Reason.AWAITING_ADOPTION,
            "light was found that no record explains: set spec.adopt to Keep or Reset to go on"),
    HELD_ELSEWHERE(
            Reason.HELD_BY_ANOTHER_ROLE,
            "another role holds devices that records have light on, as the condition Ready of the fabric says: kubectl"
                    + " lightpath driver transfer to go on"),
    NEWER_DEVICES(
            Reason.LEDGER_OLDER_THAN_DEVICES,
            "devices were written to under an epoch that this installation never gave, as the condition Ready of the fabric"
                    + " says: kubectl lightpath accept-devices to go on"),
    RETIRING(Reason.FABRIC_NOT_FOUND, "the fabric is being deleted"),
    DRIVER_AWAY(Reason.DRIVER_UNREACHABLE, "the driver is not in contact: nothing is changed until it is");

    private final @Nullable Reason reason;
    private final String message;

    ChangeFreeze(@Nullable Reason reason, String message) {
        this.reason = reason;
        this.message = message;
    }

    public Reason reason() {
        return Objects.requireNonNull(reason, "nothing is frozen");
    }

    public String message() {
        return message;
    }

    /** Whether light of placed slices is made and repaired. A fabric that is being deleted only takes no new slices. */
    public boolean repairs() {
        return this == NONE || this == RETIRING;
    }

    /** Whether a person has to end it, while records are written all the same. */
    public boolean lasts() {
        return this == PAUSED || this == MASS_FAILURE;
    }

    /** Whether lost records are read off the light: only while it is known whose that light is. */
    public boolean recognises() {
        return this != AWAITING_ADOPTION && this != NEWER_DEVICES && this != HELD_ELSEWHERE;
    }

    /** Whether light that was given up is taken down. */
    public boolean releases() {
        return this == NONE || this == MASS_FAILURE || this == RETIRING;
    }

    /**
     * Whether a due change may be made all the same. A mass failure leaves what it interrupts as it is: a move that is
     * half made would otherwise only lose its old light.
     */
    public boolean allows(Due due) {
        return switch (this) {
            case NONE -> true;
            case MASS_FAILURE -> due.cause() == Cause.RELEASE && !due.remainder();
            case RETIRING -> due.cause() != Cause.CORRECT && due.cause() != Cause.PROBE;
            case UNREADABLE_RECORD, PAUSED, AWAITING_ADOPTION, HELD_ELSEWHERE, NEWER_DEVICES, DRIVER_AWAY -> false;
        };
    }
}
