package dev.lightpath.app.publish.node;

import dev.lightpath.crds.fabric.OpticalFabric;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeCondition;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/** Where nodes are read and our conditions and labels written. Objects read are shared: never change them. */
interface NodeStore {
    /** As last seen. */
    List<Node> nodes();

    /** Whether a Node is one of these. */
    boolean isOurs(Node node);

    /** As last seen. */
    List<OpticalFabric> fabrics();

    /**
     * Another number whenever a Node may have come or gone though none of these fabrics changed: one that left a fabric
     * which another process leads. Constant where one process leads everything.
     */
    long description();

    /** Calls back after every change of a Node that was there before, with it as it was and is, on any thread. */
    void listen(BiConsumer<Node, Node> changed);

    /**
     * Writes conditions of a node beside those of others.
     *
     * @return the node's version now
     * @throws io.fabric8.kubernetes.client.KubernetesClientException when the API server refuses or is not there
     */
    long write(Node node, List<NodeCondition> conditions);

    /**
     * Writes labels of a node beside those of others.
     *
     * @param labels empty where one goes
     * @throws io.fabric8.kubernetes.client.KubernetesClientException when the API server refuses or is not there
     */
    void label(Node node, Map<String, Optional<String>> labels);
}
