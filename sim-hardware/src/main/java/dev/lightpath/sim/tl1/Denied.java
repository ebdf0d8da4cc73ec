package dev.lightpath.sim.tl1;

/** The command is not done. */
final class Denied extends Exception {
    private static final long serialVersionUID = 1L;

    private final String code;

    /** @param code of four letters, as TL1 has them */
    Denied(String code, String text) {
        super(text);
        this.code = code;
    }

    String code() {
        return code;
    }
}
