package dev.lightpath.sim.netconf;

/** An rpc-error to answer with. */
final class RpcError extends Exception {
    private static final long serialVersionUID = 1L;

    private final String tag;

    RpcError(String tag, String message) {
        super(message);
        this.tag = tag;
    }

    String tag() {
        return tag;
    }
}
