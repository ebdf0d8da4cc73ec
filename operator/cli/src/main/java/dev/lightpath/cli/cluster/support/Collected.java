package dev.lightpath.cli.cluster.support;

/**
 * A kind of objects that a bundle shows.
 *
 * @param plural as the API server names it in addresses; with the group it names the file
 */
record Collected(String group, String version, String kind, String plural, boolean namespaced) {
    static Collected ours(String kind, String plural, boolean namespaced) {
        return new Collected("lightpath.dev", "v1alpha1", kind, plural, namespaced);
    }

    static Collected core(String kind, String plural) {
        return new Collected("", "v1", kind, plural, true);
    }

    /** Group and name, as kubectl takes them. */
    String name() {
        return group.isEmpty() ? plural : plural + "." + group;
    }
}
