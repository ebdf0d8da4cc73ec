package dev.lightpath.app.job;

/**
 * The fabric that a job asks for.
 *
 * @param transceivers true for ocsTrx, false for ocs
 * @param gpusPerNode GPUs of each of its nodes
 * @param namespaceAllowed whether jobs of the job's namespace may use it
 */
record FabricFacts(String name, boolean transceivers, int gpusPerNode, boolean namespaceAllowed) {}
