package dev.lightpath.driver.cmis;

/** Where the path selector of a module leads. */
enum Position {
    LOOP("loop"),
    PATH_1("path1"),
    PATH_2("path2"),
    /** Nowhere. */
    DARK(""),
    /** From one position to another. */
    MOVING(""),
    /** It does not move, and no position is told. */
    FAILED("");

    private final String port;

    Position(String port) {
        this.port = port;
    }

    /** Last part of the name of its port; empty where it leads to none. */
    String port() {
        return port;
    }

    boolean leads() {
        return !port.isEmpty();
    }
}
