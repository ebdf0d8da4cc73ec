package dev.lightpath.app.lead;

import dev.lightpath.app.cluster.Share;

/** What this process was elected to lead. Once it is over it stays so. From any thread. */
interface Mandate {
    Share share();

    boolean over();

    /** Whether nobody else can have any of it yet: asked at every use of an epoch, so it waits for nothing. */
    boolean lasts();

    /**
     * Whether the API server says so too, or said so a moment ago.
     *
     * @throws io.fabric8.kubernetes.client.KubernetesClientException when it does not answer
     */
    boolean confirmed();
}
