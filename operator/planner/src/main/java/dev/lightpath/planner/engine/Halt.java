package dev.lightpath.planner.engine;

import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Why a fabric makes no automatic moves now. */
enum Halt {
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
    NEWER_DEVICES(
            "LedgerOlderThanDevices",
            "devices were written to under an epoch that this installation never gave, as the condition Ready of the fabric says:"
                    + " kubectl lightpath accept-devices to go on"),
    RETIRING("FabricNotFound", "the fabric is being deleted"),
    DRIVER_AWAY("DriverUnreachable", "the driver is not in contact: nothing is changed until it is");

    private final String reason;
    private final String message;

    Halt(String reason, String message) {
        this.reason = reason;
        this.message = message;
    }

    String reason() {
        return reason;
    }

    String message() {
        return message;
    }

    /** Whether light of who has a place is made and repaired: on a fabric that is being deleted only nobody new gets one. */
    boolean repairs() {
        return this == NONE || this == RETIRING;
    }

    /** Whether lost records are read off the light: not while it is not known whose that light is. */
    boolean recognises() {
        return this != AWAITING_ADOPTION && this != NEWER_DEVICES;
    }

    /** What of this light is not made yet says why it will not be now: one would wait for it. */
    SliceVerdict.Light holding(SliceVerdict.Light light) {
        if (repairs()
                || !light.obstacle().map(SliceVerdict.Obstacle::isProgramming).orElse(false)) {
            return light;
        }
        String told = light.obstacle().orElseThrow().message() + ": " + message;
        return new SliceVerdict.Light(
                light.total(),
                light.lit(),
                light.failed(),
                light.links(),
                light.qualifiedLinks(),
                Optional.of(SliceVerdict.Obstacle.programming(told)));
    }

    /** The first that applies. */
    static Halt of(RingScene scene, RingLight light) {
        return of(
                !scene.world().illegible().records().isEmpty(),
                scene.intent().paused(),
                scene.driver().synced(),
                newerDevices(scene).isPresent(),
                light.awaitingAdoption() && scene.intent().policy().adopt().isEmpty(),
                () -> MassFailure.standing(scene).isPresent(),
                scene.intent().retiring());
    }

    /** What a person has to know of devices that are newer than the records, whatever else stops changes. */
    static Optional<FabricVerdict.Newer> newerDevices(RingScene scene) {
        return NewerDevices.evidence(
                scene.world(),
                scene.intent().name(),
                scene.intent().role(),
                List.of(scene.intent().driver()),
                scene.intent().policy());
    }

    /** The same of switches. */
    static Optional<FabricVerdict.Newer> newerDevices(OcsScene scene) {
        return NewerDevices.evidence(
                scene.world(),
                scene.intent().name(),
                scene.intent().role(),
                scene.intent().drivers(),
                scene.intent().policy());
    }

    /** The first that applies. */
    static Halt of(OcsScene scene, OcsLight light) {
        return of(
                !scene.world().illegible().records().isEmpty(),
                scene.intent().paused(),
                scene.synced(),
                newerDevices(scene).isPresent(),
                light.awaitingAdoption() && scene.intent().policy().adopt().isEmpty(),
                () -> MassFailure.standing(scene).isPresent(),
                scene.intent().retiring());
    }

    /** The first that applies. */
    private static Halt of(
            boolean illegible,
            boolean paused,
            boolean synced,
            boolean newerDevices,
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
        if (newerDevices) {
            return NEWER_DEVICES;
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
