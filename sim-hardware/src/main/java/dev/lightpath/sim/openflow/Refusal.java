package dev.lightpath.sim.openflow;

/** An error to answer with (OpenFlow 1.4, 7.5.4). */
final class Refusal extends Exception {
    private static final long serialVersionUID = 1L;

    private final int type;
    private final int code;

    private Refusal(int type, int code, String what) {
        super(what);
        this.type = type;
        this.code = code;
    }

    static Refusal badType() {
        return new Refusal(1, 1, "a request of this kind is not taken");
    }

    static Refusal badLength() {
        return new Refusal(1, 6, "a message is cut");
    }

    static Refusal badMatch() {
        return new Refusal(4, 6, "a circuit matches one ingress port");
    }

    static Refusal badAction() {
        return new Refusal(2, 4, "a circuit goes to one egress port");
    }

    static Refusal overlap() {
        return new Refusal(5, 3, "the port has a circuit");
    }

    static Refusal flowModFailed() {
        return new Refusal(5, 0, "the mirrors did not do it");
    }

    static Refusal staleRole() {
        return new Refusal(11, 0, "a later controller is master");
    }

    static Refusal badBundle() {
        return new Refusal(17, 2, "there is no such bundle");
    }

    static Refusal bundleMessageFailed() {
        return new Refusal(17, 13, "a message of the bundle failed");
    }

    int type() {
        return type;
    }

    int code() {
        return code;
    }
}
