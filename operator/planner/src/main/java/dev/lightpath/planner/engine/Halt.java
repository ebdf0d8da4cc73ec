package dev.lightpath.planner.engine;

/** Why a fabric makes no automatic moves now. */
enum Halt {
    NONE("", ""),
    ILLEGIBLE(
            "NewerFormat",
            "a record of the ledger is of a format that this version does not know: nothing is written until it does"),
    PAUSED("FabricPaused", "the fabric is paused: set spec.paused to false to go on"),
    MASS_FAILURE(
            "MassFailure",
            "too much of the fabric failed at once: annotate it lightpath.dev/resume-after-mass-failure to go on"),
    AWAITING_ADOPTION(
            "AwaitingAdoption", "light was found that no record explains: set spec.adopt to Keep or Reset to go on"),
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

    /** The first that applies. */
    static Halt of(RingScene scene, RingLight light) {
        if (!scene.world().illegible().records().isEmpty()) {
            return ILLEGIBLE;
        }
        if (scene.intent().paused()) {
            return PAUSED;
        }
        if (!scene.driver().synced()) {
            return DRIVER_AWAY;
        }
        if (light.awaitingAdoption() && scene.intent().policy().adopt().isEmpty()) {
            return AWAITING_ADOPTION;
        }
        if (MassFailure.standing(scene)) {
            return MASS_FAILURE;
        }
        return scene.intent().retiring() ? RETIRING : NONE;
    }
}
