package dev.lightpath.cli.cluster;

import io.fabric8.kubernetes.api.model.authentication.TokenRequest;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A kubeconfig with which a command acts as a service account, and has no right that the account has not.
 *
 * @param token of the account, in the file
 */
public record AccountKubeconfig(Path file, String token) {
    /**
     * Gives an account of a namespace what {@code edit} is there. Nothing aggregates roles here, so it is bound as what
     * it is made of.
     */
    public static void bindEdit(KubernetesClient client, String namespace, String account) {
        for (String role : List.of("system:aggregate-to-edit", "lightpath-edit", "lightpath-view")) {
            client.resource(new RoleBindingBuilder()
                            .withNewMetadata()
                            .withNamespace(namespace)
                            .withName(account + "-" + role.replace(":", "-"))
                            .endMetadata()
                            .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", role)
                            .addNewSubject("", "ServiceAccount", account, namespace)
                            .build())
                    .create();
        }
    }

    /**
     * Writes it.
     *
     * @param client of one who may ask for the account's tokens
     */
    public static AccountKubeconfig write(KubernetesClient client, String namespace, String account, Path file)
            throws IOException {
        String token = client.serviceAccounts()
                .inNamespace(namespace)
                .withName(account)
                .tokenRequest(new TokenRequest())
                .getStatus()
                .getToken();
        Files.writeString(file, """
                apiVersion: v1
                kind: Config
                clusters: [{name: c, cluster: {server: "%s", insecure-skip-tls-verify: true}}]
                users: [{name: u, user: {token: "%s"}}]
                contexts: [{name: c, context: {cluster: c, user: u}}]
                current-context: c
                """.formatted(client.getConfiguration().getMasterUrl(), token));
        return new AccountKubeconfig(file, token);
    }
}
