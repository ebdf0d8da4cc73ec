package dev.lightpath.app.job;

/**
 * The fabric that a job asks for.
 *
 * @param transceivers true for ocsTrx, false for ocs
 * @param gpusPerNode GPUs of each of its nodes
 * @param namespaceAllowed whether jobs of the job's namespace may use it
 * @param tori whether its switches make twisted tori
 */
record FabricFacts(String name, boolean transceivers, int gpusPerNode, boolean namespaceAllowed, boolean tori) {
    /** Without tori. */
    FabricFacts(String name, boolean transceivers, int gpusPerNode, boolean namespaceAllowed) {
        this(name, transceivers, gpusPerNode, namespaceAllowed, false);
    }
}
