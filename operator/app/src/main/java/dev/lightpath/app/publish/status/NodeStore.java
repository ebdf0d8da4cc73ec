package dev.lightpath.app.publish.status;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeCondition;
import java.util.List;

/** Where nodes are read and our conditions written. Objects read are shared: never change them. */
interface NodeStore {
    /** As last seen. */
    List<Node> nodes();

    /**
     * Writes conditions of a node beside those of others.
     *
     * @throws io.fabric8.kubernetes.client.KubernetesClientException when the API server refuses or is not there
     */
    void write(Node node, List<NodeCondition> conditions);
}
