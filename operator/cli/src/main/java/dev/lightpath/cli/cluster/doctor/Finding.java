package dev.lightpath.cli.cluster.doctor;

/**
 * One thing that is not as it should be.
 *
 * @param where the object, as kind/name or kind/namespace/name
 * @param what is the matter there
 * @param todo what helps
 */
record Finding(Level level, String where, String what, String todo) {
    static Finding wrong(String where, String what, String todo) {
        return new Finding(Level.wrong, where, what, todo);
    }

    static Finding warning(String where, String what, String todo) {
        return new Finding(Level.warning, where, what, todo);
    }
}
