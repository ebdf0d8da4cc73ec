package dev.lightpath.cli.cluster.access;

import dev.lightpath.console.text.BadInput;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;

/**
 * The token by which the operator identifies the user: that of the kubeconfig. A client certificate cannot be sent on,
 * so with one a token is requested for the service account that is installed for this.
 *
 * @param namespace of the operator
 */
record OwnToken(KubernetesClient client, String namespace) {
    private static final String VIEWER = "lightpath-viewer";
    /** The shortest that the API server gives. */
    private static final long SECONDS = 600;

    /** @throws BadInput when there is none to be had */
    String get() {
        Config config = client.getConfiguration();
        String own = config.getOauthTokenProvider() != null
                ? config.getOauthTokenProvider().getToken()
                : config.getOauthToken() != null ? config.getOauthToken() : config.getAutoOAuthToken();
        return own == null || own.isBlank() ? ofViewer() : own;
    }

    private String ofViewer() {
        try {
            return client.serviceAccounts()
                    .inNamespace(namespace)
                    .withName(VIEWER)
                    .tokenRequest(new TokenRequestBuilder()
                            .withNewSpec()
                            .withExpirationSeconds(SECONDS)
                            .endSpec()
                            .build())
                    .getStatus()
                    .getToken();
        } catch (KubernetesClientException e) {
            throw new BadInput(
                    "the operator asks for a token: the kubeconfig has none, and none could be made for service account "
                            + namespace + "/" + VIEWER + ": "
                            + Connection.explain(e, "").getMessage(),
                    e);
        }
    }
}
